"""A loss scale that fell to its floor and stayed: float16 gradients overflow whatever the scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from runtriage.detect.claims import match_of
from runtriage.detect.curve import finite, fired, of_role
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import SIGNATURE
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.place import line_of
from runtriage.model.series import Point

_MODE = "nan/fp16-scale-floor"
FLOOR = 1.0
"""Smallest scale of DeepSpeed's and Megatron's dynamic scalers; below it nothing is left to halve."""
START = 1024.0
"""A scale that comes from here or above found no level on its way down."""
HELD = 3
"""Steps skipped with nothing left to halve: one bad batch is no more than one of them."""
_AT_FLOOR = "nan/fp16-overflow-skip.at-floor"
_FIXES = ("use-bfloat16", "lower-learning-rate", "clip-gradients")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each scale that went down to the floor without a rise and ended there."""
    for series in of_role(facts, "loss_scale"):
        fall = _fall([point for point in finite(series) if point.value > 0])
        if fall is None:
            continue
        first, last = fall
        claim = (
            f"{series.name} fell from {first.value:g} at step {first.step:g} to {last.value:g} at step {last.step:g} "
            "and never rose again"
        )
        yield fired(
            "loss-scale-floor",
            _MODE,
            series,
            last,
            claim,
            fixes=_FIXES,
            numbers={"from": first.value, "to": last.value},
            title="The loss scale fell to its floor",
        )
    yield from _held(facts)


def _held(facts: Facts) -> Iterator[Match]:
    """Yield a match for steps that were skipped again and again at the floor, up to the last that the log shows."""
    for event in facts.events:
        if event.kind != SIGNATURE or not event.name.startswith(_AT_FLOOR) or event.count < HELD:
            continue
        end = line_of(event.last or event.citation)
        made = [entry.last_progress for entry in facts.progress if entry.artifact == event.citation.artifact]
        if all(line_of(each) <= end for each in made):
            yield match_of(
                event,
                f"the loss scale is at its floor and {event.count} steps were skipped there, up to the last",
                rule="log/loss-scale-held",
                mode=_MODE,
                role="cause",
                tier="metric",
                title="The loss scale is at its floor and every step is skipped",
                fixes=_FIXES,
            )


def _fall(points: Sequence[Point]) -> tuple[Point, Point] | None:
    """Return where the last fall began and where it reached the floor, None where it did not end there."""
    if len(points) < 3 or points[-1].value > FLOOR:
        return None
    begin = len(points) - 1
    while begin > 0 and points[begin - 1].value >= points[begin].value:
        begin -= 1
    down = points[begin:]
    lower = sum(later.value < earlier.value for earlier, later in pairwise(down))
    if down[0].value < START or lower < 3:
        return None
    return down[0], next(point for point in down if point.value <= FLOOR)


def _told(facts: Facts) -> bool:
    return any(of_role(facts, "loss_scale")) or any(event.name.startswith(_AT_FLOOR) for event in facts.events)


DETECTORS = (
    Detector(
        id="loss-scale",
        modes=(_MODE,),
        find=find,
        remedies=lambda: {_MODE: _FIXES},
        needs=lambda facts: () if _told(facts) else ("a series of the loss scale",),
    ),
)
