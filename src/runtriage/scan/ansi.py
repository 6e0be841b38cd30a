"""Takes terminal codes out of bytes and remembers where they were."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from msgspec import Struct, field

from runtriage.model.pattern import deferred

CODES: Final = deferred(
    rb"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,2048}(?:\x07|\x1b\\)|[()*+][0-9A-Za-z]|[@-Z\\^_=>78])"
)


class Clean(Struct):
    """Text without codes. `cuts` are the positions in it where codes stood, `sums` how many bytes are gone up to each."""

    data: bytes | bytearray
    cuts: list[int] = field(default_factory=list[int])
    sums: list[int] = field(default_factory=list[int])

    def start(self, at: int) -> int:
        """Return the raw position of what starts here: codes in front of it belong to it."""
        index = bisect_left(self.cuts, at)
        return at + (self.sums[index - 1] if index else 0)

    def end(self, at: int) -> int:
        """Return the raw position of what ends here: codes behind it belong to it."""
        index = bisect_right(self.cuts, at)
        return at + (self.sums[index - 1] if index else 0)

    def at(self, raw: int) -> int:
        """Return the position in the text of a raw position (of the byte behind it, when it lies in a code)."""
        low, high = 0, len(self.cuts)
        while low < high:
            middle = (low + high) // 2
            if self.cuts[middle] + self.sums[middle] <= raw:
                low = middle + 1
            else:
                high = middle
        removed = self.sums[low - 1] if low else 0
        return min(raw - removed, self.cuts[low]) if low < len(self.cuts) else raw - removed


def raw_only(buffer: bytearray) -> Clean:
    """Wrap text that holds no codes."""
    return Clean(buffer)


def clean(buffer: bytearray, size: int) -> Clean:
    """Take the codes out of the first `size` bytes."""
    pieces: list[bytes] = []
    cuts: list[int] = []
    sums: list[int] = []
    at = length = 0
    with memoryview(buffer) as view:
        for code in CODES.finditer(view[:size]):
            start, end = code.span()
            pieces.append(bytes(view[at:start]))
            length += start - at
            removed = end - length
            if cuts and cuts[-1] == length:
                sums[-1] = removed
            else:
                cuts.append(length)
                sums.append(removed)
            at = end
        pieces.append(bytes(view[at:size]))
    return Clean(b"".join(pieces), cuts, sums)
