"""The child's output on its way through: passed on at once, byte for byte, and kept."""

from __future__ import annotations

import errno
import os
import selectors
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec import Struct, field

_CHUNK: Final = 1 << 16
_PIPE: Final = 1 << 20
_DRAIN: Final = 0.2
"""Seconds without output after which a dead child's pipe is held open by some daemon it left behind."""
_SIZE: Final = struct.calcsize("HHHH")

Take = Callable[[str, bytes], None]
"""Called with `stdout`, `stderr` or `terminal`, and what was written there."""


class Wire(Struct):
    """One stream of the child: `source` is our end, `given` the child's, `sink` where it was meant to go."""

    name: str
    source: int
    given: int
    sink: int


class Wires(Struct):
    """Both streams; a terminal stays a terminal for the child, and one terminal for both stays one."""

    wires: list[Wire] = field(default_factory=list[Wire])
    terminal: Wire | None = None

    def given(self, number: int) -> int:
        """Return the child's descriptor of stream 1 or 2."""
        own = next((wire for wire in self.wires if wire.sink == number), None)
        return (own or self.terminal or self.wires[0]).given

    def resize(self) -> None:
        """Give the child's terminal the size of ours."""
        if self.terminal is not None:
            _copy_size(self.terminal.sink, self.terminal.source)

    def close_given(self) -> None:
        """Let go of the child's ends in this process."""
        for wire in self.wires:
            os.close(wire.given)


def lay() -> Wires:
    """Make the streams of a child out of our own standard output and error."""
    laid = Wires()
    for number, name in ((1, "stdout"), (2, "stderr")):
        if not _open(number):
            continue
        if os.isatty(number):
            if laid.terminal is None:
                laid.terminal = _terminal(number)
                laid.wires.append(laid.terminal)
            continue
        source, given = os.pipe()
        _widen(source)
        laid.wires.append(Wire(name, source, given, number))
    return laid


def _open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _terminal(number: int) -> Wire:
    import pty
    import termios

    source, given = pty.openpty()
    with suppress(termios.error):
        mode = termios.tcgetattr(number)
        mode[1] &= ~termios.OPOST  # the terminal behind it ends lines already
        termios.tcsetattr(given, termios.TCSANOW, mode)
    _copy_size(number, source)
    return Wire("terminal", source, given, number)


def _copy_size(of: int, to: int) -> None:
    import fcntl
    import termios

    with suppress(OSError):
        size = fcntl.ioctl(of, termios.TIOCGWINSZ, bytes(_SIZE))
        fcntl.ioctl(to, termios.TIOCSWINSZ, size)


def _widen(pipe: int) -> None:
    import fcntl

    number = getattr(fcntl, "F_SETPIPE_SZ", None)
    if number is not None:
        with suppress(OSError):
            fcntl.fcntl(pipe, number, _PIPE)


def pump(wires: Wires, ended: int, take: Take, idle: Callable[[], float | None]) -> None:
    """Pass everything on until the streams end; `ended` becomes readable when the child is gone.

    `idle` is called between reads and returns how many seconds to wait at most.
    """
    chooser = selectors.DefaultSelector()
    for wire in wires.wires:
        chooser.register(wire.source, selectors.EVENT_READ, wire)
    chooser.register(ended, selectors.EVENT_READ, None)
    gone = False
    with chooser:
        while len(chooser.get_map()) > (0 if gone else 1) or not gone:
            ready = chooser.select(_DRAIN if gone else idle())
            if gone and not ready:
                break
            for key, _ in ready:
                wire: Wire | None = key.data
                if wire is None:
                    gone = True
                    chooser.unregister(ended)
                elif not _forward(wire, take):
                    chooser.unregister(wire.source)
                    os.close(wire.source)
        for key in chooser.get_map().values():
            _hand_over(key.data)


def _hand_over(wire: Wire) -> None:
    """Let what the child left behind print where it would print without us: a pipe that nobody reads would end it."""
    ends = [(os.POSIX_SPAWN_DUP2, wire.source, 0), (os.POSIX_SPAWN_DUP2, wire.sink, 1)]
    with suppress(OSError):
        os.posix_spawnp("cat", ["cat"], os.environ, file_actions=ends, setsigmask=(), setpgroup=0)
    os.close(wire.source)


def _forward(wire: Wire, take: Take) -> bool:
    """Pass one piece on; False at the end of the stream, or when nobody reads what we pass on: the child is told by SIGPIPE."""
    try:
        piece = os.read(wire.source, _CHUNK)
    except OSError as error:
        if error.errno == errno.EIO:
            return False
        raise
    if not piece:
        return False
    take(wire.name, piece)
    view = memoryview(piece)
    try:
        while view:
            view = view[_write(wire.sink, view) :]
    except OSError:
        return False
    return True


def _write(sink: int, view: memoryview) -> int:
    try:
        return os.write(sink, view)
    except BlockingIOError:
        import select

        select.select([], [sink], [])
        return 0
