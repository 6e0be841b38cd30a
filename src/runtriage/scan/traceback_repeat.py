"""Knows a traceback again that one speaker printed before, text for text, so that a flood of them is counted and not read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from runtriage.scan.contract import Reading
from runtriage.scan.draft import Draft

_READ: Final = 3
"""So many equal ones are read before the next is taken as known."""
_KNOWN: Final = 4096
_TALL: Final = 32 * 1024
_PARTICULAR: Final = ("chain", "logged", "remote", "ignored", "thread", "truncated")
"""Captures that depend on what stands around a traceback."""


@dataclass(slots=True)
class _Known:
    """One text: its only draft, counted from the text's start, and how often it was read."""

    draft: Draft
    times: int = 1


class Repeats:
    """The tracebacks of one artifact by speaker and text."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int, int], _Known] = {}

    def recall(self, data: bytes | bytearray, start: int, stop: int, speaker: bytes) -> Draft | None:
        """Return the draft of the traceback whose header line begins at `start` if it is known; it ends where the draft does."""
        found = _shape(speaker).match(data, start, min(stop, start + _TALL))
        if found is None:
            return None
        known = self._known.get((speaker, len(found.group()), hash(found.group())))
        return _moved(known.draft, start) if known is not None and known.times >= _READ else None

    def note(self, data: bytes | bytearray, start: int, stop: int, speaker: bytes, reading: Reading) -> None:
        """Remember what was read of the traceback whose header line begins at `start`, if nothing around it mattered."""
        found = _shape(speaker).match(data, start, min(stop, start + _TALL))
        if found is None or len(reading.drafts) != 1:
            return
        draft = reading.drafts[0]
        if draft.end != found.end() or any(name in draft.captures for name in _PARTICULAR):
            return
        key = (speaker, len(found.group()), hash(found.group()))
        if (known := self._known.get(key)) is not None:
            known.times += 1
        elif len(self._known) < _KNOWN:
            self._known[key] = _Known(_moved(draft, -start))


@lru_cache(maxsize=4096)
def _shape(speaker: bytes) -> re.Pattern[bytes]:
    """A header line, indented lines of the same speaker, and one line more."""
    front = re.escape(speaker) + b"(?> ?)" if speaker else b""
    return re.compile(rb"[^\n]*\n(?>(?:" + front + rb" {2,}[^\n]*\n)+)" + front + rb"[^\s][^\n]*(?=\n)")


def _moved(draft: Draft, by: int) -> Draft:
    numbers = {name: value + by if name in ("from", "to") else value for name, value in draft.numbers.items()}
    return replace(draft, start=draft.start + by, end=draft.end + by, numbers=numbers)
