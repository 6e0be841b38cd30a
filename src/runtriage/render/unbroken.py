"""One line stays one line, whatever the names in it hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def unbroken(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines without breaks inside: the name of a process, file or group may hold some, and must not begin a line of its own."""
    return (line if "\n" not in line else " ".join(line.split("\n")) for line in lines)
