"""Whether the last lines show a run in the midst of its work: short of what it counts itself, or within a traceback."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from runtriage.model.pattern import deferred
from runtriage.scan.traceback_line import is_header, read_exception

_LONGEST: Final = 1024
"""Characters of a line in which a counter is looked for."""
_COUNT: Final = deferred(
    r"(?:(?P<outer>^\s{0,12}|(?<![a-z])epochs?[ :=\[(#]{0,8})|[\[(|\x22'] {0,4}|(?<![a-z])(?:steps?|iter\w{0,8}|it|batch(?:es)?|updates?|rounds?)[ :=\[(#]{0,8})"
    r"(?P<at>\d{1,9}) ?(?:/|of) {0,8}(?P<total>\d{1,9})(?![\d/.-])",
    re.IGNORECASE,
)
"""How far a run came and of how much, as `Epoch [1][200/5000]`, `  3/8`, `| 40/900 [` and `iteration  7/  100` print it; `outer` for a count of epochs."""
_OF_AN_EPOCH: Final = deferred(
    r"(?<![\w.])\d{1,6}epoch(?![a-z])|(?<![a-z])epoch[ _:=#]{0,2}\d{1,6}\W{1,3}(?:results?|summary|stats|averages?)(?![a-z])",
    re.IGNORECASE,
)
"""Sums one epoch up, as ESPnet's `3epoch results` does."""
_EARLY: Final = deferred(
    r"(?<![a-z])early[ -]?stopp(?:ing|ed)(?![a-z])(?!.{0,80}(?:counter|patience|wait))|(?<![a-z])patience\b.{0,24}\b(?:reached|exhausted|exceeded|ran out)\b",
    re.IGNORECASE,
)
"""Says that the rest of what is counted was not needed."""
_FRONT: Final = 80
"""Characters in which a line says what it is about."""


class _Count(NamedTuple):
    at: int
    total: int
    outer: bool


def midway(lines: Sequence[str]) -> bool:
    """Tell whether the last lines of a log, the last one first, are of a run that had more to do."""
    early = any(_EARLY.search(line[:_LONGEST]) for line in lines)
    return _in_traceback(lines) or _sums_an_epoch_up(lines) or (not early and _short_of_its_own_count(lines))


def _in_traceback(lines: Sequence[str]) -> bool:
    """Tell whether a traceback begins in these lines and the exception that ends it is not among them."""
    for line in lines:
        if is_header(line):
            return True
        if read_exception(line.strip(), after_frames=not line[:1].isspace()):
            return False
    return False


def _sums_an_epoch_up(lines: Sequence[str]) -> bool:
    last = next((line for line in lines if line.strip()), "")
    return _OF_AN_EPOCH.search(last[:_FRONT]) is not None


def _short_of_its_own_count(lines: Sequence[str]) -> bool:
    """Tell whether the last line that counts a whole, or the last that counts epochs, has not come to its end.

    It has where the next line of its kind would be beyond: the pace is what the count grew by since the one before, and at least 1.
    """
    counted = [counts for counts in map(_counts, lines) if counts]
    epochs = [outer for outer in ([one for one in counts if one.outer] for counts in counted) if outer]
    return _short(counted) or _short(epochs)


def _short(counted: Sequence[Sequence[_Count]]) -> bool:
    if not counted:
        return False
    wholes = [one.total for one in counted[0]]
    before = next((like for like in counted[1:] if [one.total for one in like] == wholes), counted[0])
    return any(now.at + max(now.at - past.at, 1) < now.total for now, past in zip(counted[0], before, strict=True))


def _counts(line: str) -> list[_Count]:
    """Return each count of a line with its whole, from the outermost."""
    found = (
        _Count(int(one["at"]), int(one["total"]), one["outer"] is not None) for one in _COUNT.finditer(line[:_LONGEST])
    )
    return [count for count in found if count.at <= count.total and count.total > 1]
