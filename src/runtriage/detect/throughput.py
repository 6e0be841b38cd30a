"""Steps that became many times slower and stayed so, at once or little by little."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from runtriage.detect.curve import finite, fired, middle, of_role
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.naming import plain_name
from runtriage.model.pattern import deferred
from runtriage.model.series import Point, Series

FEWEST = 30
SLOWER = 3.0
"""Sustained slowdown; iterations over twice the normal time are already irregular in published studies, and alarms want a margin."""
STEADY, FLAT = 2.0, 0.1
"""A rate of samples that lies flat before and flat after, within a tenth, needs no margin against noise, only one against plans."""
FEW, MUCH_SLOWER = 15, 10.0
"""A short series is believed when the slowdown leaves no doubt."""
CLOCKED, COARSE, NOTICED = 5.0, 2.0, 0.3
"""The slowdown that is believed where only the times of lines tell it; seconds between two prints from which times without
fractions measure it; and seconds of a wait for data that anybody notices."""
LAST = 0.2
"""Part of a series that tells how fast it goes in the end."""
CRAWLS, CRAWLING = 5, 20.0
"""Steps at the end, each so many times as long as normal, that say the same where the run ended too soon for more."""
UNLIKE = 3
"""The same where no step before them was even three times as long."""
DRIFT, DRIFT_FEWEST, TENTHS = 2.5, 60, 10
"""Last tenth over the second of a slowdown that grew in every tenth; longer sequences on plan rarely come to that much."""
_RATE = deferred(r"tok|tps|sampl|flops|mfu|imgs?\b|image|example|word|frame|throughput", re.IGNORECASE)
"""What is counted in pieces of data does not halve when a batch is made twice as large on plan."""
_SIZE = deferred(
    r"(?:\w+_)?(?:seq_?len(?:gth)?|sequence_length|context(?:_length|_len)?|ctx(?:_len)?|resolution|img_?size|image_size|batch_size|bsz|num_frames|horizon)",
    re.IGNORECASE,
)
"""What a step is given, which may grow on plan."""
_STOPPED = "stall/no-progress"
_STOPPED_FIXES = ("stall-dump-stacks", "find-who-killed")
_FIXES = ("time-data-reads", "stall-check-storage", "gpu-read-health")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the step time or throughput of each rank that collapsed."""
    for series in of_role(facts, "step_time", "throughput"):
        points = finite(series)
        if len(points) < FEW or min(point.value for point in points) < 0:
            continue
        upside = series.role == "step_time"
        slower = SLOWER if len(points) >= FEWEST else MUCH_SLOWER
        if len(points) >= FEWEST and not upside and _RATE.search(series.name) and _flat(points):
            slower = STEADY
        onset = _collapse(points, slower, upside=upside)
        if onset is not None:
            if _takes_more(series, points, onset, facts):
                continue
            found = _collapsed(series, points, onset)
            yield _stopped(found) if _stands(points, onset, upside=upside) else found
        elif (levels := _drift(points, upside=upside)) is not None:
            yield _drifted(series, points, levels)
    yield from _waits(facts)
    if all(map(_is_clock, of_role(facts, "step_time", "throughput"))):
        yield from _by_the_clock(facts)


def _takes_more(series: Series, points: Sequence[Point], onset: Point, facts: Facts) -> bool:
    """Tell whether steps are slower because each was given more: a size that is printed beside them is twice as large since then."""
    if series.role != "step_time" and _RATE.search(series.name):
        return False
    for size in facts.series:
        if size.artifact != series.artifact or _SIZE.fullmatch(plain_name(size.name)) is None:
            continue
        before = [point.value for point in finite(size) if point.step < onset.step]
        since = [point.value for point in finite(size) if point.step >= onset.step]
        if before and since and min(since) >= STEADY * sorted(before)[len(before) // 2] > 0:
            return True
    return False


def _is_clock(series: Series) -> bool:
    """Tell whether what is called a time is that of the day or since the start."""
    return all(earlier.value < later.value for earlier, later in pairwise(series.points))


def _waits(facts: Facts) -> Iterator[Match]:
    """Yield a match where the wait for data became so long that it cannot go unnoticed, whatever else a step takes."""
    for series in of_role(facts, "data_time"):
        points = finite(series)
        if len(points) < FEWEST or min(point.value for point in points) < 0:
            continue
        onset = _collapse(points, MUCH_SLOWER, upside=True)
        if onset is not None and middle(points[-int(len(points) * LAST) :]) >= NOTICED:
            yield _collapsed(series, points, onset)


def _by_the_clock(facts: Facts) -> Iterator[Match]:
    """Yield a match where the times of lines that print the loss of a step tell what no line says: how long a step took."""
    for series in of_role(facts, "loss"):
        points = _paces(finite(series))
        if len(points) < FEWEST:
            continue
        normal = middle(points[len(points) // 10 : len(points) // 2])
        coarse = all(point.time is not None and point.time == int(point.time) for point in points)
        if normal <= 0 or (coarse and normal * _stride(points) < COARSE):
            continue
        onset = _collapse(points, CLOCKED, upside=True)
        if onset is not None:
            yield _collapsed(replace(series, name="time of a step"), points, onset)


def _paces(points: Sequence[Point]) -> list[Point]:
    """Return for each point but the first the seconds that a step took since the one before; nothing where steps or times ever go back."""
    found: list[Point] = []
    for before, point in pairwise(points):
        if before.time is None or point.time is None or point.step <= before.step or point.time < before.time:
            return []
        found.append(replace(point, value=(point.time - before.time) / (point.step - before.step)))
    return found


def _stride(points: Sequence[Point]) -> float:
    """Return how many steps lie between two prints."""
    return (points[-1].step - points[0].step) / (len(points) - 1)


def _flat(points: Sequence[Point]) -> bool:
    """Tell whether the values of the early half, but for the warm-up, and those of the end differ by little among themselves."""
    parts = points[len(points) // 10 : len(points) // 2], points[-int(len(points) * LAST) :]
    spans = [sorted(point.value for point in part) for part in parts]
    return all(
        span[-1 - len(span) // 10] - span[len(span) // 10] <= FLAT * abs(middle(part))
        for span, part in zip(spans, parts, strict=True)
    )


def _collapsed(series: Series, points: Sequence[Point], onset: Point) -> Match:
    before, after = middle(points[len(points) // 10 : len(points) // 2]), middle(points[-int(len(points) * LAST) :])
    claim = f"{series.name} went from {before:g} to {after:g} from step {onset.step:g} on and stayed there"
    return fired(
        "throughput-collapse",
        "stall/throughput-collapse",
        series,
        onset,
        claim,
        fixes=_FIXES,
        numbers={"before": before, "after": after},
        title="Throughput collapsed",
    )


def _stands(points: Sequence[Point], onset: Point, *, upside: bool) -> bool:
    """Tell whether a rate is nothing at all from the step on that is the last one: then nothing is slow, it does not move."""
    tail = points[-int(len(points) * LAST) :]
    return not upside and onset.step == points[-1].step and not any(point.value for point in tail)


def _stopped(found: Match) -> Match:
    captures = {**found.captures, "hang": "yes"}
    return replace(found, mode=_STOPPED, captures=captures, fixes=_STOPPED_FIXES, title="Progress stopped")


def _drifted(series: Series, points: Sequence[Point], levels: tuple[float, float]) -> Match:
    before, after = levels
    onset = points[len(points) // TENTHS]
    claim = (
        f"{series.name} went from {before:g} at step {onset.step:g} to {after:g} at step {points[-1].step:g}, a little "
        "more in every tenth of the run"
    )
    return fired(
        "throughput-drift",
        "stall/throughput-collapse",
        series,
        onset,
        claim,
        fixes=_FIXES,
        numbers={"before": before, "after": after},
        title="Steps became slower and slower",
    )


def _drift(points: Sequence[Point], *, upside: bool) -> tuple[float, float] | None:
    """Return the levels of the second and the last tenth where every tenth was slower; None where not, or for a running total."""
    if len(points) < DRIFT_FEWEST or points[0].step >= points[-1].step:
        return None
    values = [point.value if upside else 1.0 / max(point.value, 1e-12) for point in points]
    if not any(later < earlier for earlier, later in pairwise(values)):
        return None
    size = len(points) // TENTHS
    levels = [middle(points[at : at + size]) for at in range(size, size * TENTHS, size)]
    slow = levels if upside else [1.0 / max(level, 1e-12) for level in levels]
    grew = all(later > earlier for earlier, later in pairwise(slow))
    even = max(later - earlier for earlier, later in pairwise(slow)) <= 0.5 * (slow[-1] - slow[0])
    return (levels[0], levels[-1]) if grew and even and slow[-1] >= DRIFT * slow[0] else None


def _collapse(points: Sequence[Point], slower: float, *, upside: bool) -> Point | None:
    values = [point.value if upside else 1.0 / max(point.value, 1e-12) for point in points]
    normal = sorted(values[len(values) // 10 : len(values) // 2])
    limit = slower * normal[len(normal) // 2]
    end = sorted(values[-int(len(values) * LAST) :])
    usual = normal[len(normal) // 2]
    crawls = len(values) >= FEWEST and min(values[-CRAWLS:]) >= CRAWLING * usual > 0
    crawls = crawls or (len(values) >= FEWEST and _unlike(values, usual))
    if end[len(end) // 4] < limit and not crawls:
        return None
    onset = len(values) - 1
    while onset > 0 and sorted(values[onset - 1 : onset + 2])[1] >= limit:
        onset -= 1
    while values[onset] < limit and onset + 1 < len(values):
        onset += 1
    return points[onset]


def _unlike(values: Sequence[float], usual: float) -> bool:
    """Tell whether the last few steps took many times as long as usual, and no step before them anything like it."""
    return min(values[-UNLIKE:]) >= MUCH_SLOWER * usual > 0 and max(values[:-UNLIKE]) < SLOWER * usual


DETECTORS = (
    Detector(
        id="throughput",
        modes=("stall/throughput-collapse",),
        find=find,
        remedies=lambda: {"stall/throughput-collapse": _FIXES, _STOPPED: _STOPPED_FIXES},
    ),
)
