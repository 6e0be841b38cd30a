"""Books the metric lines of a block under who printed them and in which attempt."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from runtriage.model.subject import Subject
from runtriage.scan.fold import Speaking
from runtriage.scan.result import Part
from runtriage.scan.table import Column, Table
from runtriage.scan.thin import Thin, start_shift
from runtriage.scan.track import NOWHERE, Reach

_SERIES: Final = 4096


class StepsAt(Struct):
    """Which step everyone had reached where, in one block and attempt."""

    part: Part
    tables: dict[Subject, Table]
    low: dict[Subject, int]
    """The first row of each subject that belongs to the attempt."""
    carried: dict[Subject, tuple[int | None, Reach]]
    """The last own step before the block, and how far the subject had come then."""
    own: dict[Subject, Sequence[int]] = field(default_factory=dict[Subject, Sequence[int]])

    def step(self, subject: Subject, at: int) -> tuple[int | None, Reach, Reach]:
        """Return the last step before a position, and how far the subject and the lines nobody signed had come.

        Where the subject printed no step, the last one nobody signed counts.
        """
        own, reach = self._last(subject, at)
        loose, nobody = self._last(Subject(attempt=subject.attempt), at)
        return own if own is not None else loose, reach, nobody

    def _last(self, who: Subject, at: int) -> tuple[int | None, Reach]:
        carried, reach = self.carried.get(who, (None, NOWHERE))
        rows = self.tables.get(who)
        if rows is None:
            return carried, reach
        own, before = self.own_rows(who, rows), rows.before(at)
        last = bisect_left(own, before) - 1
        step = rows.said(own[last]).step if last >= 0 else carried
        return step, rows.reach(self.low.get(who, 0), before, reach)

    def own_rows(self, subject: Subject, rows: Table) -> Sequence[int]:
        """Return the rows that print a step of the run's own."""
        own = self.own.get(subject)
        if own is None:
            stepped = rows.stepped[bisect_left(rows.stepped, self.low.get(subject, 0)) :]
            own = self.own[subject] = self.part.progress_of(subject).track.follow(rows, stepped)
        return own


class Ledger:
    """The metric lines of the present block, and how many of them are booked."""

    def __init__(self, part: Part, size: int | None) -> None:
        self._part = part
        self._shift = start_shift(size)
        self._taken: dict[Subject, int] = {}
        self._columns: dict[Subject, Mapping[str, Column]] = {}
        self.steps = StepsAt(part, {}, {}, {})

    def open(self, tables: dict[Subject, Table]) -> None:
        """Begin a block."""
        self._taken, self._columns = {}, {}
        marks = len(self._part.marks)
        carried = {
            who: (steps.last_step, steps.reach()) for (who, mark), steps in self._part.steps.items() if mark == marks
        }
        self.steps = StepsAt(self._part, tables, {}, carried)

    def attempt(self) -> None:
        """Begin an attempt within the block; what came before must be booked, and its mark must be set."""
        for subject in self.steps.own:
            before = self._part.steps.get(Speaking(subject, len(self._part.marks) - 1))
            if before is not None:
                before.track.rewind()
        self.steps = StepsAt(self._part, self.steps.tables, dict(self._taken), {})

    def book(self, until: int) -> None:
        """Book the lines before a position under the present attempt."""
        marks = len(self._part.marks)
        for subject, rows in self.steps.tables.items():
            low, high = self._taken.get(subject, 0), rows.before(until)
            if low == high:
                continue
            own = self.steps.own_rows(subject, rows)
            steps = self._part.progress_of(subject)
            steps.extend(rows, low, high, own[: bisect_left(own, high)])
            self._part.unsettled.append(steps)
            self._taken[subject] = high
            self._book_numbers(subject, marks, rows, low, high)

    def _book_numbers(self, subject: Subject, marks: int, rows: Table, low: int, high: int) -> None:
        columns = self._columns.get(subject)
        if columns is None:
            columns = self._columns[subject] = rows.columns()
        speaking = Speaking(subject, marks)
        for name, column in columns.items():
            thin = self._part.series.get((speaking, name))
            if thin is None and (first := column.first(low, high)) is not None:
                thin = self._thin(speaking, name, rows, first)
            if thin is not None:
                column.feed(thin, low, high)

    def _thin(self, speaking: Speaking, name: str, rows: Table, first: int) -> Thin | None:
        """Begin a series, unless there are too many."""
        if len(self._part.series) >= _SERIES:
            return None
        place = next((at for at, (each, _) in enumerate(rows.said(first).values) if each == name), 0)
        thin = self._part.series[speaking, name] = Thin(name, self._shift, place=place)
        return thin
