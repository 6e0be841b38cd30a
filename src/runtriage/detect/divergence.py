"""A loss that rose far above its best and did not come back, or never came under where it began."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from runtriage.detect.curve import begun, finite, fired, first_of, head, middle, middles, of_role, ordinary, shown, tail
from runtriage.detect.engine import Detector
from runtriage.detect.loss_terms import totals
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.naming import meaning
from runtriage.model.series import Point, Series

FEWEST = 8
RISE = 3.0
"""End over best: a loss this far above its best has not merely spiked (published spikes that recovered came back within 200 steps)."""
RISEN_SHAKEN = 1.5
"""The same where the gradients grew by as much as they do when training falls apart."""
ABOVE_START = 1.2
"""End over start, up to which a loss only came back to where it began."""
EXPLODED = 10.0
"""Over the largest value before: the factor at which Megatron's rerun machine calls a spike."""
BUMP = 3.0
"""Peak over start of a loss that blew up before it had learnt anything."""
LEAST_START = 0.1
"""Losses that begin near zero (policy objectives, for example) may grow while the run is healthy."""
NOT_LEARNT = 0.9
"""End over start, from which on nothing was learnt after such a peak."""
FORGOTTEN, LEARNT, DOUBLED = 0.75, 0.5, 2.0
"""A loss back at three quarters of where it began, after it had halved, and at twice its best level."""
SHAKEN, HIGHER = 0.6, 1.5
"""The same where the gradients show that it was no other data that raised the loss."""
OFTEN = 0.15
"""Part of the values since it had come down that are as high as the end: above it the loss swings, and never left that level."""
FALLING = 0.85
"""Late over early values of what rose: below it the loss is on its way down again (a new fold, harder data, a restart)."""
NEAR = 0.5
"""How far the last value may be from the level of the end to stand for it."""
STILL = 0.1
"""Range of the late half over its level, of what does not move but for its batches."""
JUMP = 3.0
"""How many times as high a learning rate becomes, at once or by and by, that a loss which rises is put down to."""
WARM = 0.9
"""First over highest learning rate: from here up there was no warm-up."""
_FIXES = ("lower-learning-rate", "return-to-earlier-checkpoint", "clip-gradients")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each training loss that diverged; of one that is printed in terms, for the term that shows it most."""
    for series in (*of_role(facts, "loss"), *_costs(facts)):
        match = _match(series, facts)
        if match is not None:
            yield match
    for total in totals(facts, "loss", "loss_part"):
        if _match(total.series, facts) is not None:
            yield from islice(filter(None, (_match(term, facts) for term in total.terms)), 1)


def _costs(facts: Facts) -> Iterator[Series]:
    """Yield what training prints in place of a loss where it prints none: a perplexity, an error, a rate of errors."""
    if first_of(facts, "loss", "loss_part", "reward") is None:
        yield from (series for series in of_role(facts, "metric") if meaning(series.name).better == "lower")


def _match(series: Series, facts: Facts) -> Match | None:
    points = finite(series)
    if series.nonfinite or not ordinary(series) or len(points) < FEWEST or min(p.value for p in points) <= 0:
        return None
    return (
        _exploded(series, points, facts)
        or _diverged(series, points, facts)
        or _lost(series, points, facts)
        or _stuck(series, points, facts)
        or _forgotten(series, points, facts)
    )


def _exploded(series: Series, points: Sequence[Point], facts: Facts) -> Match | None:
    last, before = points[-1], max(point.value for point in points[:-1])
    if last.value < EXPLODED * before:
        return None
    norm = first_of(facts, "grad_norm")
    mode = "div/grad-norm-explosion" if norm is not None and _jumped(finite(norm)) else "div/loss-spike-unrecovered"
    claim = f"{series.name} went from {shown(points[-2].value)} to {shown(last.value)} at step {last.step:g}, where the log ends"
    return fired(
        "explosion",
        mode,
        series,
        last,
        claim,
        fixes=("clip-gradients", *_FIXES[:2]),
        numbers={"last": last.value, "largest_before": before},
        title="The loss exploded",
    )


def _jumped(points: Sequence[Point]) -> bool:
    return len(points) > 2 and points[-1].value > EXPLODED * max(point.value for point in points[:-2])


def _diverged(series: Series, points: Sequence[Point], facts: Facts) -> Match | None:
    start, end = middle(head(points)), middle(tail(points))
    best = min(points, key=lambda point: point.value)
    if start < LEAST_START or end < RISEN_SHAKEN * best.value or end < ABOVE_START * start:
        return None  # before the gradients of all ranks are looked at
    rise = RISEN_SHAKEN if _steeper(facts, best) else RISE
    if end < rise * best.value or _noisy(points, end, rise):
        return None
    onset = _onset(points, best)
    if _of_another_run(facts, series, points, onset):
        return None
    rate = rate_jump(facts, onset)
    claim = f"{series.name} rose from {shown(best.value)} (step {best.step:g}) to {_level(points, end)} and did not come back{rate}"
    return fired(
        "divergence",
        "div/lr-too-high" if rate else "div/loss-spike-unrecovered",
        series,
        onset,
        claim,
        fixes=_FIXES,
        numbers={"best": best.value, "end": end, "start": start},
        title="The loss diverged",
    )


def _level(points: Sequence[Point], end: float) -> str:
    """Return the last value and its step where it is about the level of the end, else that level as what it is."""
    last = points[-1]
    if abs(last.value - end) <= NEAR * abs(end):
        return f"{shown(last.value)} (step {last.step:g})"
    return f"a median of {shown(end)}"


def _noisy(points: Sequence[Point], end: float, rise: float) -> bool:
    """Tell whether the rise may be luck: one good batch is no best, and two bad ones at the end are no level."""
    lowest = min(middles(points, 5))
    risen = next(
        (count for count, point in enumerate(reversed(points)) if point.value < min(2.0, rise) * lowest), len(points)
    )
    return end < rise * lowest or risen < max(3, len(points) // 8 + 1)


def _onset(points: Sequence[Point], best: Point) -> Point:
    """Return the first point after the best from which the loss stays above twice the best."""
    onset = points[-1]
    for point in reversed(points):
        if point.value < 2 * best.value:
            break
        onset = point
    return onset


def _of_another_run(facts: Facts, series: Series, points: Sequence[Point], onset: Point) -> bool:
    """Tell whether a loss is higher because another run or model begins there: the steps do, or other scores stand beside it."""
    if any(earlier.step > later.step for earlier, later in pairwise(points) if later == onset):
        return True
    beside = [
        other
        for other in facts.series
        if other.role == "metric"
        and other.points
        and (other.artifact, other.subject) == (series.artifact, series.subject)
    ]
    ends = any(other.points[-1].line < onset.line and other.points[-1].line >= points[0].line for other in beside)
    return ends and any(other.points[0].line == onset.line for other in beside)


def rate_jump(facts: Facts, onset: Point) -> str:
    """Say that the learning rate had jumped before a point; nothing where it had not."""
    rate = first_of(facts, "lr")
    known = [point for point in finite(rate) if point.step <= onset.step] if rate else []
    for earlier, later in pairwise(known):
        if earlier.value > 0 and later.value > JUMP * earlier.value and len(known) > FEWEST:
            return f"; the learning rate had jumped from {earlier.value:g} to {later.value:g} at step {later.step:g}"
    return ""


def _lost(series: Series, points: Sequence[Point], facts: Facts) -> Match | None:
    """Find a loss that blew up early and only came back to where it began."""
    start, end = points[0].value, middle(tail(points))
    if start < LEAST_START or not begun(facts, series):
        return None
    peak = max(points, key=lambda point: point.value)
    if (
        peak.value < BUMP * max(start, min(end, middle(head(points))))
        or end < NOT_LEARNT * start
        or len(points) < 4 * FEWEST
    ):
        return None  # the first of values that swing as widely all along may be low by chance
    rise = next(point for point in points if point.value > ABOVE_START * start)
    if _of_another_run(facts, series, points, rise):
        return None
    cold = _cold(facts, rise, points)
    claim = (
        f"{series.name} rose from {shown(start)} to {shown(peak.value)} at step {peak.step:g} and ended at {_level(points, end)}: "
        f"nothing was learnt{cold}"
    )
    return fired(
        "never-recovered",
        "div/lr-too-high",
        series,
        rise,
        claim,
        fixes=("lengthen-warmup", *_FIXES) if cold else _FIXES,
        numbers={"start": start, "peak": peak.value, "end": end},
        title="The loss blew up and only came back to where it began",
    )


def _stuck(series: Series, points: Sequence[Point], facts: Facts) -> Match | None:
    """Find a loss that blew up early and has not moved since, beside an evaluation that has not either and costs many times as much."""
    peak = max(points, key=lambda point: point.value)
    late = points[len(points) // 2 :]
    if len(points) < 2 * FEWEST or peak.step > points[len(points) // 3].step or peak.value < EXPLODED * points[0].value:
        return None
    for evaluation in of_role(facts, "eval_loss"):
        judged = finite(evaluation)
        after = judged[len(judged) // 2 :]
        if len(after) >= FEWEST and _still(late) and _still(after) and middle(after) >= EXPLODED * middle(late):
            claim = (
                f"{series.name} rose from {shown(points[0].value)} to {shown(peak.value)} at step {peak.step:g}, and has not moved from "
                f"{shown(middle(late))} since, where {evaluation.name} is {shown(middle(after))}"
            )
            return fired(
                "stuck-after-blow-up",
                "div/lr-too-high",
                series,
                peak,
                claim,
                fixes=_FIXES,
                numbers={"peak": peak.value, "end": middle(late), "judged": middle(after)},
                title="The loss blew up and nothing was learnt since",
            )
    return None


def _still(points: Sequence[Point]) -> bool:
    values = [point.value for point in points]
    return max(values) - min(values) <= STILL * abs(middle(points))


def _cold(facts: Facts, rise: Point, points: Sequence[Point]) -> str:
    """Say that the learning rate was at its full value from the first step on, where the loss rose in the first tenth."""
    rate = first_of(facts, "lr")
    known = finite(rate) if rate else []
    if len(known) < FEWEST or rise.step > points[len(points) // 10].step:
        return ""
    highest = max(point.value for point in known)
    full = highest > 0 and known[0].value >= WARM * highest
    return f"; the learning rate was at its full {highest:g} from the first step on" if full else ""


def _forgotten(series: Series, points: Sequence[Point], facts: Facts) -> Match | None:
    """Find a loss that had come down and went back up to about where it began, to stay."""
    if len(points) < 2 * FEWEST or points[0].value < LEAST_START:
        return None
    start, end, width = points[0].value, middle(tail(points, least=5)), max(5, len(points) // 20)
    levels = middles(points, width)
    best = min(range(len(levels)), key=lambda at: (levels[at], at))
    if levels[best] > LEARNT * start or end < max(SHAKEN * start, HIGHER * levels[best]):
        return None  # before the gradients of all ranks are looked at
    back, times = (SHAKEN, HIGHER) if _shaken(facts, points[best]) else (FORGOTTEN, DOUBLED)
    if end < max(back * start, times * levels[best]):
        return None
    risen = next((at for at in range(len(levels) - 1, -1, -1) if levels[at] < 0.5 * (levels[best] + end)), 0) + 1
    stretch = points[risen:]
    fallen = next((at for at, level in enumerate(levels) if level < 0.5 * (levels[best] + end)), 0)
    if sum(point.value >= end for point in points[fallen:risen]) > OFTEN * (risen - fallen):
        return None
    if len(stretch) < max(6, len(points) // 8) or _jump_back(points[min(best, len(points) // 2) :]):
        return None
    half = len(stretch) // 2
    if middle(stretch[half:]) < FALLING * middle(stretch[:half]):
        return None
    onset = stretch[0]
    rate = _rate_rise(facts, points[best].step)
    claim = (
        f"{series.name} had come down from {shown(start)} to a median of {shown(levels[best])} and is back at "
        f"{_level(points, end)} from step {onset.step:g} on{rate}"
    )
    return fired(
        "forgotten",
        "div/lr-too-high" if rate else "div/loss-spike-unrecovered",
        series,
        onset,
        claim,
        fixes=_FIXES,
        numbers={"start": start, "best": levels[best], "end": end},
        title="The loss went back to where it began",
    )


def _steeper(facts: Facts, best: Point) -> bool:
    """Tell whether the gradients are since the best loss many times what they were up to it."""
    for norm in of_role(facts, "grad_norm"):
        before = [point for point in finite(norm) if point.step <= best.step]
        after = [point for point in finite(norm) if point.step > best.step]
        if len(before) >= FEWEST and len(after) >= FEWEST and middle(after) >= EXPLODED * middle(before) > 0:
            return True
    return False


def _shaken(facts: Facts, best: Point) -> bool:
    """Tell whether the gradients were many times their usual size somewhere after the best loss."""
    norms = [finite(norm) for norm in of_role(facts, "grad_norm")]
    return any(
        len(points) >= FEWEST
        and max((point.value for point in points if point.step >= best.step), default=0.0) >= EXPLODED * middle(points)
        for points in norms
    )


def _jump_back(points: Sequence[Point]) -> bool:
    """Tell whether the steps begin again: another phase or fold began there."""
    return any(later.step < earlier.step for earlier, later in pairwise(points))


def _rate_rise(facts: Facts, best: float) -> str:
    """Say that the learning rate only went up after the best loss; nothing where it did not."""
    rate = first_of(facts, "lr")
    after = [point for point in finite(rate) if point.step >= best] if rate else []
    if len(after) < FEWEST or after[0].value <= 0 or after[-1].value < JUMP * after[0].value:
        return ""
    if any(later.value < earlier.value for earlier, later in pairwise(after)):
        return ""
    return f"; the learning rate went on rising meanwhile, from {after[0].value:g} to {after[-1].value:g}"


_MODES = ("div/loss-spike-unrecovered", "div/lr-too-high", "div/grad-norm-explosion")
DETECTORS = (
    Detector(
        id="divergence",
        modes=_MODES,
        find=find,
        remedies=lambda: dict.fromkeys(_MODES, (*_FIXES, "lengthen-warmup")),
        needs=lambda facts: (
            () if any(of_role(facts, "loss", "loss_part")) or any(_costs(facts)) else ("a loss series",)
        ),
    ),
)
