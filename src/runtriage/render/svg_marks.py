"""What happened along a curve: its spikes, restarts, the evaluations and the checkpoints, as small signs on the drawing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from msgspec import Struct

from runtriage.model.report import Report, SeriesSummary
from runtriage.render.svg_scale import Scale, number, whole

SPIKE: Final = 3.0
"""A value this many times the usual one on both sides is a spike that was over again."""
_ROUND: Final = 4
_FEWEST: Final = 12
_MOST: Final = 40
_JUDGED: Final = frozenset({"eval_loss", "eval_loss_part", "eval_metric"})
_SPIKY: Final = frozenset({"loss", "grad_norm"})
_WORDS: Final = {
    "spike": "spike",
    "restart": "steps begin again",
    "evaluation": "evaluation",
    "checkpoint": "checkpoint",
    "damaged": "damaged checkpoint",
    "resume": "last good checkpoint",
}
"""Every kind of sign, in the order of the legend, and what it is called."""


class Sign(Struct, frozen=True):
    """One sign: its place, and the words shown when it is pointed at."""

    kind: str
    x: float
    y: float
    text: str


def signs(item: SeriesSummary, report: Report, across: Scale, up: Scale) -> list[Sign]:
    """Return the signs of a drawing whose main curve is `item`; at most forty of a kind, the last ones."""
    found: dict[str, list[Sign]] = {}
    for sign in (*_spikes(item, across, up), *_restarts(item, across, up), *_saved(report, across, up)):
        found.setdefault(sign.kind, []).append(sign)
    if item.role not in _JUDGED:
        found["evaluation"] = list(_evaluations(report, across, up))
    return [sign for kind in _WORDS for sign in found.get(kind, ())[-_MOST:]]


def legend(shown: Sequence[Sign]) -> list[tuple[str, str]]:
    """Return the kinds that occur and what each is called."""
    kinds = {sign.kind for sign in shown}
    return [(kind, word) for kind, word in _WORDS.items() if kind in kinds]


def _spikes(item: SeriesSummary, across: Scale, up: Scale) -> Iterator[Sign]:
    points = [(step, value) for step, value in item.curve if value is not None and math.isfinite(step + value)]
    if item.role not in _SPIKY or len(points) < _FEWEST:
        return
    for at in range(_ROUND, len(points) - _ROUND):
        step, value = points[at]
        before = median(each for _, each in points[at - _ROUND : at])
        after = median(each for _, each in points[at + 1 : at + 1 + _ROUND])
        if value > SPIKE * max(before, after) > 0:
            yield Sign("spike", across.at(step), up.at(value), f"spike to {number(value)} at step {whole(step)}")


def _restarts(item: SeriesSummary, across: Scale, up: Scale) -> Iterator[Sign]:
    for (reached, _), (step, _) in pairwise(item.curve):
        if step < reached and math.isfinite(step) and math.isfinite(reached):
            yield Sign("restart", across.at(step), up.start, f"from step {whole(reached)} back to {whole(step)}")


def _evaluations(report: Report, across: Scale, up: Scale) -> Iterator[Sign]:
    steps = {step for item in report.metrics if item.role in _JUDGED for step, _ in item.curve}
    for step in sorted(steps):
        if across.low <= step <= across.high:
            yield Sign("evaluation", across.at(step), up.start, f"evaluation at step {whole(step)}")


def _saved(report: Report, across: Scale, up: Scale) -> Iterator[Sign]:
    for item in report.checkpoints:
        if item.step is not None and across.low <= item.step <= across.high:
            kind = "resume" if item.last_good else "damaged" if item.valid is False else "checkpoint"
            yield Sign(kind, across.at(item.step), up.start, f"{_WORDS[kind]} of step {item.step:,}")
