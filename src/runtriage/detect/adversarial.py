"""Two networks that are trained against each other, of which one has won: its loss is nothing, and the other's only rises."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import cite, finite, fired, head, middle, of_role
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred

FEWEST = 20
WON, LOST, RISEN = 0.02, 4.0, 2.0
"""Median loss of the discriminator over the second half, of 1.4 where neither wins; and that of the generator there, as it is and over what
it began with: a cross-entropy of 4 means that 2 % of what it makes is taken for real. Losses of this kind without a bound on the discriminator
vanish for good (Arjovsky and Bottou 2017, arXiv:1701.04862)."""
_MODE = "div/lr-too-high"
_FIXES = ("lower-learning-rate", "return-to-earlier-checkpoint")
_DISCRIMINATES = deferred(r"(?<![a-z])(?:d|disc\w*|dis|netd|lossd)(?![a-z])")
_GENERATES = deferred(r"(?<![a-z])(?:g|gen\w*|netg|lossg)(?![a-z])")
_ROLES = ("loss", "loss_part")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match where the discriminator's loss is nothing to the end while the generator's has risen."""
    losses = [series for series in of_role(facts, *_ROLES) if series.total >= FEWEST]
    for series in losses:
        if not _DISCRIMINATES.search(_parted(series.name)):
            continue
        points = finite(series)
        late = points[len(points) // 2 :]
        if not late or not 0 <= middle(late) <= WON or max(point.value for point in points) <= WON:
            continue
        for other in losses:
            against = finite(other)
            if other.name == series.name or not against or not _GENERATES.search(_parted(other.name)):
                continue
            end = middle(against[len(against) // 2 :])
            if end >= max(LOST, RISEN * middle(head(against, least=1))):
                won = next(point for point in points if point.value <= WON)
                claim = f"{series.name} is nothing from step {won.step:g} on (a median of {middle(late):g} in the second half)"
                yield fired(
                    "one-side-won",
                    _MODE,
                    series,
                    late[-1],
                    claim,
                    fixes=_FIXES,
                    numbers={"won": middle(late), "lost": end},
                    also=[Evidence(claim=f"{other.name} came to {end:g}", citation=cite(other, against[-1]))],
                    title="The discriminator won and the generator learns nothing",
                )
                return


def _parted(name: str) -> str:
    return name.lower().replace("_", " ").replace("/", " ")


DETECTORS = (Detector(id="adversarial", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
