"""What the windows of an artifact that can be read from anywhere teach about its metric lines, learnt once for all its stretches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from runtriage.scan.ansi import clean
from runtriage.scan.book import Book
from runtriage.scan.contract import Metrics
from runtriage.scan.formats import WINDOW, Formats, Learnt
from runtriage.scan.metrics import bulk_type
from runtriage.scan.tail import Seekable


class Lesson:
    """Looks at the windows of one artifact at which a scan from its front would. `metrics` is None where no numbers are read.

    Of one that prints metrics and is so large that there is something to `prepare` for them, what reads many lines at once is loaded as
    well: processes that are forked then need do neither.
    """

    def __init__(self, stream: Seekable, metrics: Metrics | None, prepare: Callable[[], None] | None) -> None:
        self._stream = stream
        self._prepare = prepare
        self._learnt: Learnt = {}
        self._formats = None if metrics is None else Formats(metrics, Book(), self._learnt)

    def learn(self, start: int, stop: int) -> Learnt:
        """Return what the windows before `stop` teach, those before `start` being known; where reading fails, what came before."""
        if self._formats is not None:
            try:
                for window in range(-(-start // WINDOW), -(-stop // WINDOW)):
                    if self._formats.looks(window):
                        self._formats.learn(window, partial(text_of, self._stream, window))
            except OSError:
                self._formats = None
        if self._prepare is not None and any(self._learnt.values()) and bulk_type() is not None:
            self._prepare()
        return dict(self._learnt)


def text_of(stream: Seekable, window: int) -> tuple[bytes, bool]:
    """Return the text of a window, and whether the artifact ends in it."""
    raw = read_at(stream, window * WINDOW, WINDOW)
    return bytes(clean(raw, len(raw)).data), len(raw) < WINDOW


def read_at(stream: Seekable, offset: int, size: int) -> bytearray:
    """Return the bytes from an offset on, as many as there are of those asked for."""
    stream.seek(offset)
    buffer = bytearray(size)
    have = 0
    with memoryview(buffer) as view:
        while have < size and (count := stream.readinto(view[have:])):
            have += count
    return buffer[:have]
