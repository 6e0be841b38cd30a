"""Gradients that grew by orders of magnitude before the loss showed anything of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from runtriage.detect.curve import cite, finite, fired, middle, of_role, shown, tail
from runtriage.detect.divergence import rate_jump
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.series import Point, Series

GROWN = 10.0
"""End over usual norm: the factor at which Megatron's rerun machine calls a spike."""
ABOVE = 3.0
"""Over the usual norm from here on: where the rise is counted from."""
ALONE = 100.0
"""The same where the loss shows nothing and the log just ends: published spikes of single gradients reach a thousand and go back."""
FEWEST, STAYS = 8, 4
"""Norms in all, and at the end of the log above `ABOVE`, before a rise counts that no loss confirms."""
RISEN, BEGUN, WORSE = 3.0, 1.2, 1.1
"""The loss at its end over its best and over its start, from where it counts as gone; and over its level before the rise, from where it is worse."""
_MODE = "div/grad-norm-explosion"
_FIXES = ("clip-gradients", "lower-learning-rate", "return-to-earlier-checkpoint")


class _End(Struct, frozen=True):
    """What the rise led to: in words, where, and whether that is a failure of its own that the rise only preceded."""

    words: str
    point: Point | None = None
    series: Series | None = None
    nonfinite: bool = False


class _Rise(Struct, frozen=True):
    usual: float
    onset: Point
    first: Point
    last: Point

    @property
    def times(self) -> float:
        return self.last.value / self.usual


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each rank whose gradient norm went up without return, to where its loss broke or the log ends."""
    for norm in of_role(facts, "grad_norm"):
        losses = [series for series in of_role(facts, "loss") if series.subject.rank == norm.subject.rank]
        end = _broken(norm, losses) or _risen(losses) or _End("the log ends")
        points = finite(norm)
        if end.nonfinite and end.point is not None:
            points = [point for point in points if point.step <= end.point.step]
        rise = _rise(points, confirmed=end.point is not None)
        if rise is not None and (end.point is not None or not _still_falls(losses, rise)):
            yield _match(norm, rise, end, facts)


def _broken(norm: Series, losses: Sequence[Series]) -> _End | None:
    """Return where the loss, or else the norm itself, became non-finite for good."""
    for series in (*losses, norm):
        first = series.first_nonfinite
        if first is not None and series.points and not math.isfinite(series.points[-1].value):
            word = "NaN" if math.isnan(first.value) else "infinite"
            return _End(f"{series.name} became {word} at step {first.step:g}", first, series, nonfinite=True)
    return None


def _risen(losses: Sequence[Series]) -> _End | None:
    """Return where the loss left its range for good."""
    for series in losses:
        points = finite(series)
        if len(points) < 3 or points[0].value <= 0:
            continue
        best, last = min(points, key=lambda point: point.value), points[-1]
        end = min(point.value for point in tail(points, least=2))
        if best.value > 0 and end >= RISEN * best.value and end >= BEGUN * points[0].value:
            left = next(point for point in reversed(points) if point.value < RISEN * best.value or point is points[0])
            return _End(
                f"{series.name} went from {shown(left.value)} at step {left.step:g} to {shown(last.value)}",
                left,
                series,
            )
    return None


def _rise(points: Sequence[Point], *, confirmed: bool) -> _Rise | None:
    """Return the stretch at the end in which the norm stays above its usual level, where it ends far above it."""
    if len(points) < (3 if confirmed else FEWEST) or points[0].value <= 0:
        return None
    begin = len(points)
    usual = middle(points[: max(len(points) // 2, 1)])
    if len(points) < FEWEST:
        usual = points[0].value
    if usual <= 0:
        return None
    while begin > 1 and points[begin - 1].value > ABOVE * usual:
        begin -= 1
    stretch = points[begin:]
    if not stretch or (not confirmed and len(stretch) < STAYS):
        return None
    top = stretch[-1] if not confirmed else max(stretch, key=lambda point: point.value)
    rise = _Rise(usual, points[begin - 1], stretch[0], top)
    return rise if rise.times >= (GROWN if confirmed else ALONE) else None


def _still_falls(losses: Sequence[Series], rise: _Rise) -> bool:
    """Tell whether the loss is no worse after the rise than before: then large norms are how this model trains."""
    for series in losses:
        points = finite(series)
        before = [point for point in points if point.step <= rise.onset.step]
        after = [point for point in points if point.step > rise.onset.step]
        if before and after and middle(tail(after)) <= WORSE * middle(tail(before)):
            return True
    return False


def _times(rise: _Rise) -> str:
    return f"{rise.times:,.0f}" if rise.times < 1e6 else f"{rise.times:.2g}"


def _match(norm: Series, rise: _Rise, end: _End, facts: Facts) -> Match:
    steps = rise.last.step - rise.onset.step
    claim = (
        f"{norm.name} grew {_times(rise)}-fold over {steps:,.0f} steps, from a median of {shown(rise.usual)} to {shown(rise.last.value)} at step "
        f"{rise.last.step:g}, before {end.words}{rate_jump(facts, rise.first)}"
    )
    also = [
        Evidence(
            claim=f"{norm.name} is {shown(rise.last.value)} at step {rise.last.step:g}", citation=cite(norm, rise.last)
        )
    ]
    if end.point is not None and end.series is not None and end.series is not norm:
        also.append(Evidence(claim=f"then {end.words}", citation=cite(end.series, end.point)))
    found = fired(
        "gradient-explosion",
        _MODE,
        norm,
        rise.first,
        claim,
        fixes=_FIXES,
        numbers={
            "usual": rise.usual,
            "last": rise.last.value,
            "times": rise.times,
            "steps": steps,
            "from_step": rise.onset.step,
            "to_step": rise.last.step,
        },
        also=also,
        title="The gradients exploded",
    )
    return _symptom(found) if end.nonfinite else found


def _symptom(found: Match) -> Match:
    """Return the same as what led to a non-finite value, which is named first."""
    return replace(found, role="symptom")


DETECTORS = (
    Detector(
        id="gradient-explosion",
        modes=(_MODE,),
        find=find,
        remedies=lambda: {_MODE: _FIXES},
        needs=lambda facts: () if any(of_role(facts, "grad_norm")) else ("a series of the gradient norm",),
    ),
)
