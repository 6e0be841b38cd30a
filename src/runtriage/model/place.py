"""Where in the world a claim can be read again."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Citation(Struct, frozen=True, kw_only=True):
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


class Placed(Protocol):
    """What a citation must tell to be shown and compared: the frozen value and its form in the report both do."""

    @property
    def artifact(self) -> str:
        """Path relative to the target, or URL."""
        ...

    @property
    def first_line(self) -> int | None:
        """1-based."""
        ...

    @property
    def last_line(self) -> int | None:
        """1-based."""
        ...

    @property
    def byte_start(self) -> int | None:
        """From 0; negative where it is counted from the end."""
        ...

    @property
    def pointer(self) -> str | None:
        """JSON pointer."""
        ...

    @property
    def series(self) -> str | None:
        """Name of a metric."""
        ...

    @property
    def table(self) -> str | None:
        """Name of a table."""
        ...

    @property
    def key(self) -> str | None:
        """Row of the table."""
        ...


def where(citation: Placed) -> str:
    """Return a citation the way editors take it, `file:line`, or the nearest thing to it."""
    if citation.first_line is not None:
        return f"{citation.artifact}:{citation.first_line}"
    if citation.pointer is not None:
        return f"{citation.artifact}#{citation.pointer}"
    if citation.series is not None:
        return f"{citation.artifact} [{citation.series}]"
    if citation.table is not None:
        return f"{citation.artifact} [{citation.table} {citation.key or ''}]".replace(" ]", "]")
    return citation.artifact


def byte_of(place: Placed | None) -> int:
    """Return at which byte of its artifact a place begins.

    It is 0 where that is not known, as for a JSON pointer or a row of a table, and where there is no place: such a place stands
    before all others. It is negative where only the distance from the end is known.
    """
    return 0 if place is None or place.byte_start is None else place.byte_start


def offset_of(place: Placed | None) -> int:
    """Return where in its artifact a place begins; lines stand in for bytes where only they are known."""
    return line_of(place) if place is None or place.byte_start is None else place.byte_start


def line_of(place: Placed | None) -> int:
    """Return on which line, 1-based, a place begins; 0, before all others, where that is not known or there is no place."""
    return 0 if place is None or place.first_line is None else place.first_line


def last_line_of(place: Placed | None) -> int:
    """Return on which line, 1-based, a place ends; 0, before all others, where that is not known or there is no place."""
    return 0 if place is None else place.last_line or line_of(place)
