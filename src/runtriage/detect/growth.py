"""Whether a series of memory grew to its end, rather than to a level."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from runtriage.detect.curve import finite
from runtriage.model.series import Point, Series

FEWEST = 20
GROWTH = 1.3
"""End over the value after the first fifth: allocators reach their level within the first steps."""
RISING = 0.6
"""Share of steps from one tenth to the next that must go up."""
_HOST_NAMES = ("rss", "ram", "host", "cpu", "system", "vms", "process")


def of_host(series: Series) -> bool:
    """Tell whether a series of memory is, by its name, of the host rather than of a GPU."""
    return any(word in series.name.lower() for word in _HOST_NAMES)


def grew(series: Series) -> bool:
    """Tell whether the values rose to the last one, without levelling off or falling in between."""
    return onset(finite(series)) is not None


def onset(points: Sequence[Point]) -> Point | None:
    """Return the first value behind the filling of caches, from which memory rose to the last one; None where it levels off or falls in between."""
    if len(points) < FEWEST:
        return None
    settled = points[len(points) // 5 :]
    size = max(len(settled) // 10, 1)
    tenths = [max(point.value for point in settled[at : at + size]) for at in range(0, size * 10, size)]
    steps = [later - earlier for earlier, later in pairwise(tenths)]
    whole = tenths[-1] - tenths[0]
    even = all(step >= 0 for step in steps) and sum(step > 0 for step in steps) >= RISING * len(steps)
    late = sum(steps[-3:]) >= 0.1 * whole
    return settled[0] if tenths[0] > 0 and tenths[-1] >= GROWTH * tenths[0] and even and late else None
