"""Known tracebacks that stand one directly behind another: what is around most of them is known, and they are counted together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from runtriage.scan.block import AHEAD
from runtriage.scan.rows import LEAD_BYTES
from runtriage.scan.traceback_alone import stands_between
from runtriage.scan.traceback_repeat import Known

Speaker = Callable[[bytes], tuple[int, bytes]]
"""Returns the length of a line's prefix and a key of who speaks."""

_FEWEST: Final = 8
"""Tracebacks below which each is looked at by itself."""
_NOTHING: Final = (b"", b"", b"")


Found = Sequence[tuple[Known, int]]
"""Known tracebacks and where they start, each with the line behind the one before."""


class Row(NamedTuple):
    """Known tracebacks directly behind one another; the first `inside` of them count, the others only stand below."""

    found: Found
    inside: int


class Passed(NamedTuple):
    """Equal tracebacks that were passed: how many, and where the last of them starts and ends."""

    known: Known
    times: int
    start: int
    end: int


def passed(found: Found, low: int, high: int) -> list[Passed]:
    """Return what is counted for those in [low, high), in order of the last of each."""
    each = [id(known) for known, _ in found[low:high]]
    times = Counter(each)
    told: list[Passed] = []
    for index in sorted(dict(zip(each, range(low, high), strict=True)).values()):
        known, start = found[index]
        told.append(Passed(known, times[id(known)], start, start + len(known.text)))
    return told


def usable(found: Found, low: int, high: int, marks: int, used: Callable[[bytes, int], bool]) -> int:
    """Return the first among those in [low, high) of whose text something was counted under other `marks`, or whose speaker's lines a
    reader has used where it starts; `high` where there is none.
    """
    each = [id(known) for known, _ in found[low:high]]
    for index in sorted(dict(zip(reversed(each), range(high - 1, low - 1, -1), strict=True)).values()):
        known, start = found[index]
        counted = (known.counted, *(inner.counted for inner in known.inner or ()))
        if used(known.speaker, start) or any(one.marks != marks for one in counted):
            return index
    return high


def lone(row: Row, data: bytes | bytearray, top: int, speaker: Speaker) -> bytes:
    """Return a byte for each of a row that counts: 1 where its text alone tells its meaning, 0 where it has to be looked at; text is
    known up to `top`.

    A few are not worth it: nothing is returned for them.
    """
    found = row.found
    if row.inside < _FEWEST or not _apart({known.speaker for known, _ in found}):
        return b""
    shapes = {key: _shape(known) for key, known in {id(known): known for known, _ in found}.items()}
    told: dict[tuple[int, int, int], bool] = {}
    flags = bytearray(row.inside)
    around = zip(found[: row.inside], _above(found, shapes), _below(found, shapes, data, top), strict=False)
    for index, ((known, _), over, under) in enumerate(around):
        if over is False or under is False:
            continue
        key = (id(known), id(over), id(under))
        alone = told.get(key)
        if alone is None:
            alone = told[key] = _alone(known, over, under, speaker)
        flags[index] = alone
    return bytes(flags)


_Other = Known | Literal[False] | None
"""A traceback of the same speaker; None where none is seen, False where that is not known."""


class _Shape(NamedTuple):
    """How long the speaker's name and the first line of a traceback are, and where its last line begins."""

    speaker: int
    header: int
    last: int


def _shape(known: Known) -> _Shape:
    return _Shape(len(known.speaker), known.text.find(b"\n"), known.text.rfind(b"\n") + 1)


def _above(found: Found, shapes: Mapping[int, _Shape]) -> list[_Other]:
    """Return the one whose last line its speaker sees above each. What is further away than a reader looks is not there for it."""
    before: dict[bytes, tuple[Known, int]] = {}
    first = found[0][1]
    told: list[_Other] = []
    for own in found:
        known, start = own
        floor = max(start - LEAD_BYTES, 0)
        other = before.get(known.speaker)
        before[known.speaker] = own
        if other is None:
            told.append(False if floor < first else None)
        else:
            told.append(other[0] if other[1] + shapes[id(other[0])].last > floor else None)
    return told


def _below(found: Found, shapes: Mapping[int, _Shape], data: bytes | bytearray, top: int) -> list[_Other]:
    """Return the one whose first line its speaker sees below each; of a line that is cut, what it says is not known."""
    after: dict[bytes, tuple[Known, int]] = {}
    last = found[-1][1] + len(found[-1][0].text)
    told: list[_Other] = []
    for own in reversed(found):
        known, start = own
        stop = min(start + AHEAD, top)
        other = after.get(known.speaker)
        after[known.speaker] = own
        if other is None:
            told.append(False if stop > last and data.find(b"\n" + known.speaker, last, stop) >= 0 else None)
            continue
        shape = shapes[id(other[0])]
        if other[1] + shape.speaker > stop:
            told.append(None)
        else:
            told.append(other[0] if other[1] + shape.header <= stop else False)
    return told[::-1]


def _apart(speakers: set[bytes]) -> bool:
    """Tell whether no line of one speaker begins like those of another. Lines without a prefix are told apart where nobody else speaks."""
    ordered = sorted(speakers)
    return not any(ordered[at].startswith(ordered[at - 1]) for at in range(1, len(ordered)))


def _alone(known: Known, above: Known | None, below: Known | None, speaker: Speaker) -> bool:
    """Tell whether a traceback between two others of its speaker is told by its text; false also says that this takes a closer look."""
    own, over, under = (_NOTHING if each is None else _ends(each, speaker) for each in (known, above, below))
    return own is not None and over is not None and under is not None and stands_between(over[1], own[2], under[0])


def _ends(known: Known, speaker: Speaker) -> tuple[bytes, bytes, bytes] | None:
    """Return the words of the first and the last line of a traceback as others see them, and of the last as it does itself; None where
    its speaker is not told alike in both lines.
    """
    if known.ends is None:
        header, last = known.text.partition(b"\n")[0], known.text.rpartition(b"\n")[2]
        told = [speaker(line) for line in (header, last)]
        if any(key != known.speaker for _, key in told) or len(known.prefix) - len(known.speaker) > 1:
            return None
        first, words = (_words(line, length) for line, (length, _) in zip((header, last), told, strict=True))
        known.ends = (first, words, _words(last, len(known.prefix)))
    return known.ends if known.ends[0].strip() else None


def _words(line: bytes, length: int) -> bytes:
    text = line[length:].rstrip(b"\r")
    return text[text.rfind(b"\r") + 1 :]
