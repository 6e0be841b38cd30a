"""Where in the world a claim can be read again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A place in an artifact: lines, a JSON pointer, a window of a series, or a row of a table.

    Lines are 1-based, split on `\\n` only, in decompressed text; both are None where only the distance from the end of the
    artifact is known, and then `byte_start` and `byte_end` are negative (bytes from the end). `sha256` is the hex digest of
    the raw bytes from `byte_start` to `byte_end`.
    """

    artifact: str
    first_line: int | None = None
    last_line: int | None = None
    pointer: str | None = None
    series: str | None = None
    first_step: float | None = None
    last_step: float | None = None
    table: str | None = None
    key: str | None = None
    byte_start: int | None = None
    byte_end: int | None = None
    sha256: str | None = None

    def __post_init__(self) -> None:
        located = (self.first_line, self.pointer, self.series, self.table, self.byte_start)
        if not self.artifact or all(part is None for part in located):
            raise ValueError("a citation names an artifact and a place in it")
