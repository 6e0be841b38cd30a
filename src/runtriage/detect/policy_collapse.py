"""A reward that fell back to where it began after the policy stopped exploring."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import cite, finite, fired, first_of, middle, of_role, tail
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match

FEWEST = 16
LOST = 0.3
"""End over best reward; noisy healthy runs lose half of it between neighbours, not two thirds for a third of the run."""
NO_ENTROPY = 1e-3
_FIXES = ("lower-learning-rate", "return-to-earlier-checkpoint", "raise-entropy-bonus")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the reward series when the entropy is gone too."""
    entropy = first_of(facts, "entropy")
    if entropy is None or not finite(entropy) or middle(tail(finite(entropy), 0.3)) > NO_ENTROPY:
        return
    for series in of_role(facts, "reward"):
        points = finite(series)
        if len(points) < FEWEST:
            continue
        best = max(points, key=lambda point: point.value)
        if best.value <= 0 or max(point.value for point in tail(points, 0.3)) > LOST * best.value:
            continue
        last_good = [point for point in points if point.value >= 0.5 * best.value][-1]
        gone = next((point for point in finite(entropy) if point.value < NO_ENTROPY), finite(entropy)[-1])
        claim = f"{series.name} fell from {best.value:g} to {points[-1].value:g} after step {last_good.step:g} and stayed there"
        yield fired(
            "policy-collapse",
            "div/rl-policy-collapse",
            series,
            last_good,
            claim,
            fixes=_FIXES,
            numbers={"best": best.value, "end": points[-1].value},
            also=[Evidence(claim=f"{entropy.name} is 0 from step {gone.step:g} on", citation=cite(entropy, gone))],
            title="The policy collapsed",
        )
        return


DETECTORS = (
    Detector(
        id="policy-collapse",
        modes=("div/rl-policy-collapse",),
        find=find,
        remedies=lambda: {"div/rl-policy-collapse": _FIXES},
    ),
)
