"""Passes over long runs of metric lines that no pattern can match, whatever digits they print."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from runtriage.model.pattern import deferred
from runtriage.model.programs import PROGRAMS
from runtriage.scan.find import Finder, Hit, Span
from runtriage.scan.loosen import digits_alike
from runtriage.scan.rules import Rule

if TYPE_CHECKING:
    from runtriage.scan.bulk import Batch

_DIGIT: Final = deferred(rb"\d")
_RUN: Final = 32 * 1024
"""Bytes of a run of lines from which on passing over it is quicker than looking."""
_SHAPES: Final = 16
"""Shapes that are looked at in one block; each must wake nothing together with each."""

Stretch = tuple[int, int]
"""Where a stretch begins and ends, both at the beginning of a line."""


class Passing:
    """A finder that does not look at lines of known shapes which can wake nothing; what it finds is the same."""

    def __init__(self, finder: Finder, rules: Sequence[Rule]) -> None:
        self._finder = finder
        self._rules = rules
        self._wakes: dict[tuple[bytes, bytes], frozenset[int]] = {}
        self._held: dict[bytes, frozenset[int]] = {}
        self.stretches: list[Stretch] = []
        """What is passed over in the present block, in order."""
        self._literals: list[tuple[int, bytes]] = []
        self._choosy: list[tuple[int, re.Pattern[bytes]]] = []
        self._cues = {rule.name: number for number, rule in enumerate(rules) if rule.cue is not None}

    def cue(self, name: str) -> int:
        """Return the number of a cue, or -1 where it is not looked for."""
        return self._cues.get(name, -1)

    def find(self, data: bytes | bytearray, span: Span, mute: Collection[int] = ()) -> list[Hit]:
        """See `runtriage.scan.find.Finder`."""
        if not self.stretches:
            return self._finder.find(data, span, mute)
        return [hit for part in _around(span, self.stretches) for hit in self._finder.find(data, part, mute)]

    def know(self, batches: Sequence[Batch], told: Collection[int]) -> None:
        """Take note of the lines of a block that were read; rules that are `told` are not looked for."""
        self.stretches = []
        shaped = [(batch, batch.shape.sample) for batch in batches if batch.own and batch.shape is not None]
        samples = dict.fromkeys(sample for _, sample in shaped)
        quiet = [one for one in samples if self._woken(one, one) <= {*told}][:_SHAPES]
        quiet = [one for one in quiet if all(self._woken(one, other) <= {*told} for other in quiet)]
        silent = [batch for batch, sample in shaped if sample in quiet]
        if silent:
            from runtriage.scan.bulk_runs import runs

            self.stretches = runs(silent, _RUN)

    def _woken(self, line: bytes, following: bytes) -> frozenset[int]:
        """Return the rules that a line and the one behind it might wake with some digits."""
        known = self._wakes.get((line, following))
        if known is None:
            text = b"\n%b\n%b\n" % (line, following)
            found = {number for _, number in self._finder.find(text, Span(0, 0, len(text)))}
            found |= self._holding(line) | self._holding(following) | set(self._others(_DIGIT.sub(b"0", text)))
            known = self._wakes[line, following] = frozenset(found)
        return known

    def prepare(self) -> None:
        """Find the rules that care for digits, once: processes that are forked later need not do it."""
        if self._literals or self._choosy:
            return
        self._literals = [
            (number, _DIGIT.sub(b"0", rule.literal)) for number, rule in enumerate(self._rules) if rule.literal
        ]
        for number, rule in enumerate(self._rules):
            alike = rule.expression.regex if rule.literal else digits_alike(rule.expression.regex)
            if alike != rule.expression.regex:
                flags = re.IGNORECASE if rule.expression.ignore_case else 0
                self._choosy.append((number, PROGRAMS.compiled(alike.encode(), flags)))

    def _holding(self, line: bytes) -> frozenset[int]:
        """Return the rules whose literal a line holds with some digits; none goes on behind a line."""
        known = self._held.get(line)
        if known is None:
            self.prepare()
            text = b"\n%b\n" % _DIGIT.sub(b"0", line)
            known = self._held[line] = frozenset(number for number, literal in self._literals if literal in text)
        return known

    def _others(self, text: bytes) -> Iterator[int]:
        """Yield the rules without a literal that care which digit stands somewhere and might match a text whose digits are all zeros."""
        self.prepare()
        yield from (number for number, pattern in self._choosy if pattern.search(text) is not None)


def _around(span: Span, stretches: Sequence[Stretch]) -> Iterator[Span]:
    """Yield what is left of a span without some stretches."""
    start, low, high, origin = span.start, span.low, span.high, span.origin
    for begin, end in stretches:
        if begin <= low or end >= high:
            continue
        yield Span(start, low, begin, origin)
        start = low = end
    yield Span(start, low, high, origin)
