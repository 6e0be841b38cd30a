"""A step that came to be spent in waiting for data: of the two parts that a run prints it in, one grew many times over and the other did not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.curve import beside, cite, finite, fired, middle, shown
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.naming import plain_name
from runtriage.model.series import Point, Series

FEWEST = 20
GREW, OUTWEIGHS, STEADY = 10.0, 4.0, 2.0
"""How many times as long the wait became, how many times as long as the work it is in the end, and within what the work stayed."""
EARLY, LATE = 0.3, 0.15
"""Parts of a run that tell how it was at first and how it ended; a first batch and one evaluation change no median of them."""
# fmt: off
_WAITS = frozenset({
    "data", "load", "loading", "loader", "dataloader", "fetch", "fetching", "input", "inputs", "wait", "waiting", "decode", "decoding",
    "reading", "queue", "next", "preprocess", "augment",
})
_WORKS = frozenset({
    "compute", "fwd", "bwd", "forward", "backward", "fwdbwd", "gpu", "model", "train", "device", "fb", "step", "optim", "optimizer", "update",
})
_TIMES = frozenset({"time", "times", "s", "sec", "secs", "seconds", "ms", "t", "us", "fwd", "bwd", "wait", "fetch", "forward", "backward", "compute", "data", "loading"})
# fmt: on
"""Words of the names of either part, and those one of which says that it is a time."""
_MODE = "data/starvation"
_FIXES = ("time-data-reads", "stall-check-storage")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first wait that outgrew the work on the same rows for good."""
    timed = [(series, words) for series in facts.series if (words := _words(series)) & _TIMES]
    for wait, said in timed:
        points = finite(wait) if said & _WAITS and not said & _WORKS else []
        if len(points) < FEWEST or min(point.value for point in points) < 0 or not _grew(points):
            continue
        for work, told in timed:
            other = finite(work) if told & _WORKS and not told & _WAITS else []
            pairs = beside(other, points) if work.artifact == wait.artifact else []
            if len(pairs) >= FEWEST and _outweighed(pairs):
                yield _match(wait, work, pairs)
                return


def _words(series: Series) -> set[str]:
    if series.role in (
        "loss",
        "eval_loss",
        "loss_part",
        "metric",
        "eval_metric",
        "lr",
        "grad_norm",
        "memory",
        "throughput",
    ):
        return set()
    return set(plain_name(series.name).split("_"))


def _level(points: Sequence[Point], *, late: bool) -> float:
    size = max(3, int(len(points) * (LATE if late else EARLY)))
    return middle(points[-size:] if late else points[:size])


def _grew(points: Sequence[Point]) -> bool:
    return _level(points, late=True) >= GREW * max(_level(points, late=False), 1e-9)


def _outweighed(pairs: Sequence[tuple[Point, Point]]) -> bool:
    """Tell whether the work took as long to the end as at first, and the wait, shorter than it at first, many times as long in the end."""
    works, waits = [one for one, _ in pairs], [two for _, two in pairs]
    began, ended = _level(works, late=False), _level(works, late=True)
    steady = began > 0 and began / STEADY <= ended <= STEADY * began
    return steady and _level(waits, late=False) <= began and _level(waits, late=True) >= OUTWEIGHS * ended


def _match(wait: Series, work: Series, pairs: Sequence[tuple[Point, Point]]) -> Match:
    waits, works = [two for _, two in pairs], [one for one, _ in pairs]
    early, late, usual = _level(waits, late=False), _level(waits, late=True), _level(works, late=True)
    onset = next(point for point in waits if point.value >= 0.5 * late)
    claim = (
        f"{wait.name} went from {shown(early)} to {shown(late)} from step {onset.step:g} on, while {work.name} stayed at {shown(usual)}: "
        "steps are spent waiting for data"
    )
    last = works[-1]
    return fired(
        "wait-outgrew-work",
        _MODE,
        wait,
        onset,
        claim,
        fixes=_FIXES,
        numbers={"before": early, "after": late, "work": usual},
        also=[Evidence(claim=f"{work.name} is {shown(last.value)}", citation=cite(work, last))],
        title="Steps are spent waiting for data",
    )


DETECTORS = (Detector(id="starved", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
