"""Up to where readers have used the lines of those who speak in an artifact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from runtriage.scan.block import Block
from runtriage.scan.result import Zone
from runtriage.scan.segment import Segment

FAULT: Final = "fault"


class Zones:
    """Where the zones end, by family of readers and speaker; the one that was closed last is recognised by its prefix."""

    def __init__(self) -> None:
        self._ends: dict[Zone, int] = {}
        self._last: tuple[str, bytes, int] = ("", b"", -1)

    def enter(self, zones: Mapping[Zone, int]) -> None:
        """Take over what was used before."""
        self._ends.update(zones)

    def open(self, at: int) -> dict[Zone, int]:
        """Return the zones that end behind an offset."""
        return {zone: end for zone, end in self._ends.items() if end > at}

    def used(self, family: str, speaker: bytes, place: int) -> bool:
        """Tell whether a reader has used a speaker's line at an offset."""
        return place < self._ends.get((family, speaker), -1)

    def close(self, block: Block, family: str, prefix: bytes, speaker: bytes, end: int) -> None:
        """Remember up to where in a block a reader has used a speaker's lines."""
        place = block.first_byte(end)
        self._ends[family, speaker] = place
        self._last = (family, prefix, place)

    def inside(self, block: Block, family: str, found: Segment, place: int) -> bool:
        """Tell quickly whether a line lies in the zone that was closed last."""
        zone, prefix, end = self._last
        return (
            zone == family
            and bool(prefix)
            and place < end
            and found.line >= 0
            and block.data.startswith(prefix, found.line)
        )
