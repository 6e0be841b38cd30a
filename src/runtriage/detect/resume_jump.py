"""A loss that is far higher since the run was resumed, and stays so: it goes on with another learning rate, or without its optimizer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from runtriage.detect.claims import evidence
from runtriage.detect.curve import finite, fired, middle, ordinary, shown
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import CHECKPOINT, FINISH, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.naming import plain_name
from runtriage.model.place import line_of
from runtriage.model.series import Point, Series

FEWEST, NEAR = 8, 5
"""Values since the resumption, and before it, that are looked at."""
HIGHER, BACK = 1.3, 1.15
"""How many times as high the loss is for good, and what its lowest value since then stays above."""
JUMP = 3.0
"""How many times as high a learning rate is, that explains it."""
CONTINUES, BEYOND = 0.5, 1.3
"""Where the steps go on, as parts of the last one."""
_RATE, _STATE = "div/no-warmup-or-resume-lr-jump", "div/optimizer-state-lost"
_FIXES = ("restore-scheduler-state", "lower-learning-rate", "return-to-earlier-checkpoint")


class _Turn(Struct, frozen=True):
    """A series since it was resumed, and what it was like before."""

    series: Series
    before: Sequence[Point]
    since: Sequence[Point]
    before_in: str


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first resumption that made the loss higher for good."""
    for turn in _turns(facts):
        level = middle(turn.before[-NEAR:])
        late = middle(turn.since[len(turn.since) // 2 :])
        if len(turn.since) < FEWEST or len(turn.before) < NEAR or level <= 0:
            continue
        if (
            late < HIGHER * level
            or min(point.value for point in turn.since) < BACK * level
            or not _was_low(turn.before, level)
        ):
            continue
        jump, loaded = _rate_jump(facts, turn), _loaded(facts, turn)
        if not _was_complete(facts, turn) and (jump or loaded is not None):
            yield _match(turn, level, late, jump, loaded)
            return


def _was_low(before: Sequence[Point], level: float) -> bool:
    """Tell whether something had been learnt that could be lost."""
    return level <= 0.8 * max(point.value for point in before)


def _was_complete(facts: Facts, turn: _Turn) -> bool:
    """Tell whether the training before had come to its end: what goes on from there is another one, on other data or with another aim."""
    last, first = turn.before[-1].line, turn.since[0].line
    until = first if last < first and turn.before_in == turn.series.artifact else math.inf
    return any(
        event.kind == FINISH and event.citation.artifact == turn.before_in and last <= line_of(event.citation) < until
        for event in facts.events
    )


def _turns(facts: Facts) -> Iterator[_Turn]:
    losses = [series for series in facts.series if series.role == "loss" and ordinary(series) and series.points]
    for series in losses:
        points = finite(series)
        back = next(
            (at for at, (one, two) in enumerate(pairwise(points), 1) if CONTINUES * one.step <= two.step < one.step), 0
        )
        if back:
            yield _Turn(series, points[:back], points[back:], series.artifact)
    spans = [(series, plain_name(series.name), _span(points)) for series in losses if (points := finite(series))]
    for one, name, first in spans:
        for two, other, second in spans if first.values >= FEWEST else ():
            if _goes_on(first, second) and name == other and one.artifact != two.artifact:
                yield _Turn(two, finite(one), finite(two), one.artifact)


class _Span(NamedTuple):
    """How many values a series has, and the steps of its first, its third and its last: a job may have thousands of them."""

    values: int
    first: float
    third: float
    last: float


def _span(points: Sequence[Point]) -> _Span:
    return _Span(len(points), points[0].step, points[min(2, len(points) - 1)].step, points[-1].step)


def _goes_on(one: _Span, two: _Span) -> bool:
    """Tell whether the steps of the second series begin near where those of the first end, and go on from there."""
    return one.third < two.first and CONTINUES * one.last <= two.first <= BEYOND * one.last and two.last > one.last


def _rate_jump(facts: Facts, turn: _Turn) -> str:
    """Say how much higher the learning rate is since then; nothing where it is not."""
    rates = [finite(series) for series in facts.series if series.role == "lr"]
    old, new = _printed_with(rates, turn.before[-1]), _printed_with(rates, turn.since[0])
    if old is None or new is None or new < JUMP * old or old <= 0:
        return ""
    return f", and the learning rate {new:g} instead of {old:g}"


def _printed_with(rates: Sequence[Sequence[Point]], place: Point) -> float | None:
    """Return the learning rate that stands on the line of a loss, for its step."""
    there = (p.value for points in rates for p in points if (p.line, p.step) == (place.line, place.step))
    return next(there, None)


def _loaded(facts: Facts, turn: _Turn) -> Event | None:
    """Return the line that tells of the checkpoint from which the run went on."""
    first = turn.since[0].line
    after = turn.before[-1].line if turn.before[-1].line < first else 0
    told = [
        event
        for event in facts.events
        if event.kind == CHECKPOINT
        and event.name in ("loaded", "loading")
        and event.citation.artifact == turn.series.artifact
        and after < line_of(event.citation) < first
    ]
    return told[0] if told else None


def _match(turn: _Turn, level: float, late: float, jump: str, loaded: Event | None) -> Match:
    first = turn.since[0]
    claim = (
        f"{turn.series.name} was {shown(level)} before the run was resumed and is {shown(first.value)} at step {first.step:g}, then "
        f"{shown(late)} for good{jump}"
    )
    match = fired(
        "resume-jump",
        _RATE if jump else _STATE,
        turn.series,
        first,
        claim,
        fixes=_FIXES,
        numbers={"before": level, "since": late},
        title="The run was resumed with another state of training than it was left with",
    )
    return match if loaded is None else replace(match, evidence=(evidence(loaded, claim), *match.evidence))


DETECTORS = (
    Detector(id="resume-jump", modes=(_RATE, _STATE), find=find, remedies=lambda: {_RATE: _FIXES, _STATE: _FIXES}),
)
