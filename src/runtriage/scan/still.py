"""The end of a subject's progress: how long the same step was printed again and again, by any clock that the lines show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.facts import Standing
from runtriage.model.pattern import deferred
from runtriage.model.time import Instant
from runtriage.scan.contract import MetricLine
from runtriage.scan.table import Table

SINCE_START: Final = "elapsed"
"""Clock of times that count from where a bar or run began."""
_ELAPSED = deferred(
    rb"\[(?:(?P<hours>\d{1,4}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d\d)<"
    rb"|\belapsed(?:[_ ](?:time|s|sec|seconds))?[\"']?\s{0,2}[=:]?\s{0,4}(?:(?P<h>\d{1,4}):)?(?P<m>\d{1,2}):(?P<s>\d\d)(?![\d:])"
    rb"|\belapsed(?:[_ ](?:time|s|sec|seconds))?[\"']?\s{0,2}[=:]?\s{0,4}(?P<plain>\d{1,9}(?:\.\d{1,9})?)\s?(?:s|sec|seconds)?(?![\w.:])"
    rb"|^\s{0,8}\[?\s{0,8}(?P<front>\d{1,9}(?:\.\d{1,9})?)\s?s(?:ec)?\]?(?=[\s|:])|^\[\s{0,8}(?P<boxed>\d{1,9}\.\d{1,9})\](?=\s)",
    re.IGNORECASE,
)
_WINDOW: Final = 400


class Still(Struct, frozen=True):
    """A step, its planned last one, and the lines at the end that print it; `since` and `until` are the times of the first and last."""

    step: int | None
    total: int | None
    lines: int
    since: Instant | None
    until: Instant | None

    def joined(self, later: Still, *, whole: bool) -> Still:
        """Return what both say; `whole` tells that the later one goes back to where it began to read."""
        if not whole or (later.step, later.total) != (self.step, self.total):
            return later
        return replace(later, lines=self.lines + later.lines, since=self.since)

    def standing(self) -> Standing | None:
        """Return the value other stages see: nothing for a step that was printed once, or that was the planned end."""
        if self.step is None or self.lines < 2 or (self.total is not None and self.step >= self.total):
            return None
        if self.since is None or self.until is None or self.since.clock != self.until.clock:
            return None
        return Standing(step=self.step, lines=self.lines, since=self.since, until=self.until)


def last_stand(rows: Table, stepped: Sequence[int]) -> Still:
    """Return the stretch at the end of some rows, all of which print a step, that print the last one's."""
    last = rows.said(int(stepped[-1]))

    begin = len(stepped) - 1
    while begin > 0 and _same(rows.said(int(stepped[begin - 1])), last):
        begin -= 1
    until = _when(rows, int(stepped[-1]))
    since = until if begin == len(stepped) - 1 else _when(rows, int(stepped[begin]))
    return Still(last.step, last.total, len(stepped) - begin, since, until)


def _same(one: MetricLine, other: MetricLine) -> bool:
    return one.step == other.step and one.total == other.total


def _when(rows: Table, index: int) -> Instant | None:
    return rows.instant(index) or elapsed(rows.text(index))


def elapsed(text: bytes) -> Instant | None:
    """Return how long a bar or run had lasted where a line says so."""
    found = _ELAPSED.search(text[:_WINDOW])
    if found is None:
        return None
    plain = found["plain"] or found["front"] or found["boxed"]
    if plain:
        seconds = float(plain)
    else:
        hours, minutes, rest = (
            found["hours"] or found["h"] or b"0",
            found["minutes"] or found["m"],
            found["seconds"] or found["s"],
        )
        seconds = float(int(hours) * 3600 + int(minutes) * 60 + int(rest))
    text_of = found.group().decode("ascii", "replace").strip("[< ]")
    return Instant(text=text_of, seconds=seconds, dated=False, clock=SINCE_START)
