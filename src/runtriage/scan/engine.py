"""Scans one stretch of an artifact, block by block, into a `Part`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.event import ATTEMPT, SIGNATURE
from runtriage.model.subject import Subject
from runtriage.scan.again import restart
from runtriage.scan.at_end import said_at_end
from runtriage.scan.attempt import Mark
from runtriage.scan.block import BEHIND, Block
from runtriage.scan.contract import Cue, LineContext, LineReader
from runtriage.scan.dialects.cues import READERS
from runtriage.scan.draft import Draft
from runtriage.scan.events import Counted, Events, front_of, numbers_of, text_of
from runtriage.scan.find import REACH, Hit, Span
from runtriage.scan.last_words import last_words
from runtriage.scan.ledger import Ledger
from runtriage.scan.metrics import MetricFinder
from runtriage.scan.mute import Mutes
from runtriage.scan.passing import Passing
from runtriage.scan.place import cite
from runtriage.scan.quiet import last_times
from runtriage.scan.result import Part, Zone
from runtriage.scan.rows import Lines
from runtriage.scan.rules import Rule, Rules
from runtriage.scan.segment import Segment, around, segment
from runtriage.scan.spots import Spots
from runtriage.scan.traceback_alone import stands_alone
from runtriage.scan.traceback_flood import Floods
from runtriage.scan.traceback_repeat import Inner, Known, Record, Repeats
from runtriage.scan.traceback_train import Row, lone, passed, usable
from runtriage.scan.voices import Voices, heard
from runtriage.scan.zones import FAULT, Zones

_MARKS: Final = 10_000
_MEMORY: Final = 4096
_TURNS: Final = 4
"""How often what was found in a block is looked for anew since a traceback got known within it."""
_FRAMEWORK: Final = "framework"
_TRACEBACK: Final = "traceback"
_FAULTS: Final = frozenset({"traceback", "bare", "syntax", "fatal", "terminate", "stacks"})


class Scanner:
    """Everything one stretch needs while it is scanned; blocks must come in order."""

    def __init__(
        self,
        artifact: Artifact,
        rules: Rules,
        finder: Passing,
        reader: LineReader,
        metrics: MetricFinder | None,
        size: int | None,
        start: int = 0,
    ) -> None:
        self.part = Part()
        self._artifact = artifact
        self._rules = rules.rules
        self._finder = finder
        finder.know((), ())
        self._reader = reader
        self._spots = Spots(self.part, rules.rules)
        self.metrics = metrics
        self._ledger = Ledger(self.part, size)
        self._events = Events(artifact, self.part, reader, self._ledger)
        self.voices = Voices(rules.engine, reader)
        self._repeats = Repeats()
        self._floods = Floods(self._repeats)
        self._record: Record | None = None
        self._traceback = finder.cue(_TRACEBACK)
        self._done = 0
        self._seen = [-1] * len(rules.rules)
        self._told: set[int] = set()
        self._known: dict[tuple[int, bytes], Counted] = {}
        self._zones = Zones()
        self._mutes = Mutes(reader)
        self._heard, self._begun, self._whole = 0, start, not start

    def begin(self, sample: bytes) -> None:
        """Learn who speaks from the first lines of the artifact."""
        self.voices.sample(sample)

    def warm(self, block: Block) -> None:
        """Find out which lines at the front of a stretch belong to tracebacks and the like that began before it."""
        for at, number in self._finder.find(block.data, Span(0, 0, block.low, block.first_byte(0))):
            cue = self._rules[number].cue
            if cue is not None and cue.block:
                found = segment(block, at)
                self._read_cue(block, cue, found, block.first_byte(found.start), keep=False)
        self.part.entered = self._zones.open(self._begun)

    def enter(self, zones: Mapping[Zone, int]) -> None:
        """Take over which lines behind the front of a stretch readers have used already."""
        self._zones.enter(zones)
        self.part.entered = dict(zones)

    def feed(self, block: Block, *, again: bool = False) -> None:
        """Take one block; `again` tells that its program starts anew with its first line."""
        floods = self._floods.survey(block)
        tables = self.metrics.read(block, floods) if self.metrics is not None else {}
        self._finder.know(self.metrics.batches if self.metrics is not None else (), self._told)
        self.voices.study(block)
        self._ledger.open(tables)
        self._heard = block.low
        if again:
            self._take(block, restart(block), block.low)
        self._repeats.run.clear(block.top)
        start = block.low if not block.head else max(block.low - REACH, 0)
        span = Span(start, block.low, block.high + block.padded, block.first_byte(0))
        self._done = 0
        for at, number in self._spots.others(block, self._hits(block, span)):
            if at > self._done:
                self._hit(block, at, number)
        self._close_record(block.high)
        self._ledger.book(block.top)
        self._listen(block, block.high)
        self._settle(block)
        self.part.size = block.last_byte(block.high)
        self.part.lines = block.line_number(block.high) - 1 + block.padded

    def end(self, block: Block) -> None:
        """Close what is open behind the last block."""
        if block.final:
            self._hear_last(block)
            if not self._whole or any(steps.undated for steps in self.part.steps.values()):
                self.part.times = last_times(block, self._reader)
            for said in said_at_end(block, self._reader, self.part.last_step):
                self._take(block, said, said.end)
        self.part.fold.settle(everything=True)
        self._close(block, block.high, last=block.last_byte(block.top) - block.last_byte(block.high) < BEHIND)
        self.part.left = self._zones.open(self.part.size)

    def _hear_last(self, block: Block) -> None:
        """Take what the program said last where it refuses something and no reader has used the line."""
        if (found := last_words(block, self._reader)) is not None:
            draft, speaker = found
            if not self._zones.used(FAULT, speaker, block.first_byte(draft.start)):
                self._take(block, draft, draft.end)

    def _settle(self, block: Block) -> None:
        self.part.fold.settle()
        while self.part.unsettled:
            self.part.unsettled.pop().settle(lambda start, end: cite(self._artifact.path, block, start, end))

    def _hits(self, block: Block, span: Span) -> Iterator[Hit]:
        """Yield what is found outside of the tracebacks that are known; those are counted on the way, and not searched."""
        start, low, look, turns = span.start, span.low, block.low, _TURNS
        while True:
            kept, found = self._repeats.kept, self._repeats.ahead(block.data, look, block.high)
            begin = span.high if found is None else found[1]
            part = Span(start, low, begin, span.origin)
            for hit in self._finder.find(block.data, part, self._told) if found is None or begin > low + 1 else ():
                yield hit
                if found is None and kept < self._repeats.kept and turns and self._done > hit[0]:
                    start, low, look, turns = self._done - 1, self._done - 1, self._done - 1, turns - 1
                    break
            else:
                if found is None:
                    return
                known, begin, look = found
                start = low = begin
                if look > self._done:
                    self._close_record(look - 1)
                    self._pass(block, known, begin)
                if self._done > begin:
                    self._ride(block)
                    start = low = look = self._done - 1

    def _hit(self, block: Block, at: int, number: int) -> None:
        if number in self._told:
            return
        self._close_record(at - 1)
        if number == self._traceback and self._glance(block, at):
            return
        found = segment(block, at)
        place = block.first_byte(found.start)
        if found.short and self._seen[number] == place:
            return
        rule = self._rules[number]
        if rule.cue is None:
            if self._signature(block, rule, number, found, place) and self._record is not None:
                self._note_inner(block, number, found)
        else:
            self._seen[number] = place
            self._cue(block, rule.cue, number, found, place)

    def _signature(self, block: Block, rule: Rule, number: int, found: Segment, place: int) -> bool:
        text = block.slice(found.start, found.end)
        whole = found.short and found.start == found.line
        known = self._known.get((number, text)) if whole else None
        if known is not None and self._events.again(block, known, found.start - known.draft.start, found.end):
            self._seen[number] = place
            return True
        match = rule.regex.search(text) if rule.literal in text else None
        if match is None:
            return False
        if not found.short:
            place += match.start()
            if self._seen[number] == place:
                return True
            found = around(block, found.start + match.start(), found.line)
        self._seen[number] = place
        captures = {name: text_of(value) for name, value in match.groupdict().items() if value is not None}
        draft = Draft(
            kind=SIGNATURE,
            name=rule.name,
            start=found.start,
            end=found.end,
            captures=captures,
            numbers=numbers_of(captures),
        )
        counted = self._take(block, draft, found.end)
        if whole and counted is not None:
            if len(self._known) >= _MEMORY:
                self._known.clear()
            self._known[number, text] = counted
        return True

    def _note_inner(self, block: Block, number: int, found: Segment) -> None:
        """Add a signature that was counted within the present traceback to what its record holds."""
        record, counted = self._record, self._known.get((number, block.slice(found.start, found.end)))
        if record is None or counted is None or not found.short or found.start != found.line:
            self._record = None
            return
        record.inner.append(Inner(counted, found.start - record.start, found.end - record.start))

    def _close_record(self, until: int) -> None:
        """End the record of a traceback that ends, with its line break, before a position."""
        if self._record is not None and self._record.end < until:
            self._record.close()
            self._record = None

    def _cue(self, block: Block, cue: Cue, number: int, found: Segment, place: int) -> None:
        said = self._mutes.ask(block, cue, found, lambda: self._read_cue(block, cue, found, place))
        if said and cue.reader == _FRAMEWORK:
            self._told.add(number)

    def _read_cue(self, block: Block, cue: Cue, found: Segment, place: int, *, keep: bool = True) -> bool:
        """Let a reader take the lines from a cue on, unless it took them before; tell whether they meant something."""
        family = FAULT if cue.reader in _FAULTS else cue.reader
        if cue.block and self._zones.inside(block, family, found, place):
            return False
        front = front_of(block, found)
        speaker = self._reader.speaker(front)
        prefix = front[: speaker[0]]
        if cue.block and self._zones.used(family, speaker[1], place):
            return False
        traceback = keep and cue.reader == _TRACEBACK and found.start == found.line
        if traceback and self._again(block, found, speaker[1]):
            return True
        self._record = None
        lines = Lines(block, self._reader, found, speaker)
        reading = READERS[cue.reader](cue.name, lines.rows(lead=cue.lead, stack=cue.stack, block=cue.block))
        counted = [self._take(block, draft, found.end) for draft in reading.drafts] if keep else []
        if traceback and len(counted) == 1 and counted[0] is not None:
            known = self._repeats.note(block.data, (found.start, block.top), prefix, speaker[1], counted[0])
            self._record = Record(known, found.start, known.end) if known is not None else None
        if cue.block and reading.drafts and lines.ends:
            last = lines.ends[min(reading.rows, len(lines.ends)) - 1]
            self._zones.close(block, family, prefix, speaker[1], last)
        return bool(reading.drafts)

    def _again(self, block: Block, found: Segment, speaker: bytes) -> bool:
        """Count a traceback that its speaker printed before, text for text; tell whether it is one."""
        known = self._repeats.recall(block.data, found.start, block.top, speaker)
        if known is None:
            return False
        return self._count(block, known, found.start, found.end)

    def _glance(self, block: Block, at: int) -> bool:
        """Count a traceback without looking closer than at whether it is one that is known, byte for byte."""
        found = self._repeats.glance(block.data, at, block.top)
        return found is not None and self._pass(block, *found)

    def _pass(self, block: Block, known: Known, start: int) -> bool:
        """Count the known traceback that starts at a position; tell whether it needs no closer look."""
        place = block.first_byte(start)
        if self._seen[self._traceback] == place or self._zones.used(FAULT, known.speaker, place):
            return True
        if not self._count(block, known, start, block.line_end(start)):
            return False
        self._seen[self._traceback] = place
        return True

    def _count(self, block: Block, known: Known, start: int, until: int) -> bool:
        """Count a known traceback; tell whether it still counts as the same."""
        by = start - known.start
        if not self._alone(block, known, start) or not self._events.again(block, known.counted, by, until):
            return False
        self._zones.close(block, FAULT, known.prefix, known.speaker, known.end + by)
        self._skip(block, known, by)
        return True

    def _alone(self, block: Block, known: Known, start: int) -> bool:
        """Tell whether no line of its speaker above or below a known traceback gives it another meaning."""
        end = start + known.end - known.start
        header = Segment(start, block.line_end(start), start, True)
        length = len(known.prefix)
        lines = Lines(block, self._reader, header, (length, known.speaker))
        last = block.slice(block.data.rfind(b"\n", start, end) + 1 + length, end).rstrip(b"\r")
        run = self._repeats.run
        below = lines.below(end + 1, run)
        return stands_alone(lines.above(run), last[last.rfind(b"\r") + 1 :], below)

    def _skip(self, block: Block, known: Known, by: int) -> None:
        """Count what else stands in a traceback that is known, and pass over it; find out first what that is where nobody did."""
        start, end, inner = known.start + by, known.end + by, known.inner
        marks = len(self.part.marks)
        if end >= block.high:
            self._record = None
        elif inner is None or any(each.counted.marks != marks for each in inner):
            self._record = Record(known, start, end)
        else:
            for counted, low, high in inner:
                self._events.again(block, counted, start + low - counted.draft.start, start + high)
            self._record, self._done = None, end + 1

    def _ride(self, block: Block) -> None:
        """Count the known tracebacks that follow directly, those between others of their speaker many at once."""
        row = self._floods.row(block, self._done)
        flags = lone(row, block.data, block.top, self._reader.speaker)
        at = 0
        while at < len(flags):
            stop = flags.find(0, at)
            at = self._count_many(block, row, at, len(flags) if stop < 0 else stop)
            if at == len(flags):
                return
            known, start = row.known[at], row.starts[at]
            if not self._pass(block, known, start) or self._done <= start:
                return
            at += 1

    def _count_many(self, block: Block, row: Row, low: int, high: int) -> int:
        """Count known tracebacks up to one that does not count in the present attempt, or whose lines a reader has used; tell which."""
        high = usable(
            row, low, high, len(self.part.marks), lambda who, at: self._zones.used(FAULT, who, block.first_byte(at))
        )
        for known, times, start, end in passed(row, low, high):
            self._events.again(block, known.counted, start - known.start, block.line_end(start), times)
            for counted, first, last in known.inner or ():
                self._events.again(block, counted, start + first - counted.draft.start, start + last, times)
            self._zones.close(block, FAULT, known.prefix, known.speaker, end)
            self._seen[self._traceback] = block.first_byte(start)
            self._record, self._done = None, end + 1
        return high

    def _take(self, block: Block, draft: Draft, until: int) -> Counted | None:
        part = self.part
        if "world_size" in draft.numbers:
            part.world_size = max(int(draft.numbers["world_size"]), part.world_size or 0)
        if draft.kind == _FRAMEWORK:
            part.frameworks.setdefault(draft.name)
            return None
        if draft.kind == ATTEMPT and len(part.marks) < _MARKS:
            self._begin_attempt(block, draft)
        return self._events.add(block, draft, until)

    def _begin_attempt(self, block: Block, draft: Draft) -> None:
        self._ledger.book(draft.start)
        self._listen(block, draft.start)
        self._settle(block)
        self._close(block, draft.start)
        number = draft.numbers.get("attempt")
        self.part.marks.append(Mark(draft.name, None if number is None else int(number)))
        self._ledger.attempt()

    def _listen(self, block: Block, until: int) -> None:
        """Take the last lines before a position into the present attempt."""
        self.voices.listen(block, self._heard, until)
        self._heard = until

    def _close(self, block: Block, until: int, *, last: bool = True) -> None:
        """End the present attempt at a position, as far as last lines go; those of its end tell something only near the end of the artifact, in the `last` stretch."""
        told: dict[bytes, LineContext] = {}
        for each in self.voices.close():
            context = told[each.words] = self._reader.context(each.words)
            self.part.progress_of(context.subject).hear(each.citation(self._artifact.path), context.when)
        begin = block.cleaning.at(max(self._begun - block.base, 0))
        timed: dict[Subject, bool] = {}
        whose: dict[Hashable, Subject] = {}
        for words, part in self.voices.ending(block, begin, until) if last else ():
            key = self._reader.about(words)
            subject = whose.get(key)
            if subject is not None and (timed[subject] or not self._reader.may_date(words)):
                continue
            context = told.get(words) or self._reader.context(words)
            subject = whose[key] = context.subject
            if subject not in timed:
                closing = heard(block, words, part).citation(self._artifact.path)
                self.part.progress_of(subject).close(closing, context.when)
                timed[subject] = context.when is not None
            elif not timed[subject] and context.when is not None:
                self.part.progress_of(subject).date(context.when, block.first_byte(part.start))
                timed[subject] = True
        self._begun = block.first_byte(until)
