"""Known tracebacks that stand one directly behind another: what is around most of them is known, and they are counted together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from runtriage.scan.block import AHEAD
from runtriage.scan.rows import LEAD_BYTES
from runtriage.scan.traceback_alone import stands_between
from runtriage.scan.traceback_repeat import Known

Speaker = Callable[[bytes], tuple[int, bytes]]
"""Returns the length of a line's prefix and a key of who speaks."""

_FEWEST: Final = 8
"""Tracebacks below which each is looked at by itself."""
_NOTHING: Final = (b"", b"", b"")


class Car(NamedTuple):
    """One of them, where it starts, and whether its text alone tells its meaning; otherwise it has to be looked at."""

    known: Known
    start: int
    alone: bool

    @property
    def end(self) -> int:
        """Where its last line ends."""
        return self.start + len(self.known.text)


class Passed(NamedTuple):
    """Equal tracebacks that were passed, and the last of them."""

    last: Car
    times: int


class Load(Struct):
    """Tracebacks that were passed and are still to be counted, in order of the last of each."""

    passed: dict[int, Passed] = field(default_factory=dict[int, Passed])

    def add(self, car: Car) -> None:
        """Take one more."""
        before = self.passed.pop(id(car.known), None)
        self.passed[id(car.known)] = Passed(car, 1 if before is None else before.times + 1)

    def unload(self) -> list[Passed]:
        """Return all and forget them."""
        passed, self.passed = list(self.passed.values()), {}
        return passed


def train(found: Sequence[tuple[Known, int]], top: int, speaker: Speaker) -> Iterator[Car]:
    """Yield tracebacks, each of which begins with the line behind the one before; text is known up to `top`. A few are not worth it."""
    if len(found) < _FEWEST or not _apart({known.speaker for known, _ in found}):
        return
    before: dict[bytes, tuple[Known, int]] = {}
    following = _following(found)
    span = (found[0][1], found[-1][1] + len(found[-1][0].text), top)
    told: dict[tuple[int, ...], bool] = {}
    for index, (known, start) in enumerate(found):
        around = _around((known, start), before.get(known.speaker), following[index], span)
        before[known.speaker] = (known, start)
        if around is None:
            yield Car(known, start, False)
            continue
        key = (id(known), *map(id, around))
        if key not in told:
            told[key] = _alone(known, *around, speaker)
        yield Car(known, start, told[key])


def _following(found: Sequence[tuple[Known, int]]) -> list[tuple[Known, int] | None]:
    """Return for each traceback the next one of the same speaker."""
    after: dict[bytes, tuple[Known, int]] = {}
    following: list[tuple[Known, int] | None] = []
    for known, start in reversed(found):
        following.append(after.get(known.speaker))
        after[known.speaker] = (known, start)
    return following[::-1]


def _apart(speakers: set[bytes]) -> bool:
    """Tell whether no line of one speaker begins like those of another."""
    ordered = sorted(speakers)
    return bool(ordered[0]) and not any(ordered[at].startswith(ordered[at - 1]) for at in range(1, len(ordered)))


def _around(
    own: tuple[Known, int], above: tuple[Known, int] | None, below: tuple[Known, int] | None, span: tuple[int, int, int]
) -> tuple[Known | None, Known | None] | None:
    """Return which tracebacks of its speaker are seen above and below one; None where something else, or but a part of a line, may be seen.

    What is further away than a reader looks for lines of its speaker is not there for it. All of them stand in the first two of
    `span`, and text is known up to the third.
    """
    known, start = own
    first, last, top = span
    floor, stop = max(start - LEAD_BYTES, 0), min(start + AHEAD, top)
    if (above is None and floor < first) or (below is None and stop > last):
        return None
    over = under = None
    if above is not None and above[1] + above[0].text.rfind(b"\n") + 1 > floor:
        over = above[0]
    if below is not None and below[1] + len(known.speaker) <= stop:
        under = below[0]
        if below[1] + under.text.find(b"\n") > stop:
            return None
    return over, under


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
