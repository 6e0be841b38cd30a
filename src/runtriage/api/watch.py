"""Work that can be told to stop, and told how far it is."""

from __future__ import annotations

import time

from runtriage.model.target import Progress


class StoppedError(BaseException):
    """Raised inside the work when it shall end; no handler of the work's own faults may take it for one."""


class Watch:
    """Hears of progress in the working thread; raises there once it was told to stop or its seconds are over."""

    def __init__(self, seconds: float | None = None, further: Progress | None = None) -> None:
        self.read = 0
        self.total: int | None = None
        self.stopped = False
        self._until = None if seconds is None else time.monotonic() + seconds
        self._further = further

    def advance(self, read: int, total: int | None, findings: int) -> None:
        """Take in how far reading has come."""
        self.read, self.total = read, total
        if self.stopped or (self._until is not None and time.monotonic() > self._until):
            raise StoppedError
        if self._further is not None:
            self._further.advance(read, total, findings)
