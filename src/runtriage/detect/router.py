"""A mixture of experts whose router sends nearly everything to one of them, to the end of the run."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from runtriage.detect.claims import evidence, match_of
from runtriage.detect.engine import Detector
from runtriage.detect.settings import explained
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATEMENT
from runtriage.model.event_names import PART_SHARES
from runtriage.model.facts import Facts
from runtriage.model.finding import Match

FEWEST, PARTS = 4, 4
"""Lists of shares, and experts in each."""
MOST, TIMES = 0.6, 3.0
"""Share of one expert, and that over an even share, which every list of the late half exceeds: balanced routers keep every one within
twice its even share, and layers that specialise give one expert a third or so."""
_MODE = "div/moe-router-collapse"
_FIXES = ("balance-the-router", "return-to-earlier-checkpoint")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the router that ends with one expert for nearly everything, in all of the last lists of shares."""
    told = [event for event in facts.events if event.kind == STATEMENT and event.name == PART_SHARES]
    told = [event for event in told if event.numbers["parts"] >= PARTS]
    late = told[len(told) // 2 :]
    if len(told) < FEWEST or not all(
        event.numbers["top"] >= max(MOST, TIMES / event.numbers["parts"]) for event in late
    ):
        return
    first = next(event for at, event in enumerate(told) if all(each.numbers["top"] >= MOST for each in told[at:]))
    parts, top = first.numbers["parts"], first.numbers["top"]
    claim = (
        f"one of {parts:g} experts gets {top:.0%}, where an even share is {1 / parts:.1%}, and so it stays to the end"
    )
    match = match_of(
        first,
        claim,
        rule="series/router-collapse",
        mode=_MODE,
        role="cause",
        tier="metric",
        scope="job",
        captures={"metric": first.captures.get("what", "")},
        fixes=_FIXES,
        title="The router sends nearly everything to one expert",
    )
    last = late[-1]
    also = evidence(last, f"one expert gets {last.numbers['top']:.0%} in the last list")
    yield explained(replace(match, evidence=(*match.evidence, also)), facts)


DETECTORS = (Detector(id="router", modes=(_MODE,), find=find, remedies=lambda: {_MODE: _FIXES}),)
