"""One file of a checkpoint, as its header tells it."""

from __future__ import annotations

from msgspec import Struct

from runtriage.model.target import Seekable


class Verdict(Struct, frozen=True):
    """Whether a file is whole: None where its format cannot tell; `problem` says what is wrong."""

    valid: bool | None
    problem: str | None = None


WHOLE = Verdict(valid=True)
UNTOLD = Verdict(valid=None)


def broken(problem: str) -> Verdict:
    """Return the verdict on a file that is not whole."""
    return Verdict(valid=False, problem=problem)


class Piece(Struct, frozen=True, kw_only=True):
    """One file. `needs` are files that must lie beside it, `points_to` is the folder or file a pointer names."""

    path: str
    size: int
    mtime: float | None
    format: str
    verdict: Verdict = UNTOLD
    needs: tuple[str, ...] = ()
    points_to: str | None = None
    optimizer: bool | None = None
    """Whether the state of an optimizer is in it, None where that cannot be told."""
    rng: bool | None = None
    """Whether the state of random generators is in it, None where that cannot be told."""


def read_at(stream: Seekable, offset: int, count: int) -> bytes:
    """Return `count` bytes from an offset, fewer at the end of the file."""
    stream.seek(offset)
    buffer = bytearray(count)
    view = memoryview(buffer)
    filled = 0
    while filled < count:
        got = stream.readinto(view[filled:])
        if got == 0:
            break
        filled += got
    return bytes(buffer[:filled])
