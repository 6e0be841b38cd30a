"""Turns what readers found into folded events."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.artifact import Artifact
from runtriage.model.raw import RawEvent, RawText
from runtriage.model.subject import NOBODY, Subject
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.draft import Draft
from runtriage.scan.fold import Kept, Speaking, Tally
from runtriage.scan.ledger import Ledger, StepsAt
from runtriage.scan.place import cite
from runtriage.scan.result import Part
from runtriage.scan.segment import Segment, segment

EXCERPT: Final = 2000
_ABOVE: Final = 1000
"""Bytes before an event that are looked at for what they say of its secrets."""
"""Characters of an event's text that are kept."""
_FRONT: Final = 256


class Counted(Struct, frozen=True):
    """An occurrence that was counted, so that an equal one can be counted without looking at it again."""

    tally: Tally
    marks: int
    draft: Draft
    subject: Subject


class Events:
    """The events of one stretch of an artifact."""

    def __init__(self, artifact: Artifact, part: Part, reader: LineReader, ledger: Ledger) -> None:
        self.artifact = artifact.path
        self.reader = reader
        self._part = part
        self._ledger = ledger

    def add(self, block: Block, draft: Draft, until: int) -> Counted | None:
        """Count what a draft says; its offsets are positions in the block.

        `until` is where what woke the reader ends: steps printed further on do not count, for not all of them may be known yet.
        """
        subject = _joined(draft.subject, self.reader.subject(self.words(block, draft.start)), draft.numbers)
        marks = len(self._part.marks)
        key = (draft.kind, draft.name, Speaking(subject, marks))
        making = Making(self, block, draft, (0, until), subject, self._ledger.steps)
        tally = self._part.fold.add(key, tuple(draft.captures.items()), making)
        return None if tally is None else Counted(tally, marks, draft, subject)

    def again(self, block: Block, counted: Counted, by: int, until: int, times: int = 1) -> bool:
        """Count an equal occurrence, its offsets moved by so many bytes, or as the last of several; tell whether it still counts as equal."""
        if counted.marks != len(self._part.marks):
            return False
        making = Making(self, block, counted.draft, (by, until), counted.subject, self._ledger.steps)
        self._part.fold.again(counted.tally, making, times)
        return True

    def words(self, block: Block, at: int) -> bytes:
        """Return the segment at a position behind its line's prefix, as if the segment were the line."""
        found = segment(block, at + 1)
        text = block.slice(found.start, found.end)
        if found.start == found.line:
            return text
        front = front_of(block, found)
        return front[: self.reader.speaker(front)[0]] + text


class Making:
    """Makes one event when asked to, while its block can still be read."""

    __slots__ = ("_block", "_by", "_draft", "_events", "_steps", "_subject", "_until")

    def __init__(
        self, events: Events, block: Block, draft: Draft, place: tuple[int, int], subject: Subject, steps: StepsAt
    ) -> None:
        self._events = events
        self._block = block
        self._draft = draft
        self._by, self._until = place
        self._subject = subject
        self._steps = steps

    def __call__(self) -> Kept:
        """Return the event."""
        block, draft, by = self._block, self._draft, self._by
        start, end = draft.start + by, draft.end + by
        numbers = dict(draft.numbers)
        first, last = numbers.pop("from", None), numbers.pop("to", None)
        if first is not None and last is not None:
            numbers["first_line"] = float(block.line_number(int(first) + by))
            numbers["last_line"] = float(block.line_number(int(last) + by))
        printed = numbers.get("step")
        step, reach = None if printed is None else int(printed), None
        if printed is None:
            step, *reaches = self._steps.step(self._subject, min(end, self._until))
            reach = (reaches[0], reaches[1])
        when = draft.when or self._events.reader.when(self._events.words(block, start))
        event = RawEvent(
            kind=draft.kind,
            name=draft.name,
            citation=cite(self._events.artifact, block, start, end),
            excerpt=RawText(text_of(block.slice(start, min(end, start + 4 * EXCERPT)))[:EXCERPT]),
            above=RawText(_above(block, start)),
            captures={name: RawText(value) for name, value in draft.captures.items()},
            numbers=numbers,
            when=when,
            step=step,
            subject=self._subject,
        )
        return Kept(event, reach)


def _above(block: Block, start: int) -> str:
    """Return the whole lines before the one at a position, as far as they are near and the block still holds them."""
    floor = max(0, start - _ABOVE)
    near = block.slice(floor, start)
    end = near.rfind(b"\n")
    first = near.find(b"\n") + 1 if floor else 0
    return text_of(near[first:end]) if end > first else ""


def front_of(block: Block, found: Segment) -> bytes:
    """Return the front of the line a segment belongs to, where the prefix is."""
    if found.line < 0:
        return block.head
    return block.slice(found.line, min(found.line + _FRONT, max(found.end, found.line)))


def text_of(value: bytes) -> str:
    """Return bytes as text; what is no UTF-8 becomes replacement characters."""
    return value.decode("utf-8", "replace")


def numbers_of(captures: dict[str, str]) -> dict[str, float]:
    """Return the captures that are numbers."""
    found: dict[str, float] = {}
    for name, value in captures.items():
        try:
            found[name] = float(value.replace(",", ""))
        except ValueError:
            continue
    return found


def _joined(said: Subject, line: Subject, numbers: dict[str, float]) -> Subject:
    """Join whom an event names with whom its line names; the event's own words go first."""
    if said is NOBODY or said == NOBODY:
        rank = numbers.get("rank")
        return replace(line, rank=int(rank)) if line.rank is None and rank is not None else line
    if said.rank is not None and line.rank is not None and said.rank != line.rank:
        return replace(said, attempt=line.attempt, node=said.node or line.node)
    return Subject(
        attempt=line.attempt,
        rank=said.rank if said.rank is not None else line.rank,
        local_rank=said.local_rank if said.local_rank is not None else line.local_rank,
        node=said.node or line.node,
        role=said.role or line.role,
        pod=said.pod or line.pod,
        gpu=said.gpu or line.gpu,
        pid=said.pid if said.pid is not None else line.pid,
    )
