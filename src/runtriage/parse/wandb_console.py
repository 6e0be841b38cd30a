"""What a run printed, put together again from pieces of lines of two streams."""

from __future__ import annotations

_HEAD = 16 << 20
_TAIL = 48 << 20
_LINE = 1 << 20


class Console:
    """Lines in the order in which they were completed; of a very long output the beginning and the end are kept."""

    def __init__(self) -> None:
        self._open = {0: "", 1: ""}
        self._head = bytearray()
        self._tail = bytearray()
        self.cut: str | None = None

    def add(self, stream: int, piece: str) -> None:
        """Take a piece of one stream in."""
        held = self._open.get(stream, "") + piece
        done, mark, rest = held.rpartition("\n")
        if mark:
            self._put(done + mark)
        if len(rest) > _LINE:
            self._put(rest + "\n")
            rest = ""
        self._open[stream] = rest

    def _put(self, lines: str) -> None:
        content = lines.encode("utf-8", "replace")
        if len(self._head) < _HEAD:
            self._head += content
            return
        self._tail += content
        if len(self._tail) > 2 * _TAIL:
            del self._tail[: len(self._tail) - _TAIL]
            del self._tail[: self._tail.find(b"\n") + 1]
            self.cut = "of the console only the first 16 MiB and the last lines were read"

    def text(self) -> bytes:
        """Return the lines, unfinished ones last."""
        rest = "".join(f"{piece}\n" for _, piece in sorted(self._open.items(), reverse=True) if piece)
        return bytes(self._head + self._tail) + rest.encode("utf-8", "replace")
