"""A program started as if we were not there: its terminal, its signals and its end are its own."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct

from runtriage.launch.wires import Take, Wires, lay, pump
from runtriage.launch.witness import Witness

_FORWARDED: Final = tuple(
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH")
    if (number := getattr(signal, name, None)) is not None
)
_DEFAULT: Final = tuple(
    number for name in ("SIGPIPE", "SIGXFSZ") if (number := getattr(signal, name, None)) is not None
)
"""Signals Python ignores for itself and no child expects to be ignored."""
Mask = set[int] | set[signal.Signals]
_NOT_FOUND: Final = 127
_NOT_RUNNABLE: Final = 126


class Ended(Struct, frozen=True):
    """How the child ended: an exit code, or the signal that ended it. `interrupted` when the user asked for it."""

    code: int
    signal: int | None = None
    interrupted: bool = False
    problem: str | None = None
    """Why it never started."""


class Child:
    """One run of a command."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self.interrupted = False
        self._status = 0
        self._over = False
        self._witness: Witness | None = None
        self.pid = 0

    def run(self, take: Take, idle: Callable[[], float | None], started: Callable[[int], None]) -> Ended:
        """Start the command, pass its output on, and return how it ended."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _FORWARDED)
        self._witness = Witness.start(_FORWARDED)
        try:
            return self._run(before, take, idle, started)
        finally:
            self._over = True
            if self._witness is not None:
                self._witness.end()

    def _run(self, before: Mask, take: Take, idle: Callable[[], float | None], started: Callable[[int], None]) -> Ended:
        wires = lay()
        try:
            self.pid = self._spawn(wires, before)
        except OSError as error:
            code = _NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_RUNNABLE
            return Ended(code, problem=(error.strerror or "cannot be started").lower())
        finally:
            wires.close_given()
        if self._witness is not None:
            self._witness.guard(self.pid)
        started(self.pid)
        ended, tell = os.pipe()
        threading.Thread(target=self._signals, args=(wires,), daemon=True).start()
        waiter = threading.Thread(target=self._wait, args=(tell,), daemon=True)
        waiter.start()
        pump(wires, ended, take, idle)
        waiter.join()
        os.close(ended)
        return self._end()

    def _spawn(self, wires: Wires, mask: Mask) -> int:
        actions = [(os.POSIX_SPAWN_DUP2, wires.given(number), number) for number in (1, 2) if wires.wires]
        return os.posix_spawnp(
            self._command[0],
            list(self._command),
            os.environ,
            file_actions=actions,
            setsigmask=mask,
            setsigdef=_DEFAULT,
        )

    def _signals(self, wires: Wires) -> None:
        while not self._over:
            number = int(signal.sigwait(_FORWARDED))
            if number == signal.SIGINT:
                self.interrupted = True
            if number == getattr(signal, "SIGWINCH", None):
                wires.resize()
            elif not self._over and (self._witness is None or not self._witness.saw(number)):
                with suppress(OSError):
                    os.kill(self.pid, number)

    def _wait(self, tell: int) -> None:
        _, self._status = os.waitpid(self.pid, 0)
        os.close(tell)

    def _end(self) -> Ended:
        code = os.waitstatus_to_exitcode(self._status)
        if code < 0:
            return Ended(128 - code, signal=-code, interrupted=self.interrupted)
        return Ended(code, interrupted=self.interrupted)


def leave(ended: Ended) -> int:
    """End this process by the signal that ended the child, so that whoever started us sees the same; else return its code."""
    if ended.signal is None:
        return ended.code
    import resource

    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    number = ended.signal
    with suppress(OSError, ValueError):
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        signal.pthread_kill(threading.get_ident(), number)
    return ended.code
