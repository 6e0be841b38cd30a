"""One rank that is slow on its own while its peers wait for it in every step."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import finite, fired, middle
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.series import Series

FEWEST_RANKS = 3
FEWEST = 8
SLOWER = 3.0
"""How many times its slowest peer a rank must take; iterations over twice the normal time are already irregular in published studies."""
WAITED = 0.5
"""Share of the straggler's time that its peers must be seen to spend elsewhere: otherwise nobody waits for it."""
_OWN = frozenset({"data_time", "forward_time", "compute_time"})
_WAITING = ("wait", "compute", "comm", "sync", "step", "iter", "batch", "reduce")
_FIXES = ("time-data-reads", "gpu-read-health")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the one rank whose own part of the step takes many times longer than that of any peer."""
    for name in dict.fromkeys(series.name for series in facts.series if series.role in _OWN):
        ranks = {
            series.subject.rank: series
            for series in facts.series
            if series.name == name and series.subject.rank is not None and len(finite(series)) >= FEWEST
        }
        if len(ranks) < FEWEST_RANKS:
            continue
        slowest = max(ranks.values(), key=_late)
        peers = [series for series in ranks.values() if series is not slowest]
        own, usual = _late(slowest), max(_late(series) for series in peers)
        if own > 0 and own >= SLOWER * usual and _waited(facts, slowest, own):
            yield _match(slowest, own, usual, len(peers))


def _late(series: Series) -> float:
    points = finite(series)
    return middle(points[len(points) // 2 :])


def _waited(facts: Facts, slowest: Series, own: float) -> bool:
    """Tell whether every peer spends about the straggler's extra time in a part of the step that can be a wait."""
    found: dict[int, float] = {}
    for series in facts.series:
        rank = series.subject.rank
        if rank is None or rank == slowest.subject.rank or series.role in _OWN or not finite(series):
            continue
        if any(word in series.name.lower() for word in _WAITING):
            found[rank] = max(found.get(rank, 0.0), _late(series))
    return len(found) >= FEWEST_RANKS - 1 and min(found.values()) >= WAITED * own


def _match(slowest: Series, own: float, usual: float, peers: int) -> Match:
    points = finite(slowest)
    onset = next(point for point in points if point.value >= own / 2)
    claim = (
        f"{slowest.name} of rank {slowest.subject.rank} is {own:g} from step {onset.step:g} on, at most {usual:g} on its "
        f"{peers} peers, which wait for it"
    )
    return fired(
        "straggler",
        "nccl/straggler-rank",
        slowest,
        onset,
        claim,
        fixes=_FIXES,
        numbers={"own": own, "usual": usual},
        title="One rank is much slower than its peers",
    )


DETECTORS = (
    Detector(
        id="straggler",
        modes=("nccl/straggler-rank",),
        find=find,
        remedies=lambda: {"nccl/straggler-rank": _FIXES},
    ),
)
