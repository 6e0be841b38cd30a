"""Pickles of plain lists, dicts, texts and numbers, read opcode by opcode. Nothing is ever imported, built or called.

Only two names may occur in them, `restore_type_tag` and `build_*list` of PyTorch's own writer: they stand for their first argument.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

_SAME: Final = object()
"""What an allowed name stands for: a call of it gives back its first argument."""
_NAMES: Final = frozenset(
    ["restore_type_tag", "build_intlist", "build_doublelist", "build_boollist", "build_tensorlist"]
)
_STOP: Final = 0x2E
_RECALL: Final = 0x68
"""The most frequent opcode by far: dumps repeat their keys."""
_OPCODES: Final = 30_000_000
_DEEP: Final = 2_000


class RefusedError(ValueError):
    """The pickle holds what only code could make, or is none."""


class CutError(ValueError):
    """The pickle ends in the middle; `whole` holds the dicts that were complete, in order."""

    def __init__(self, whole: list[dict[str, Any]]) -> None:
        super().__init__("ends in the middle")
        self.whole = whole


def load(content: bytes) -> object:
    """Return the plain value of a pickle. Raises `RefusedError` and `CutError`."""
    return _Reader(content).run()


class _Reader:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}
        self._whole: list[dict[str, Any]] = []

    def run(self) -> object:
        content, table, memo, push = self._content, _TABLE, self._memo, self._stack.append
        try:
            for _ in range(_OPCODES):
                code = content[self._at]
                self._at += 1
                if code == _RECALL:
                    push(memo[content[self._at]])
                    self._at += 1
                elif code == _STOP:
                    return self._stack.pop()
                else:
                    table[code](self)
        except (IndexError, struct.error):
            if self._at >= len(content):
                raise CutError(self._whole) from None
            raise RefusedError("is no pickle of plain values") from None
        except RefusedError:
            raise
        except (KeyError, TypeError, AttributeError, ValueError):
            raise RefusedError("is no pickle of plain values") from None
        raise RefusedError("is too long")

    def take(self, count: int) -> bytes:
        piece = self._content[self._at : self._at + count]
        self._at += count
        if len(piece) < count:
            raise IndexError
        return piece

    def number(self, form: str, count: int) -> int:
        return struct.unpack(form, self.take(count))[0]

    def push(self, value: object) -> None:
        self._stack.append(value)

    def mark(self) -> None:
        self._marks.append(len(self._stack))
        if len(self._marks) > _DEEP:
            raise RefusedError("is nested too deeply")

    def marked(self) -> list[Any]:
        start = self._marks.pop()
        items = self._stack[start:]
        del self._stack[start:]
        return items

    def memoize(self, key: int | None = None) -> None:
        self._memo[len(self._memo) if key is None else key] = self._stack[-1]

    def recall(self, key: int) -> None:
        self._stack.append(self._memo[key])

    def text(self, count: int) -> None:
        self._stack.append(self.take(count).decode("utf-8", "surrogatepass"))

    def set_items(self) -> None:
        items = self.marked()
        target: dict[str, Any] = self._stack[-1]
        target.update(zip(items[::2], items[1::2], strict=True))
        self._whole.append(target)

    def set_item(self) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._stack[-1][key] = value

    def append(self) -> None:
        value = self._stack.pop()
        self._stack[-1].append(value)

    def appends(self) -> None:
        items = self.marked()
        self._stack[-1].extend(items)

    def last(self, count: int) -> None:
        items = tuple(self._stack[len(self._stack) - count :])
        del self._stack[len(self._stack) - count :]
        self._stack.append(items)

    def name(self) -> None:
        end = self._content.index(b"\n", self._at)
        then = self._content.index(b"\n", end + 1)
        module, name = self._content[self._at : end], self._content[end + 1 : then].decode("ascii")
        if module != b"torch.jit._pickle" or name not in _NAMES:
            raise RefusedError("names code to run")
        self._at = then + 1
        self._stack.append(_SAME)

    def reduce(self) -> None:
        arguments, called = self._stack.pop(), self._stack.pop()
        if called is not _SAME:
            raise RefusedError("names code to run")
        self._stack.append(arguments[0])

    def long(self, count: int) -> None:
        if count > 64:
            raise RefusedError("holds an absurd number")
        self._stack.append(int.from_bytes(self.take(count), "little", signed=True))


_Step = Callable[[_Reader], object]
_TABLE: Final[dict[int, _Step]] = {
    0x80: lambda r: r.take(1),
    0x95: lambda r: r.take(8),
    0x7D: lambda r: r.push({}),
    0x5D: lambda r: r.push([]),
    0x29: lambda r: r.push(()),
    0x28: lambda r: r.mark(),
    0x4E: lambda r: r.push(None),
    0x88: lambda r: r.push(True),
    0x89: lambda r: r.push(False),
    0x4B: lambda r: r.push(r.take(1)[0]),
    0x4D: lambda r: r.push(r.number("<H", 2)),
    0x4A: lambda r: r.push(r.number("<i", 4)),
    0x8A: lambda r: r.long(r.take(1)[0]),
    0x47: lambda r: r.push(r.number(">d", 8)),
    0x58: lambda r: r.text(r.number("<I", 4)),
    0x8C: lambda r: r.text(r.take(1)[0]),
    0x71: lambda r: r.memoize(r.take(1)[0]),
    0x72: lambda r: r.memoize(r.number("<I", 4)),
    0x94: lambda r: r.memoize(),
    0x6A: lambda r: r.recall(r.number("<I", 4)),
    0x75: lambda r: r.set_items(),
    0x73: lambda r: r.set_item(),
    0x61: lambda r: r.append(),
    0x65: lambda r: r.appends(),
    0x85: lambda r: r.last(1),
    0x86: lambda r: r.last(2),
    0x87: lambda r: r.last(3),
    0x74: lambda r: r.push(tuple(r.marked())),
    0x63: lambda r: r.name(),
    0x52: lambda r: r.reduce(),
}
"""Every opcode that may occur; any other one ends the reading."""
