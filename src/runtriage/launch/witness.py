"""A silent process of our own process group. It tells whether a signal was meant for the whole group: then the wrapped command has it
already. And it ends the command when we are killed outright, as whoever killed us meant to."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Final, Self

_PATIENCE: Final = 0.02
"""Seconds in which a signal that was sent to a group reaches all of it."""
_STEP: Final = 0.002
_HIGHEST: Final = 4096
"""Descriptors up to here are let go of; a process that starts another one seldom holds more than ten."""
_BYE: Final = 0
_GUARD: Final = 255
_NUMBER: Final = 4
_SEEN: Final = b"\1"
_UNSEEN: Final = b"\0"


class Witness:
    """Answers questions over a pipe, holds no stream open, and ends with us."""

    def __init__(self, pid: int, ask: int, answer: int) -> None:
        self._pid = pid
        self._ask = ask
        self._answer = answer

    @classmethod
    def start(cls, signals: Collection[int]) -> Self | None:
        """Start one with these signals blocked; None where no process can be had. Call it before there are threads."""
        asked, ask = os.pipe()
        answer, answered = os.pipe()
        try:
            pid = os.fork()
        except OSError:
            for descriptor in (asked, ask, answer, answered):
                os.close(descriptor)
            return None
        if pid == 0:
            try:
                _serve(asked, answered, signals)
            finally:
                os._exit(0)
        os.close(asked)
        os.close(answered)
        return cls(pid, ask, answer)

    def saw(self, number: int) -> bool:
        """Tell whether the signal that we just got came to it too; each signal is told of once."""
        with suppress(OSError):
            os.write(self._ask, bytes([number]))
            return os.read(self._answer, 1) == _SEEN
        return False

    def guard(self, pid: int) -> None:
        """Have a process end that would outlive us."""
        with suppress(OSError):
            os.write(self._ask, bytes([_GUARD]) + pid.to_bytes(_NUMBER, "little"))

    def end(self) -> None:
        """Let it go, and what it guards."""
        with suppress(OSError):
            os.write(self._ask, bytes([_BYE]))
        os.close(self._ask)
        os.close(self._answer)
        with suppress(OSError):
            os.waitpid(self._pid, 0)


def _serve(asked: int, answered: int, signals: Collection[int]) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    os.dup2(asked, 0)
    os.dup2(answered, 1)
    os.closerange(2, _HIGHEST)
    guarded = 0
    while question := os.read(0, 1):
        if question[0] == _BYE:
            return
        if question[0] == _GUARD:
            guarded = int.from_bytes(os.read(0, _NUMBER), "little")
        else:
            os.write(1, _SEEN if _pending(question[0]) else _UNSEEN)
    if guarded:
        os.kill(guarded, signal.SIGKILL)


def _pending(number: int) -> bool:
    until = time.monotonic() + _PATIENCE
    while number not in signal.sigpending():
        if time.monotonic() > until:
            return False
        time.sleep(_STEP)
    signal.sigwait([number])
    return True
