"""How far workers are with what they read, be they threads or forked processes: long before one is done with it."""

from __future__ import annotations

import os
from contextlib import suppress
from struct import Struct
from typing import Final

_COUNT: Final = Struct("q")
_MOST: Final = 8192 * _COUNT.size


class Gauge:
    """A pipe of counts. One that is full takes no more until it is looked at: nobody waits for who watches."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        os.set_blocking(self._out, False)
        os.set_blocking(self._in, False)

    def add(self, read: int, _findings: int) -> None:
        """Tell of bytes that were read."""
        with suppress(OSError):
            os.write(self._in, _COUNT.pack(read))

    def take(self) -> int:
        """Return how many bytes were read since the last look, as far as the pipe held it."""
        with suppress(OSError):
            told = os.read(self._out, _MOST)
            return sum(count for (count,) in _COUNT.iter_unpack(told))
        return 0

    def __del__(self) -> None:
        """Let go of the pipe."""
        os.close(self._out)
        os.close(self._in)
