"""Lines that differ in their digits alone: what a pattern finds in one of them it finds in all, so it is looked for once.

Rows of a log, and the logs of all ranks of a run, are such lines. The `form` of a line has a zero in place of every digit.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.scan.loosen import digits_alike

FORMS: Final = 512
"""Forms of which it is remembered what a pattern finds in them."""
_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")


def form_of(line: bytes) -> bytes:
    """Return a line with zeros for its digits; every place in it stays the same."""
    return line.translate(_ZEROS)


def form_of_text(text: str) -> str:
    """Return the same of a text."""
    return text.encode("utf-8", "surrogatepass").translate(_ZEROS).decode("utf-8", "surrogatepass")


class Alike:
    """A pattern for texts; no assertion in it that something does not follow or stand before may name a digit."""

    def __init__(self, regex: str, flags: int = 0) -> None:
        self.pattern = deferred(regex, flags)
        self._regex, self._flags = regex, flags
        self._broad: re.Pattern[str] | None = None
        self.may = lru_cache(FORMS)(self._may)

    @property
    def broad(self) -> re.Pattern[str]:
        """What is found in a form, at the same place, wherever the pattern is found in some text of that form."""
        if self._broad is None:
            alike = digits_alike(self._regex)
            self._broad = self.pattern if alike == self._regex else deferred(alike, self._flags)
        return self._broad

    def _may(self, form: str) -> bool:
        """Tell whether the pattern is found in some text of a form."""
        return self.broad.search(form) is not None

    def found(self, text: str, form: str) -> bool:
        """Tell whether the pattern is found in a text of a form."""
        return self.may(form) and (self.broad is self.pattern or self.pattern.search(text) is not None)

    def search(self, text: str, form: str) -> re.Match[str] | None:
        """Return where the pattern is found first in a text of a form."""
        return self.pattern.search(text) if self.may(form) else None

    def findall(self, text: str, form: str) -> list[str]:
        """Return all that the pattern, which has no groups, finds in a text of a form."""
        return self.pattern.findall(text) if self.may(form) else []
