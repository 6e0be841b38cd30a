"""Memory that grew steadily until an allocation failed: a leak, rather than a batch that is too large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from runtriage.detect.curve import finite, fired, of_role
from runtriage.detect.engine import Detector
from runtriage.detect.signatures import matched
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.series import Point

_GPU, _HOST = "oom/gpu-leak-growth", "oom/host-leak-workers"
_ENDS = {
    _GPU: ("oom/gpu-alloc", "oom/hip", "oom/tf-gpu", "oom/jax-hbm", "oom/cublas-alloc", "oom/cudnn-alloc"),
    _HOST: ("oom/host-", "oom/k8s-oomkilled", "oom/slurm-step", "oom/batch-memlimit", "oom/ray-memory-monitor"),
}
_HOST_NAMES = ("rss", "ram", "host", "cpu", "system", "vms", "process")
_FIXES = {_GPU: ("detach-kept-tensors",), _HOST: ("bound-host-memory",)}
FEWEST = 20
GROWTH = 1.3
"""End over the value after the first fifth: allocators reach their level within the first steps."""
RISING = 0.6
"""Share of steps from one tenth to the next that must go up."""


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each series of memory that grew to the end of a run that ran out of it."""
    for series in of_role(facts, "memory"):
        mode = _HOST if any(word in series.name.lower() for word in _HOST_NAMES) else _GPU
        if not matched(facts, _ENDS[mode]):
            continue
        points = finite(series)
        start = onset(points)
        if start is None:
            continue
        claim = (
            f"{series.name} grew from {start.value:g} at step {start.step:g} to {points[-1].value:g} at step "
            f"{points[-1].step:g} without levelling off"
        )
        yield fired(
            "memory-growth",
            mode,
            series,
            start,
            claim,
            fixes=_FIXES[mode],
            numbers={"from": start.value, "to": points[-1].value},
            title="Memory grew from step to step",
        )


def onset(points: Sequence[Point]) -> Point | None:
    """Return where the growth is measured from, None where it levels off or falls in between."""
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


DETECTORS = (Detector(id="memory-growth", modes=(), find=find, remedies=lambda: _FIXES),)
