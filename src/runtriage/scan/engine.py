"""Scans one stretch of an artifact, block by block, into a `Part`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.event import ATTEMPT, SIGNATURE
from runtriage.model.raw import RawEvent, RawText
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant
from runtriage.scan.attempt import Mark
from runtriage.scan.block import Block
from runtriage.scan.contract import Cue, CueReader, LineReader
from runtriage.scan.draft import Draft
from runtriage.scan.find import REACH, Span
from runtriage.scan.fold import Speaking
from runtriage.scan.metrics import MetricFinder
from runtriage.scan.place import cite
from runtriage.scan.result import Part
from runtriage.scan.rows import Lines
from runtriage.scan.rules import Rule, Rules
from runtriage.scan.segment import Segment, around, segment
from runtriage.scan.table import Column, Rows
from runtriage.scan.thin import Thin, start_shift
from runtriage.scan.traceback_repeat import Repeats
from runtriage.scan.voices import Heard, Voices

EXCERPT: Final = 2000
_SERIES: Final = 4096
_MARKS: Final = 10_000
_FRAMEWORK: Final = "framework"
_TRACEBACK: Final = "traceback"
_FAULTS: Final = frozenset({"traceback", "bare", "syntax", "fatal", "terminate"})


class Scanner:
    """Everything one stretch needs while it is scanned; blocks must come in order."""

    def __init__(
        self,
        artifact: Artifact,
        rules: Rules,
        readers: dict[str, CueReader],
        reader: LineReader,
        metrics: MetricFinder | None,
        size: int | None,
    ) -> None:
        self.part = Part()
        self._artifact = artifact
        self._rules = rules.rules
        self._finder = rules.finder()
        self._readers = readers
        self._reader = reader
        self._metrics = metrics
        self._shift = start_shift(size)
        self._seen = [-1] * len(rules.rules)
        self._repeats = Repeats()
        self._zones: dict[tuple[str, bytes], int] = {}
        self._told: set[str] = set()
        self._tables: dict[Subject, Rows] = {}
        self._taken: dict[Subject, int] = {}
        self._own: dict[Subject, Sequence[int]] = {}
        self._numbers: dict[Subject, dict[str, Column]] = {}
        self._voices = Voices(rules.engine, reader)
        self._heard = 0

    def feed(self, block: Block) -> None:
        """Take one block."""
        if not block.base and not self.part.size:
            self._voices.sample(block)
        start = block.low if not block.head else max(block.low - REACH, 0)
        span = Span(start, block.low, block.high + block.padded, block.first_byte(0))
        self._tables = self._metrics.read(block) if self._metrics is not None else {}
        self._taken.clear()
        self._numbers.clear()
        self._own.clear()
        self._heard = block.low
        for rows in self._tables.values():
            self._voices.learn(rows.printed[0].prefix)
        for at, number in self._finder.find(block.data, span):
            self._hit(block, at, number)
        self._take_metrics(block.top)
        self._listen(block, block.high)
        self._settle(block)
        if block.final:
            self.end()
            self._close(self._voices.ending(block))
        self.part.size = block.last_byte(block.high)
        self.part.lines = block.line_number(block.high) - 1 + block.padded

    def end(self) -> None:
        """Close what is open behind the last block."""
        self._close(self._voices.close())

    def _settle(self, block: Block) -> None:
        self.part.fold.settle()
        for steps in self.part.steps.values():
            steps.settle(lambda start, end: cite(self._artifact.path, block, start, end))

    def _hit(self, block: Block, at: int, number: int) -> None:
        rule = self._rules[number]
        if rule.name in self._told:
            return
        found = segment(block, at)
        place = block.first_byte(found.start)
        if found.short and self._seen[number] == place:
            return
        if rule.cue is None:
            self._signature(block, rule, number, found)
        else:
            self._seen[number] = place
            self._cue(block, rule.cue, found)

    def _signature(self, block: Block, rule: Rule, number: int, found: Segment) -> None:
        text = block.slice(found.start, found.end)
        match = rule.regex.search(text) if rule.literal in text else None
        if match is None:
            return
        place = block.first_byte(found.start + (0 if found.short else match.start()))
        if self._seen[number] == place:
            return
        self._seen[number] = place
        if not found.short:
            found = around(block, found.start + match.start(), found.line)
        captures = {name: _text(value) for name, value in match.groupdict().items() if value is not None}
        draft = Draft(
            kind=SIGNATURE,
            name=rule.name,
            start=found.start,
            end=found.end,
            captures=captures,
            numbers=_numbers(captures),
        )
        self._event(block, draft, found)

    def _cue(self, block: Block, cue: Cue, found: Segment) -> None:
        front = self._front(block, found)
        speaker = self._reader.speaker(front)
        self._voices.learn(front[: speaker[0]])
        family = "fault" if cue.reader in _FAULTS else cue.reader
        if cue.block and block.first_byte(found.start) < self._zones.get((family, speaker[1]), -1):
            return
        traceback = cue.reader == _TRACEBACK and found.start == found.line
        if traceback and self._again(block, found, speaker[1]):
            return
        lines = Lines(block, self._reader, found, speaker)
        reading = self._readers[cue.reader](cue.name, lines.rows(lead=cue.lead, block=cue.block))
        if traceback:
            self._repeats.note(block.data, found.start, block.top, speaker[1], reading)
        for draft in reading.drafts:
            self._event(block, draft, found)
        if cue.reader == _FRAMEWORK and reading.drafts:
            self._told.add(cue.name)
        if cue.block and reading.drafts and lines.ends:
            last = lines.ends[min(reading.rows, len(lines.ends)) - 1]
            self._zones[family, speaker[1]] = block.first_byte(last)

    def _again(self, block: Block, found: Segment, speaker: bytes) -> bool:
        """Count a traceback that its speaker printed before, text for text; tell whether it is one."""
        draft = self._repeats.recall(block.data, found.start, block.top, speaker)
        if draft is None:
            return False
        self._event(block, draft, found)
        self._zones["fault", speaker] = block.first_byte(draft.end)
        return True

    def _front(self, block: Block, found: Segment) -> bytes:
        """Return the front of the line a segment belongs to, where the prefix is."""
        if found.line < 0:
            return block.head
        return block.slice(found.line, min(found.line + 256, max(found.end, found.line)))

    def _words(self, block: Block, found: Segment) -> bytes:
        """Return the line's prefix and the segment, as if the segment were the line."""
        text = block.slice(found.start, found.end)
        if found.start == found.line:
            return text
        front = self._front(block, found)
        return front[: self._reader.speaker(front)[0]] + text

    def _event(self, block: Block, draft: Draft, found: Segment) -> None:
        part = self.part
        if "world_size" in draft.numbers:
            part.world_size = max(int(draft.numbers["world_size"]), part.world_size or 0)
        if draft.kind == _FRAMEWORK:
            part.frameworks.setdefault(draft.name)
            return
        own = found if found.start <= draft.start <= found.end else segment(block, max(draft.start + 1, 1))
        words = self._words(block, own)
        subject = _joined(draft.subject, self._reader.subject(words), draft.numbers)
        if draft.kind == ATTEMPT and len(part.marks) < _MARKS:
            self._take_metrics(draft.start)
            self._listen(block, draft.start)
            self._settle(block)
            self.end()
            number = draft.numbers.get("attempt")
            part.marks.append(Mark(draft.name, None if number is None else int(number)))
        step = self._step(subject, draft.end)

        def make() -> RawEvent:
            numbers = dict(draft.numbers)
            start, end = numbers.pop("from", None), numbers.pop("to", None)
            citation = cite(self._artifact.path, block, draft.start, draft.end)
            if start is not None and end is not None:
                numbers["first_line"] = float(block.line_number(int(start)))
                numbers["last_line"] = float(block.line_number(int(end)))
            return RawEvent(
                kind=draft.kind,
                name=draft.name,
                citation=citation,
                excerpt=RawText(_text(block.slice(draft.start, draft.end)[: 2 * EXCERPT])[:EXCERPT]),
                captures={name: RawText(value) for name, value in draft.captures.items()},
                numbers=numbers,
                when=draft.when or self._time(words),
                step=int(numbers["step"]) if "step" in numbers else step,
                subject=subject,
            )

        key = (draft.kind, draft.name, Speaking(subject, len(part.marks)))
        part.fold.add(key, tuple(draft.captures.items()), make)

    def _time(self, words: bytes) -> Instant | None:
        return self._reader.context(words).when

    def _step(self, subject: Subject, at: int) -> int | None:
        """Return the last step a subject printed before a position; where it printed none, the last one nobody signed."""
        for who in (subject, Subject(attempt=subject.attempt)):
            rows = self._tables.get(who)
            if rows is not None:
                own = self._own_steps(who, rows)
                last = bisect_left(own, rows.before(at)) - 1
                if last >= 0:
                    return rows.said(own[last]).step
            steps = self.part.steps.get(Speaking(who, len(self.part.marks)))
            if steps is not None and steps.last_step is not None:
                return steps.last_step
        return None

    def _own_steps(self, subject: Subject, rows: Rows) -> Sequence[int]:
        """Return the rows of a block, from the last attempt mark on, that print a step of the run's own."""
        own = self._own.get(subject)
        if own is None:
            stepped = rows.stepped[bisect_left(rows.stepped, self._taken.get(subject, 0)) :]
            own = self._own[subject] = self.part.progress_of(subject).track.follow(rows, stepped)
        return own

    def _take_metrics(self, until: int) -> None:
        """Add the metric lines before a position to the present attempt."""
        marks = len(self.part.marks)
        for subject, rows in self._tables.items():
            low, high = self._taken.get(subject, 0), rows.before(until)
            if low == high:
                continue
            own = self._own_steps(subject, rows)
            self.part.progress_of(subject).extend(rows, low, high, own[: bisect_left(own, high)])
            self._taken[subject] = high
            for name, column in self._columns(subject, rows).items():
                first, last = bisect_left(column.rows, low), bisect_left(column.rows, high)
                thin = self._thin(Speaking(subject, marks), name) if first < last else None
                if thin is not None:
                    thin.extend(column.values[first:last], column.rows[first:last], rows)
        self._own.clear()

    def _columns(self, subject: Subject, rows: Rows) -> dict[str, Column]:
        """Return the numbers of a block's rows, read once."""
        known = self._numbers.get(subject)
        if known is None:
            known = self._numbers[subject] = rows.columns()
        return known

    def _thin(self, speaking: Speaking, name: str) -> Thin | None:
        found = self.part.series.get((speaking, name))
        if found is None and len(self.part.series) < _SERIES:
            found = self.part.series[speaking, name] = Thin(name, self._shift)
        return found

    def _listen(self, block: Block, until: int) -> None:
        """Take the last lines before a position into the present attempt."""
        self._voices.listen(block, self._heard, until)
        self._heard = until

    def _close(self, lines: Iterable[Heard]) -> None:
        """End the present attempt, as far as last lines go."""
        for heard in lines:
            context = self._reader.context(heard.words)
            self.part.progress_of(context.subject).hear(heard.citation(self._artifact.path), context.when)


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _numbers(captures: dict[str, str]) -> dict[str, float]:
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
