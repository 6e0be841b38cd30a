"""The queue that feeds the steps ran empty and stayed so: training waited for data."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import cite
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match

_METRIC = "queue_depth"
_LAST = 5
"""Values at the end that must be zero."""


def needs(facts: Facts) -> tuple[str, ...]:
    """Name what is missing to look at all: without the metric the rule knows nothing, which is not the same as nothing wrong."""
    return () if any(series.name == _METRIC for series in facts.series) else (f"a metric named {_METRIC}",)


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each rank whose queue was filled once and ended empty."""
    for series in facts.series:
        if series.name != _METRIC or len(series.points) < _LAST or not series.maximum or series.maximum.value <= 0:
            continue
        if any(point.value for point in series.points[-_LAST:]):
            continue
        first = next(
            point for point, after in zip(series.points[:0:-1], series.points[-2::-1], strict=False) if after.value
        )
        yield Match(
            rule="empty-queue",
            mode="data/starvation",
            role="cause",
            maturity="incubating",
            tier="metric",
            evidence=(
                Evidence(
                    claim=f"{_METRIC} fell to 0 at step {first.step:g} and stayed there", citation=cite(series, first)
                ),
            ),
            subject=series.subject,
            step=int(first.step),
        )


EMPTY_QUEUE = Detector(id="empty-queue", modes=("data/starvation",), find=find, needs=needs)
