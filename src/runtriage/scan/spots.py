"""Notes where words stand that parsers look for: the engine sees every line anyway."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.model.spots import Spot
from runtriage.scan.block import Block
from runtriage.scan.contract import WORDS
from runtriage.scan.find import Hit
from runtriage.scan.result import Part
from runtriage.scan.rules import Rule


class Spots:
    """The stretches of one part in which such words stand: from the line of the first find in a piece that was searched at once to the end of its block."""

    def __init__(self, part: Part, rules: Sequence[Rule]) -> None:
        self._part = part
        self._names = {
            at: rule.name for at, rule in enumerate(rules) if rule.cue is not None and rule.cue.reader == WORDS
        }

    def others(self, block: Block, hits: Iterator[Hit]) -> Iterator[Hit]:
        """Yield the hits that are for readers; take note of the others, and of every block that begins within a line."""
        for name in self._names.values() if block.head else ():
            self._note(block, name, block.low + 1)
        for hit in hits:
            name = self._names.get(hit[1])
            if name is None:
                yield hit
            else:
                self._note(block, name, hit[0])

    def _note(self, block: Block, name: str, at: int) -> None:
        found = self._part.spots.setdefault(name, [])
        end = block.first_byte(block.high)
        if found and found[-1].end >= end:
            return
        line = max(block.data.rfind(b"\n", block.low, at - 1) + 1, block.low)
        start = block.first_byte(line)
        if found and found[-1].end >= start:
            found[-1].end = end
        else:
            found.append(Spot(start, end, block.line_number(line)))
