"""Known tracebacks that stand one directly behind another: what is around most of them is known, and they are counted together."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter, sub
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from runtriage.scan.block import AHEAD
from runtriage.scan.rows import LEAD_BYTES
from runtriage.scan.traceback_alone import stands_between
from runtriage.scan.traceback_repeat import Known

Speaker = Callable[[bytes], tuple[int, bytes]]
"""Returns the length of a line's prefix and a key of who speaks."""

_FEWEST: Final = 8
"""Tracebacks below which each is looked at by itself."""
_FEW_TEXTS: Final = 4
"""Texts of one speaker that are tried in every order."""
_NOTHING: Final = (b"", b"", b"")


class Row(NamedTuple):
    """Known tracebacks directly behind one another and where they start; the first `inside` of them count, the others only stand below."""

    known: Sequence[Known]
    starts: Sequence[int]
    inside: int


class Passed(NamedTuple):
    """Equal tracebacks that were passed: how many, and where the last of them starts and ends."""

    known: Known
    times: int
    start: int
    end: int


def passed(row: Row, low: int, high: int) -> list[Passed]:
    """Return what is counted for those in [low, high), in order of the last of each."""
    each = row.known[low:high]
    times = Counter(each)
    told: list[Passed] = []
    for known, index in sorted(dict(zip(each, range(low, high), strict=True)).items(), key=itemgetter(1)):
        start = row.starts[index]
        told.append(Passed(known, times[known], start, start + len(known.text)))
    return told


def usable(row: Row, low: int, high: int, marks: int, used: Callable[[bytes, int], bool]) -> int:
    """Return the first among those in [low, high) of whose text something was counted under other `marks`, or whose speaker's lines a
    reader has used where it starts; `high` where there is none.
    """
    first = dict(zip(reversed(row.known[low:high]), range(high - 1, low - 1, -1), strict=True))
    for known, index in sorted(first.items(), key=itemgetter(1)):
        counted = (known.counted, *(inner.counted for inner in known.inner or ()))
        if used(known.speaker, row.starts[index]) or any(one.marks != marks for one in counted):
            return index
    return high


def lone(row: Row, data: bytes | bytearray, top: int, speaker: Speaker) -> bytes:
    """Return a byte for each of a row that counts: 1 where its text alone tells its meaning, 0 where it has to be looked at; text is
    known up to `top`.

    A few are not worth it: nothing is returned for them.
    """
    if row.inside < _FEWEST:
        return b""
    texts: dict[bytes, list[Known]] = {}
    for known in dict.fromkeys(row.known):
        texts.setdefault(known.speaker, []).append(known)
    if not _apart(set(texts)):
        return b""
    told: dict[tuple[Known, Known | None, Known | None], bool] = {}

    def alone(known: Known, over: Known | None, under: Known | None) -> bool:
        key = (known, over, under)
        found = told.get(key)
        if found is None:
            found = told[key] = _alone(known, over, under, speaker)
        return found

    if all(len(own) <= _FEW_TEXTS and _always(own, alone) for own in texts.values()):
        return _between_any(row, texts, data, top)
    shapes = {known: _shape(known) for own in texts.values() for known in own}
    flags = bytearray(row.inside)
    around = zip(row.known[: row.inside], _above(row, shapes), _below(row, shapes, data, top), strict=False)
    for index, (known, over, under) in enumerate(around):
        flags[index] = over is not False and under is not False and alone(known, over, under)
    return bytes(flags)


def _always(texts: Sequence[Known], alone: Callable[[Known, Known | None, Known | None], bool]) -> bool:
    """Tell whether each text of a speaker alone tells its meaning between any others of the same speaker, and beside none."""
    among, others = frozenset(texts), (None, *texts)
    if texts[0].among == among:
        return True
    if not all(alone(known, over, under) for known in texts for over in others for under in others):
        return False
    for known in texts:
        known.among = among
    return True


def _between_any(row: Row, texts: Mapping[bytes, Sequence[Known]], data: bytes | bytearray, top: int) -> bytes:
    """Return what `lone` does for a row whose texts tell their meaning between any others of it: only what stands beyond it may change that."""
    known, starts, count = row
    flags = bytearray(b"\1") * count
    end = starts[-1] + len(known[-1].text)
    places = {speaker: list[int]() for speaker in texts}
    for each, start in zip(known, starts, strict=True):
        places[each.speaker].append(start)
    for speaker, own in places.items():
        if max(own[0] - LEAD_BYTES, 0) < starts[0]:
            _clear(flags, bisect_left(starts, own[0]))
        stop = min(own[-1] + AHEAD, top)
        if stop > end and data.find(b"\n" + speaker, end, stop) >= 0:
            _clear(flags, bisect_left(starts, own[-1]))
        least = AHEAD - max(map(_header, texts[speaker]))
        for index, apart in enumerate(map(sub, own[1:], own)):
            if least < apart <= AHEAD and len(speaker) <= AHEAD - apart < _header(
                known[bisect_left(starts, own[index + 1])]
            ):
                _clear(flags, bisect_left(starts, own[index]))
    return bytes(flags)


def _clear(flags: bytearray, index: int) -> None:
    if index < len(flags):
        flags[index] = 0


def _header(known: Known) -> int:
    return known.text.find(b"\n")


_Other = Known | Literal[False] | None
"""A traceback of the same speaker; None where none is seen, False where that is not known."""


class _Shape(Struct, frozen=True):
    """How long the speaker's name and the first line of a traceback are, and where its last line begins."""

    speaker: int
    header: int
    last: int


def _shape(known: Known) -> _Shape:
    return _Shape(len(known.speaker), _header(known), known.text.rfind(b"\n") + 1)


def _above(row: Row, shapes: Mapping[Known, _Shape]) -> list[_Other]:
    """Return the one whose last line its speaker sees above each. What is further away than a reader looks is not there for it."""
    before: dict[bytes, tuple[Known, int]] = {}
    first = row.starts[0]
    told: list[_Other] = []
    for own in zip(row.known, row.starts, strict=True):
        known, start = own
        floor = max(start - LEAD_BYTES, 0)
        other = before.get(known.speaker)
        before[known.speaker] = own
        if other is None:
            told.append(False if floor < first else None)
        else:
            told.append(other[0] if other[1] + shapes[other[0]].last > floor else None)
    return told


def _below(row: Row, shapes: Mapping[Known, _Shape], data: bytes | bytearray, top: int) -> list[_Other]:
    """Return the one whose first line its speaker sees below each; of a line that is cut, what it says is not known."""
    after: dict[bytes, tuple[Known, int]] = {}
    last = row.starts[-1] + len(row.known[-1].text)
    told: list[_Other] = []
    for own in zip(reversed(row.known), reversed(row.starts), strict=True):
        known, start = own
        stop = min(start + AHEAD, top)
        other = after.get(known.speaker)
        after[known.speaker] = own
        if other is None:
            told.append(False if stop > last and data.find(b"\n" + known.speaker, last, stop) >= 0 else None)
            continue
        shape = shapes[other[0]]
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
