"""A reward that fell back to where it began after the policy stopped exploring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from runtriage.detect.curve import cite, finite, fired, first_of, head, middle, middles, of_role, tail
from runtriage.detect.engine import Detector
from runtriage.detect.settings import explained
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred
from runtriage.model.series import Point, Series

FEWEST = 16
LOST = 0.3
"""End over best reward; noisy healthy runs lose half of it between neighbours, not two thirds for a third of the run."""
NO_ENTROPY, GONE = 1e-3, 0.05
"""An entropy that is nothing, and the part of what it was at first that is as good as nothing."""
RISEN, NOISE = 0.25, 4.0
"""By how much of its range a reward must first have risen, and how many times what it differs from one value to the next it must have lost."""
TURN, LEAST_KL, FAR, FAR_KL = 3, 5, 30.0, 0.3
"""Rewards around the turn, divergences before it, and how far a policy moves at once that leaves where it was: many times the usual one, and
far above the 0.01 to 0.05 at which implementations stop an update."""
LEFT, FEWER = 10.0, 4.0
"""Divergence from the reference, in nats of a whole answer, at which none of its ways is left (usual targets are 0.1 to 6), and how many times
as many answers, or parts of them, were told apart at first."""
_ANSWERS = deferred(r"uniq|distinct|divers|n_?modes")
_FIXES = ("lower-learning-rate", "return-to-earlier-checkpoint", "raise-entropy-bonus")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for a reward that was lost when the entropy is gone too, or that fell back to where it began by far more than its noise."""
    entropy = first_of(facts, "entropy")
    gone = _gone(finite(entropy)) if entropy is not None else None
    for series in of_role(facts, "reward"):
        points = finite(series)
        if len(points) < FEWEST:
            continue
        best = max(points, key=lambda point: point.value)
        lost = max(point.value for point in tail(points, 0.3)) <= LOST * best.value and best.value > 0
        if not (lost and gone is not None) and not _fell_back(points):
            continue
        above = points[0].value + 0.5 * (best.value - points[0].value)
        last_good = [point for point in points if point.value >= above][-1]
        claim = f"{series.name} fell from {best.value:g} to {points[-1].value:g} after step {last_good.step:g} and stayed there"
        fell = fired(
            "policy-collapse",
            "div/rl-policy-collapse",
            series,
            last_good,
            claim,
            fixes=_FIXES,
            numbers={"best": best.value, "end": points[-1].value},
            also=[] if entropy is None or gone is None else [_no_exploring(entropy, gone)],
            title="The policy collapsed",
        )
        yield explained(_led_by_step(fell, points, last_good, facts), facts)
        return
    if entropy is not None and (left := _left_reference(entropy, facts)) is not None:
        yield explained(left, facts)


def _left_reference(entropy: Series, facts: Facts) -> Match | None:
    """Find a policy that is far from its reference and says a few things only, however its reward does: what rewards it was exploited."""
    gone = _gone(finite(entropy), 0.1)
    if gone is None:
        return None
    for far in of_role(facts, "kl", "approx_kl"):
        moved = finite(far)
        if len(moved) < FEWEST or middle(tail(moved)) < LEFT:
            continue
        for few in facts.series:
            told = finite(few) if _ANSWERS.search(few.name.lower()) else []
            if len(told) < FEWEST or max(point.value for point in tail(told)) * FEWER > told[0].value:
                continue
            claim = (
                f"{entropy.name} fell to {gone.value:g} by step {gone.step:g} for good while {few.name} went from {told[0].value:g} to "
                f"{told[-1].value:g} and {far.name} rose to {moved[-1].value:g}: the policy gives a few answers to everything"
            )
            return fired(
                "policy-left-reference",
                "div/rl-policy-collapse",
                entropy,
                gone,
                claim,
                fixes=_FIXES,
                numbers={"kl": moved[-1].value, "answers": told[-1].value},
                also=[
                    Evidence(claim=f"{far.name} is {moved[-1].value:g}", citation=cite(far, moved[-1])),
                    Evidence(claim=f"{few.name} is {told[-1].value:g}", citation=cite(few, told[-1])),
                ],
                title="The policy left its reference and gives a few answers only",
            )
    return None


def _led_by_step(fell: Match, points: Sequence[Point], last_good: Point, facts: Facts) -> Match:
    """Return a match that cites first where the policy moved by far more than ever at once, if that is where the reward began to fall."""
    at = points.index(last_good)
    until = points[min(at + TURN, len(points) - 1)]
    for series in of_role(facts, "kl", "approx_kl"):
        moved = finite(series)
        before = sorted(abs(point.value) for point in moved if point.line < points[max(at - TURN, 0)].line)
        if len(before) < LEAST_KL:
            continue
        far = max(FAR * before[len(before) // 2], FAR_KL)
        jump = next(
            (p for p in moved if points[max(at - TURN, 0)].line <= p.line <= until.line and abs(p.value) >= far), None
        )
        if jump is not None:
            claim = f"{series.name} is {jump.value:g} at step {jump.step:g}, where {before[len(before) // 2]:g} was usual, and {fell.evidence[0].claim}"
            return replace(fell, evidence=(Evidence(claim=claim, citation=cite(series, jump)), *fell.evidence))
    return fell


def _gone(points: Sequence[Point], end: float = 0.3) -> Point | None:
    """Return where an entropy became nothing, or as good as nothing beside what it was; None where it did not stay so."""
    if not points:
        return None
    least = max(NO_ENTROPY, GONE * points[0].value)
    if middle(tail(points, end)) > least:
        return None
    return next((point for point in points if point.value < least), points[-1])


def _fell_back(points: Sequence[Point]) -> bool:
    """Tell whether a reward that had risen is back where it began for the last third, by far more than it moves from one value to the next."""
    third, width = len(points) // 3, max(3, len(points) // 10)
    levels = middles(points, width)
    start, best, end = middle(head(points, 0.1)), max(levels), middle(points[-third:])
    span = best - min(start, end)
    steps = sorted(abs(later.value - earlier.value) for earlier, later in pairwise(points))
    usual = steps[len(steps) // 2]
    stays = max(levels[len(levels) - third :]) <= start + LOST * (best - start)
    return stays and best - start >= RISEN * span > 0 and best - end >= NOISE * usual


def _no_exploring(entropy: Series, gone: Point) -> Evidence:
    at = f"{entropy.name} is {gone.value:g} at step {gone.step:g}"
    return Evidence(claim=f"{at} and does not come back", citation=cite(entropy, gone))


DETECTORS = (
    Detector(
        id="policy-collapse",
        modes=("div/rl-policy-collapse",),
        find=find,
        remedies=lambda: {"div/rl-policy-collapse": _FIXES},
    ),
)
