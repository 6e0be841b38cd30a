"""Known tracebacks that stand one directly behind another in a block: who has no line there is told without looking for one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import Struct, field

_SPEAKERS: Final = 256


class Stood(NamedTuple):
    """Who printed all lines of a known traceback, and where the line behind it begins."""

    speaker: bytes
    end: int


class _Places(Struct):
    starts: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])


class Run:
    """What is known of the lines in [low, high) of a block. `standing` reads the known traceback that begins with a line."""

    def __init__(self, standing: Callable[[bytes | bytearray, int, int], Stood | None]) -> None:
        self._standing = standing
        self._low = self._high = -1
        self._top = 0
        self._places: dict[bytes, _Places] = {}
        self._mixed = False

    def clear(self, top: int) -> None:
        """Forget everything: another block begins, known up to `top`."""
        self._top = top
        self._begin(-1)

    def _begin(self, at: int) -> None:
        self._low = self._high = at
        self._places = {}
        self._mixed = False

    def over(self, data: bytes | bytearray, at: int, stop: int, key: bytes) -> int:
        """Return a place at `at` or behind it up to which no line begins with a key that does at `at` or behind it."""
        if not self._low <= at <= self._high:
            self._begin(at)
        while (
            self._high < stop and not self._mixed and (stood := self._standing(data, self._high, self._top)) is not None
        ):
            self._take(*stood)
        if self._mixed or self._related(key):
            return at
        places = self._places.get(key)
        index = bisect_left(places.starts, at) if places is not None else 0
        return places.starts[index] if places is not None and index < len(places.starts) else self._high

    def under(self, at: int, key: bytes) -> int:
        """Return a place at `at` or before it from which on no line before `at` begins with a key."""
        if not self._low <= at <= self._high or self._mixed or self._related(key):
            return at
        places = self._places.get(key)
        index = bisect_left(places.starts, at) if places is not None else 0
        return places.ends[index - 1] if places is not None and index else self._low

    def _take(self, speaker: bytes, end: int) -> None:
        places = self._places.get(speaker)
        if places is None:
            self._mixed = len(self._places) >= _SPEAKERS or self._related(speaker)
            places = self._places[speaker] = _Places()
        places.starts.append(self._high)
        places.ends.append(end)
        self._high = end

    def _related(self, key: bytes) -> bool:
        """Tell whether lines of another speaker might begin with a key as well."""
        return key not in self._places and any(other.startswith(key) or key.startswith(other) for other in self._places)
