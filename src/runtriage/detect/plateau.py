"""A loss that never moved, usually because no gradient reaches the weights."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import cite, finite, fired, of_role
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match

FEWEST = 50
FLAT = 1e-3
"""Range over first value: batches alone move a real loss by more."""
NO_GRADIENT = 1e-12
_FIXES = ("reconnect-gradients", "check-optimizer-parameters")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each training loss that is flat from the start."""
    norms = list(of_role(facts, "grad_norm"))
    for series in of_role(facts, "loss"):
        points = finite(series)
        if len(points) < FEWEST or not points[0].value or series.total < FEWEST:
            continue
        spread = max(p.value for p in points) - min(p.value for p in points)
        if spread > FLAT * abs(points[0].value) or abs(points[0].value) < FLAT:
            continue
        dead = [norm for norm in norms if all(abs(p.value) < NO_GRADIENT for p in finite(norm)) and norm.points]
        idle = [rate for rate in of_role(facts, "lr") if rate.points and all(p.value == 0 for p in finite(rate))]
        also = [
            Evidence(claim=f"{still.name} is 0 in every step", citation=cite(still, still.points[0]))
            for still in (*dead[:1], *idle[:1])
        ]
        claim = f"{series.name} stayed at {points[0].value:g} for {series.total} values, to within {spread:g}"
        yield fired(
            "plateau",
            "div/plateau-not-learning",
            series,
            points[0],
            claim,
            fixes=_FIXES,
            numbers={"spread": spread, "first": points[0].value},
            also=also,
            title="Nothing is learnt",
        )


DETECTORS = (
    Detector(
        id="plateau",
        modes=("div/plateau-not-learning",),
        find=find,
        remedies=lambda: {"div/plateau-not-learning": _FIXES},
    ),
)
