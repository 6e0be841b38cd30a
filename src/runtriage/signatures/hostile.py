"""Lines made to drive a regular expression into long work."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from types import FrameType

from runtriage.model.catalogue import Pattern
from runtriage.signatures.matcher import compiled

LINE_BYTES = 20_000
_SECONDS = 1.0


class TooSlow(Exception):
    """A search went on for longer than a line may take."""


def slow_line(pattern: Pattern, examples: list[str]) -> str | None:
    """Return the name of a hostile line on which the pattern works for over a second of processor time, or None."""
    regex = compiled(pattern)
    for name, line in hostile_lines(pattern, examples):
        try:
            _search(regex, line)
        except TooSlow:
            return name
    return None


def hostile_lines(pattern: Pattern, examples: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield lines of 20 kB that begin like a match and never end like one; each holds the literal, or no engine would look closer."""
    literal = pattern.literal.encode()
    seeds = {
        "literal": literal,
        "literal and blank": literal + b" ",
        "literal and digit": literal + b"0",
        "literal and quote": literal + b"'",
    }
    for index, example in enumerate(examples):
        seeds[f"example {index + 1}"] = example.encode()[:2000].replace(b"\n", b" ")
    for name, seed in seeds.items():
        yield f"repeated {name}", (seed * (LINE_BYTES // len(seed) + 1))[:LINE_BYTES]
    for name, filling in (("letters", b"a"), ("digits", b"1"), ("dots", b"a."), ("blanks", b" ")):
        half = (filling * LINE_BYTES)[: LINE_BYTES // 2]
        yield f"{name}, the literal, {name}", half + literal + half


def _search(regex: re.Pattern[bytes], line: bytes) -> None:
    """Search under a limit of processor time, where the platform has one."""
    if not hasattr(signal, "setitimer"):
        regex.search(line)
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        regex.search(line)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow
