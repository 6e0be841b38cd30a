"""One line on a terminal that tells how far reading has come."""

from __future__ import annotations

import sys
import time
from typing import Final, TextIO

_QUIET: Final = 1.0
"""Seconds before anything is shown: most diagnoses are done by then."""
_EVERY: Final = 0.1


class ProgressLine:
    """Shows bytes read, their speed and what was found so far."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = self._shown = time.monotonic()
        self._before = 0
        self._last = 0
        self._width = 0

    def advance(self, read: int, total: int | None, findings: int) -> None:
        """Take in how far one artifact was read; the next artifact starts again at a smaller number."""
        if read < self._last:
            self._before += self._last
        self._last = read
        now = time.monotonic()
        if now - self._started < _QUIET or now - self._shown < _EVERY:
            return
        self._shown = now
        done = self._before + read
        share = f"{read / total:4.0%} " if total else ""
        found = f", {findings} kinds of event" if findings else ""
        self._write(f"reading {share}({done / 1e6:,.0f} MB, {done / 1e6 / (now - self._started):,.0f} MB/s{found})")

    def erase(self) -> None:
        """Leave the terminal as it was."""
        if self._width:
            self._write("")
            self._stream.write("\r")
            self._stream.flush()

    def _write(self, text: str) -> None:
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)


def for_terminal() -> ProgressLine | None:
    """Return a progress line on standard error when a person watches it there."""
    return ProgressLine(sys.stderr) if sys.stderr is not None and sys.stderr.isatty() else None
