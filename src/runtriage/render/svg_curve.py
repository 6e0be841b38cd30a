"""Geometry of the annotated curves; the templates draw it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.report import Report, SeriesSummary
from runtriage.render.svg_marks import Sign, legend, signs
from runtriage.render.svg_scale import Scale, number, whole

WIDTH: Final = 420
HEIGHT: Final = 176
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 12, 22, 26
_CHARTS: Final = 6
_LINES: Final = 8
_BACKWARD: Final = 0.2
"""Steps that go back more often than in this part of the points are no axis; the points' order is then."""
_ORDERS: Final = 200
"""From this ratio of the largest to the smallest value on, a curve is drawn by order of magnitude."""

Point = tuple[float, float | None]


class Line(Struct, frozen=True):
    """One subject's curve: SVG path data, and its label when several are drawn together."""

    path: str
    label: str
    chosen: bool


class Mark(Struct, frozen=True):
    """A vertical line with words on one side of it; `anchor` is SVG's start or end."""

    x: float
    label_x: float
    anchor: str
    text: str
    kind: str


class Chart(Struct, frozen=True, kw_only=True):
    """One metric: lines, ranges without a finite value, marks and labels of the axes."""

    name: str
    note: str
    summary: str
    numbers: list[tuple[str, str]]
    lines: list[Line]
    gaps: list[tuple[float, float]]
    marks: list[Mark]
    signs: list[Sign]
    legend: list[tuple[str, str]]
    rows: list[tuple[float, str]]
    columns: list[tuple[float, str, str]]
    log: bool
    axis: str
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = HEIGHT - _BOTTOM
    width: int = WIDTH
    height: int = HEIGHT


def charts(report: Report) -> list[Chart]:
    """Return the metrics worth drawing, those the evidence cites first; series of one name share a drawing."""
    cited = [item.citation.series for item in report.evidence if item.citation.series]
    named: dict[str, list[SeriesSummary]] = {}
    for item in report.metrics:
        if len(_finite(item)) > 1:
            named.setdefault(item.name, []).append(item)
    jumping = {name for name, found in named.items() if any(map(_jumps, found))}
    order = sorted(named, key=lambda name: cited.index(name) if name in cited else len(cited))
    return [
        _chart(name, list(map(_counted, named[name])), report, "point")
        if name in jumping
        else _chart(name, named[name], report, "step")
        for name in order[:_CHARTS]
    ]


def _jumps(item: SeriesSummary) -> bool:
    steps = [step for step, _ in item.curve]
    return sum(after < before for before, after in pairwise(steps)) > max(2, _BACKWARD * len(steps))


def _counted(item: SeriesSummary) -> SeriesSummary:
    return replace(item, curve=[(float(n), value) for n, (_, value) in enumerate(item.curve, 1)])


def _finite(item: SeriesSummary) -> list[tuple[float, float]]:
    return [
        (step, value)
        for step, value in item.curve
        if value is not None and math.isfinite(value) and math.isfinite(step) and abs(value) < 1e300
    ]


def _chart(name: str, series: list[SeriesSummary], report: Report, axis: str) -> Chart:
    rank = report.culprit.rank
    shown = sorted(series, key=lambda item: item.rank != rank or rank is None)[:_LINES]
    steps = [step for item in shown for step, _ in item.curve if math.isfinite(step)]
    values = [value for item in shown for _, value in _finite(item)]
    across = Scale(min(steps), max(steps), _LEFT, WIDTH - _RIGHT)
    up = _vertical(values)
    first = shown[0]
    placed = signs(first, report, across, up) if axis == "step" else []
    return Chart(
        name=name,
        note=_note(series, shown),
        summary=f"from {number(first.first)} to {number(first.last)}",
        numbers=[
            ("first", number(first.first)),
            ("last", number(first.last)),
            ("lowest", number(first.minimum)),
            ("highest", number(first.maximum)),
        ],
        lines=[_line(item, across, up, item is first or len(shown) == 1) for item in reversed(shown)],
        gaps=[gap for item in shown for gap in _gaps(item.curve, across)],
        marks=_marks(name, report, across) if axis == "step" else [],
        signs=placed,
        legend=legend(placed),
        rows=[(up.at(value), number(value)) for value in dict.fromkeys((up.high, up.middle(), up.low))],
        columns=[
            (float(_LEFT), whole(across.low), "start"),
            (float(WIDTH - _RIGHT), whole(across.high), "end"),
        ],
        log=up.log,
        axis=axis,
    )


def _note(series: Sequence[SeriesSummary], shown: Sequence[SeriesSummary]) -> str:
    left = len(series) - len(shown)
    points = sum(item.total for item in series)
    broken = sum(item.nonfinite for item in series)
    who = f"rank {shown[0].rank}, " if shown[0].rank is not None else ""
    parts = [f"{who}{points:,} points"]
    parts += [f"{broken:,} not finite"] if broken else []
    parts += [f"{left} more series not drawn"] if left else []
    return " · ".join(parts)


def _vertical(values: list[float]) -> Scale:
    low, high = min(values), max(values)
    if low > 0 and high / low >= _ORDERS:
        return Scale(low, high, HEIGHT - _BOTTOM, _TOP, log=True)
    if low == high:
        room = abs(low) * 0.1 or 1.0
        low, high = low - room, high + room
    return Scale(low, high, HEIGHT - _BOTTOM, _TOP)


def _line(item: SeriesSummary, across: Scale, up: Scale, chosen: bool) -> Line:
    """Draw a new stroke after a value that is not finite, where a restart goes back, and for each value more at one step."""
    strokes: dict[int, list[str]] = {}
    open_at: dict[int, float] = {}
    nth, before = 0, math.nan
    finite = set(_finite(item))
    for step, value in item.curve:
        if value is None or (step, value) not in finite:
            open_at.clear()
            continue
        nth = nth + 1 if step == before else 0
        before = step
        letter = "L" if open_at.get(nth, math.inf) <= step else "M"
        strokes.setdefault(nth, []).append(f"{letter}{across.at(step):g} {up.at(value):g}")
        open_at[nth] = step
    label = f"rank {item.rank}" if item.rank is not None else item.artifact
    return Line(" ".join(part for stroke in strokes.values() for part in stroke), label, chosen)


def _gaps(curve: Sequence[Point], across: Scale) -> list[tuple[float, float]]:
    """Return where values are not finite, as (place, width) from the first such step to the last of a stretch."""
    found: list[tuple[float, float]] = []
    start: float | None = None
    last = 0.0
    for step, value in [*curve, (math.inf, 0.0)]:
        if value is None and math.isfinite(step):
            start, last = (step if start is None else start), step
        elif start is not None:
            found.append((across.at(start), round(max(across.at(last) - across.at(start), 2.0), 1)))
            start = None
    return found


def _marks(name: str, report: Report, across: Scale) -> list[Mark]:
    for item in report.evidence:
        place = item.citation
        if place.series == name and place.first_step is not None and math.isfinite(place.first_step):
            kind = "failure" if item.role == "root" else "effect"
            return [_mark(place.first_step, f"step {whole(place.first_step)}", kind, across)]
    last = report.last_progress.step
    if last is not None and report.primary_cause is not None and across.low <= last <= across.high:
        return [_mark(float(last), f"last step {last:,}", "failure", across)]
    return []


def _mark(step: float, text: str, kind: str, across: Scale) -> Mark:
    x = across.at(step)
    late = x > (_LEFT + WIDTH - _RIGHT) / 2
    return Mark(x, x + (-5 if late else 5), "end" if late else "start", text, kind)
