"""What came first: by place in one artifact, by time where clocks can be compared, by step otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.place import offset_of
from runtriage.model.series import Columns, Points
from runtriage.model.time import Instant, apart

_KERNEL_PREFIX = "kernel"
_MIN_SHARED_STEPS = 3
_STEPS = 2
"""What ends the next step but one may be why no step followed the last: a standstill is dated by the last one that was made."""
_SKEW_SECONDS = 5.0
"""Offsets under this are ordinary scheduling jitter between ranks, not clock skew."""


class Clocks(Struct, frozen=True):
    """Seconds to subtract from each artifact's clock to bring it to the first artifact's."""

    offsets: Mapping[str, float] = field(default_factory=dict[str, float])


def clocks(facts: Facts) -> Clocks:
    """Estimate clock offsets from the times at which artifacts print the same step."""
    times: dict[str, dict[float, float]] = {}
    seen: set[tuple[str, Columns]] = set()
    for series in facts.series:
        known, points = times.setdefault(series.artifact, {}), series.points
        if isinstance(points, Points):
            if (series.artifact, points.columns) in seen:
                continue  # metrics of the same lines: their steps and times are known
            seen.add((series.artifact, points.columns))
        for point in points:
            if point.time is not None:
                known.setdefault(point.step, point.time)
    names = sorted(times)
    if len(names) < 2:
        return Clocks()
    base = times[names[0]]
    from statistics import median

    offsets: dict[str, float] = {}
    for name in names[1:]:
        deltas = [when - base[step] for step, when in times[name].items() if step in base]
        if len(deltas) >= _MIN_SHARED_STEPS and abs(median(deltas)) > _SKEW_SECONDS:
            offsets[name] = median(deltas)
    return Clocks(offsets)


def artifact(match: Match) -> str:
    """Return the artifact a match cites first."""
    return match.evidence[0].citation.artifact


def byte(match: Match) -> int:
    """Return where in its artifact a match stands; lines stand in for bytes where only they are known."""
    return offset_of(match.evidence[0].citation)


def _placed(match: Match) -> bool:
    """Tell whether a match has a place in the order of its artifact: values of a JSON document have none that says when."""
    where = match.evidence[0].citation
    return where.byte_start is not None or where.first_line is not None


def between(first: Match, second: Match, ticks: Clocks) -> float | None:
    """Return the seconds on the common clock from the start of one match to that of another, or None without two printed times."""
    if first.start is None or second.start is None:
        return None
    offset = ticks.offsets.get(artifact(second), 0.0) - ticks.offsets.get(artifact(first), 0.0)
    return apart(first.start, second.start) - offset


def comparable(first: Instant, second: Instant) -> bool:
    """Tell whether two printed times can be put in order."""
    if first.utc is not None and second.utc is not None:
        return True
    if _KERNEL_PREFIX in (first.clock.partition(":")[0], second.clock.partition(":")[0]):
        return first.clock == second.clock
    return first.dated == second.dated


def precedes(first: Match, second: Match, ticks: Clocks) -> bool | None:
    """Return True when `first` began before or together with `second`, False when later, None when nothing tells."""
    same = artifact(first) == artifact(second) and _placed(first) and _placed(second)
    back_dated = "ran_ms" in first.numbers or "ran_ms" in second.numbers
    if same and not back_dated:
        return byte(first) <= byte(second)
    if first.start is not None and second.start is not None and comparable(first.start, second.start):
        slack = max(first.start.precision + first.start.uncertainty, second.start.precision + second.start.uncertainty)
        passed = between(first, second, ticks)
        if passed is not None:
            return passed >= -slack - _STEPS * second.numbers.get("longest_gap", 0.0)
    if same:
        return byte(first) <= byte(second)
    return None


def earliest(matches: Sequence[Match], ticks: Clocks) -> Match:
    """Return the match that began first; reading order breaks ties and unknowns."""
    best = matches[0]
    for candidate in matches[1:]:
        if (
            precedes(best, candidate, ticks) is False
            or (precedes(candidate, best, ticks) is True and precedes(best, candidate, ticks) is not True)
            or (_at_once(candidate, best) and byte(candidate) < byte(best))
        ):
            best = candidate
    return best


def _at_once(one: Match, other: Match) -> bool:
    """Tell whether two lines of one artifact print times that their resolution does not tell apart."""
    if (
        one.start is None
        or other.start is None
        or one.evidence[0].citation.artifact != other.evidence[0].citation.artifact
    ):
        return False
    return abs(one.start.seconds - other.start.seconds) <= max(one.start.precision, other.start.precision) <= 1.0
