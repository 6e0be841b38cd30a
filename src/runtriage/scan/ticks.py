"""Reads the time of lines that are laid out alike without looking for it again."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.pattern import deferred
from runtriage.model.time import Instant

_CLOCK: Final = deferred(
    r"(?s)(?P<head>.*?)(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?P<fraction>[.,]\d{1,9})?(?P<tail>.*)"
)
_FORGET: Final = 512


class Form(Struct, frozen=True):
    """A sample of how lines print their time, and where in it hours, minutes and seconds stand, the fraction and its digits, and their end."""

    token: bytes
    fields: tuple[int, int, int]
    fraction: int
    digits: int
    stop: int


class Ticks:
    """Where lines of one layout print their time, and what was made of the days seen there."""

    def __init__(self, line: bytes, sample: Instant | None) -> None:
        self._sample = sample
        self._place: slice | None = None
        self._clock = slice(0, 0)
        """Where in the printed time hours, minutes, seconds and their fraction stand."""
        self._shape: re.Pattern[bytes] | None = None
        self._days: dict[tuple[bytes, bytes], float] = {}
        token = sample.text.encode() if sample is not None else b""
        start = line.find(token) if token else -1
        found = _CLOCK.fullmatch(sample.text) if sample is not None else None
        if start >= 0 and token.isascii() and found is not None and line.find(token, start + 1) < 0:
            self._place = slice(start, start + len(token))
            self._shape = re.compile(re.sub(rb"\d", rb"\\d", re.escape(token)))
            self._clock = slice(found.start("hour"), found.start("tail"))

    @property
    def silent(self) -> bool:
        """Tell whether lines of this layout print no time at all."""
        return self._sample is None

    @property
    def kind(self) -> tuple[str, bool, bool]:
        """What must be equal in times that are compared: their clock, and whether day and zone are known."""
        sample = self._sample
        return (sample.clock, sample.dated, sample.zoned) if sample is not None else ("", False, False)

    @property
    def place(self) -> int | None:
        """Where in every line the time begins, if that is known."""
        return None if self._place is None or not self.form.token.isascii() else self._place.start

    @property
    def form(self) -> Form:
        """How the time is printed; only where its place is known."""
        text = self._sample.text if self._sample is not None else ""
        found = _CLOCK.fullmatch(text)
        assert found is not None
        first, last = found.span("fraction")
        fields = (found.start("hour"), found.start("minute"), found.start("second"))
        return Form(
            text.encode(), fields, first + 1, max(last - first - 1, 0), found.end("fraction" if last > 0 else "second")
        )

    def day(self, token: bytes) -> float | None:
        """Return when the day of a printed time began, if that was noted."""
        return self._days.get((token[: self._clock.start], token[self._clock.stop :]))

    def seconds(self, line: bytes) -> float | None:
        """Return the time of another line as `Instant.seconds`, or None when only a full reading can tell."""
        if self._place is None or self._shape is None:
            return None
        token = line[self._place]
        if self._shape.fullmatch(token) is None:
            return None
        day = self.day(token)
        seconds = None if day is None else _seconds(token[self._clock])
        return None if day is None or seconds is None else day + seconds

    def read(self, line: bytes) -> Instant | None:
        """Return the time of another line, or None when only a full reading can tell."""
        seconds = self.seconds(line)
        if seconds is None or self._sample is None or self._place is None:
            return None
        return replace(self._sample, text=line[self._place].decode(), seconds=seconds)

    def note(self, line: bytes, instant: Instant) -> None:
        """Remember the day of a time that was read in full."""
        if self._place is None or line[self._place] != instant.text.encode():
            return
        found = _CLOCK.fullmatch(instant.text)
        seconds = _seconds(found.string[slice(found.start("hour"), found.start("tail"))].encode()) if found else None
        if found is not None and seconds is not None:
            if len(self._days) >= _FORGET:
                self._days.clear()
            self._days[found["head"].encode(), found["tail"].encode()] = float(round(instant.seconds - seconds))


def _seconds(clock: bytes) -> float | None:
    """Return the seconds since midnight of a printed `hh:mm:ss` with or without a fraction."""
    hour, minute, second = int(clock[:2]), int(clock[3:5]), int(clock[6:8])
    if hour > 23 or minute > 59 or second > 59:
        return None
    return hour * 3600 + minute * 60 + second + (float(b"0." + clock[9:]) if len(clock) > 8 else 0.0)
