"""Geometry of the timeline of a failure, ranks by order or time; the templates draw it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from runtriage.model.report import Report
from runtriage.render.svg_events import Happening, happenings

_ROW: Final = 26
_TOP: Final = 30
_LABEL: Final = 104
_PITCH: Final = 46
_WIDEST_GAP: Final = 60
_SINGLE: Final = 16
"""Up to so many ranks each have a row of their own; beyond, neighbours that tell the same share one."""
_ROWS: Final = 40


class Dot(Struct, frozen=True):
    """What one row says of one happening."""

    x: float
    number: str
    kind: str


class Row(Struct, frozen=True):
    """One rank, several that tell the same, or the job as a whole; the line is solid until `until`."""

    label: str
    y: float
    until: float
    dots: list[Dot]
    first: bool


class Timeline(Struct, frozen=True, kw_only=True):
    """The drawing and the numbered list that goes with it."""

    events: list[Happening]
    rows: list[Row]
    columns: list[tuple[float, str]]
    end: Dot
    end_text: str
    note: str
    more_rows: int
    width: float
    height: float
    start: int = _LABEL


def timeline(report: Report) -> Timeline | None:
    """Return who failed first and what came of it; None for a run in which nothing failed."""
    events, note, timed = happenings(report)
    if not events:
        return None
    places = _places(events, timed)
    groups = _groups(events)
    rows = [_row(group, index, events, places) for index, group in enumerate(groups[:_ROWS])]
    end = places[-1] + _PITCH
    return Timeline(
        events=events,
        rows=rows,
        columns=[(x, item.clock or "") for x, item in zip(places, events, strict=True)],
        end=Dot(end, "", "good" if report.run_status in ("recovered", "completed") else "bad"),
        end_text=report.run_status,
        note=note,
        more_rows=len(groups) - len(rows),
        width=end + 44,
        height=_TOP + len(rows) * _ROW + 28,
    )


def _places(events: Sequence[Happening], timed: bool) -> list[float]:
    """Place the events in order; with times, a longer wait takes more room, by order of magnitude."""
    x = _LABEL + 34.0
    found = [x]
    for before, here in pairwise(events):
        x += _PITCH
        if timed and before.second is not None and here.second is not None:
            x += min(_WIDEST_GAP, 20 * math.log10(1 + max(here.second - before.second, 0.0)))
        found.append(round(x, 1))
    return found


def _groups(events: Sequence[Happening]) -> list[tuple[str, list[int]]]:
    """Return label and numbers of the events of each row, the ranks in order and the job as a whole last."""
    of_rank: dict[int, list[int]] = {}
    for number, item in enumerate(events):
        for rank in item.ranks:
            of_rank.setdefault(rank, []).append(number)
    ranks = sorted(of_rank)
    runs: list[list[int]] = []
    for rank in ranks:
        joined = len(ranks) > _SINGLE and runs and runs[-1][-1] == rank - 1 and of_rank[rank] == of_rank[rank - 1]
        if joined:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    groups = [(_ranks(run), of_rank[run[0]]) for run in runs]
    whole = [number for number, item in enumerate(events) if not item.ranks]
    return [*groups, ("job", whole)] if whole else groups


def _ranks(run: Sequence[int]) -> str:
    return f"rank {run[0]}" if len(run) == 1 else f"ranks {run[0]} to {run[-1]}"


def _row(group: tuple[str, list[int]], index: int, events: Sequence[Happening], places: Sequence[float]) -> Row:
    label, numbers = group
    return Row(
        label=label,
        y=_TOP + index * _ROW + _ROW / 2,
        until=places[numbers[0]],
        dots=[Dot(places[number], str(number + 1), events[number].kind) for number in numbers],
        first=0 in numbers and events[0].kind == "root",
    )
