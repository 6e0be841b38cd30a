"""Patterns that are compiled when they are first needed: most runs of the program meet few of them, and all wait for its start."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


class Lazy:
    """A regular expression with the methods of `re.Pattern` that are used here."""

    __slots__ = ("_compiled", "_flags", "_pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = pattern
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The compiled pattern."""
        if self._compiled is None:
            self._compiled = re.compile(self._pattern, self._flags)
        return self._compiled

    def search(self, text: str, start: int = 0, end: int = 1 << 62) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        return self.compiled.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = 1 << 62) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        return self.compiled.match(text, start, end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As `re.Pattern.fullmatch`."""
        return self.compiled.fullmatch(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """As `re.Pattern.sub`."""
        return self.compiled.sub(replacement, text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        return self.compiled.finditer(text)

    def findall(self, text: str) -> list[str]:
        """As `re.Pattern.findall` for a pattern without groups."""
        return self.compiled.findall(text)
