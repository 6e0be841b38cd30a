"""Whether lines that are repeated at the end of a log mean that the run stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.detect.endings import ends
from runtriage.detect.stall import FACTOR, LEAST, WINDOW, is_window
from runtriage.model.event import EXCEPTION, FINISH, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.place import byte_of, last_line_of

CALLED_OFF: Final = frozenset({"KeyboardInterrupt", "subprocess.TimeoutExpired", "TimeoutExpired"})
"""What somebody raises who waited no longer: it follows from a wait."""
GROWN, GROWN_LONG = 300.0, 600.0
"""Seconds that a wait must say of itself where somebody ended it, and where nobody did."""
BRIEF, UNKNOWN, PACES = 10.0, 100.0, 20.0
"""Seconds for which lines must stand that came between steps before, or say that something is lacking; the same for others; and in times of steps."""
OFTEN, TIMES, FEWEST = 6, 4, 3
"""Prints that are enough at a known pace, measured by those between two steps before; prints and steps under which nothing is told."""
UNTIMED, OFTEN_UNTIMED, CALLED, BUSY = 12, 8, 6, 60
"""Prints where no clock goes: as a rule, where such lines came before or say that something is lacking, where somebody ended the run,
and behind the beginning of an evaluation or a save."""
ENDED: Final = 15.0
"""Seconds of a silence that somebody ended because it lasted."""
ASKED, MOMENT, MINUTES = 12, 4, 300.0
"""Prints of a wait that nothing came before: as a rule, and where it was called off or went on for so many seconds."""
_NEXT: Final = 5
"""Lines between the beginning of an evaluation or a save and the first line that only repeats a place."""


def stands(event: Event, own: Sequence[RankProgress], facts: Facts) -> bool:
    """Tell whether what an event says over and over was said for so long that the run stands, by the pace it had before."""
    how, numbers = event.captures, event.numbers
    off = "ended" in how or called_off(event, facts)
    if "behind" in how and not off:
        return False
    seconds = max([numbers["seconds"], *_since_progress(event, own)])
    if _over(event, own, facts):
        return False
    if "grows" in how and seconds >= (GROWN if off else GROWN_LONG):
        return True
    if not ("went" in how or any(_progressed(entry) for entry in own)):
        return "lacks" in how and _waits(int(numbers["lines"]), seconds, off=off)
    told = not how.keys().isdisjoint({"known", "holds", "lacks", "grows", "open", "beats"})
    least = numbers["usual"] * TIMES
    window = "asks" not in how and _in_window(event, facts)
    if "timed" not in how:
        need = (
            BUSY
            if window
            else CALLED
            if off
            else OFTEN_UNTIMED
            if {"known", "holds", "lacks"} & how.keys()
            else UNTIMED
        )
        return told and numbers["lines"] >= max(need, least)
    enough = max(_least(_pace(event, own), told=told, off=off), WINDOW if window else 0.0)
    need = FEWEST if "grows" in how or enough >= LEAST else MOMENT if off else OFTEN
    return numbers["lines"] >= max(need, least) and seconds >= enough


def was_silent(event: Event, facts: Facts) -> bool:
    """Tell whether a silence that somebody ended was longer than any step before it."""
    enough = max(ENDED, PACES * event.numbers["pace"], WINDOW if _in_window(event, facts) else 0.0)
    return event.numbers["seconds"] >= enough


def _least(pace: float | None, *, told: bool, off: bool) -> float:
    """Return the seconds of a standstill that no step of a pace ever took."""
    if pace is None:
        return LEAST
    return max(BRIEF if told else UNKNOWN, min((FACTOR if off else PACES) * pace, max(FACTOR * pace, LEAST)))


def _waits(lines: int, seconds: float, *, off: bool) -> bool:
    """Tell whether a wait before any work was said often enough."""
    return lines >= (MOMENT if off or seconds >= MINUTES else ASKED)


def _progressed(entry: RankProgress) -> bool:
    return entry.progress_lines >= FEWEST or entry.last_epoch is not None


def _over(event: Event, own: Sequence[RankProgress], facts: Facts) -> bool:
    """Tell whether the program had said behind its last step that it was done: what it prints then is no work that stands."""
    since = max((byte_of(entry.last_progress) for entry in own), default=0)
    return any(
        other.kind == FINISH and other.citation.artifact == event.citation.artifact and byte_of(other.citation) > since
        for other in facts.events
    )


def _since_progress(event: Event, own: Sequence[RankProgress]) -> Iterator[float]:
    for entry in own:
        last = entry.last_progress_time
        if (
            event.when is not None
            and last is not None
            and (last.clock, last.dated) == (event.when.clock, event.when.dated)
        ):
            yield event.when.seconds - last.seconds


def _pace(event: Event, own: Sequence[RankProgress]) -> float | None:
    """Return the longest normal step in seconds, or the average where only the ends bear times; None where neither is known."""
    found = [entry.longest_gap for entry in own if entry.longest_gap is not None]
    if "pace" in event.numbers:
        return max([event.numbers["pace"], *found])
    for entry in own:
        first, last = entry.first_progress_time, entry.last_progress_time
        if first is not None and last is not None and first.clock == last.clock and entry.progress_lines > FEWEST:
            found.append((last.seconds - first.seconds) / (entry.progress_lines - 1))
    return max(found, default=None)


def called_off(event: Event, facts: Facts) -> bool:
    """Tell whether somebody ended the run behind an event, and did not only stop reading its log."""
    at = byte_of(event.citation)
    return any(
        byte_of(other.citation) > at
        and other.citation.artifact == event.citation.artifact
        and (ends(other) or (other.kind == EXCEPTION and other.name in CALLED_OFF))
        for other in facts.events
    )


def _in_window(event: Event, facts: Facts) -> bool:
    """Tell whether a place stands behind the beginning of something that prints no steps while it lasts."""
    begun = event.numbers.get("first_line", 0.0) - _NEXT
    return any(
        is_window(other)
        and other.citation.artifact == event.citation.artifact
        and last_line_of(other.citation) >= begun
        for other in facts.events
    )
