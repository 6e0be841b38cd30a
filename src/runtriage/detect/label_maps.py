"""Two maps of class names to numbers, printed by one run, that number the same classes differently."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from runtriage.detect.claims import evidence
from runtriage.detect.curve import of_role, shares
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred

_MODE = "eval/label-mapping"
_PRINTED = f"{_MODE}.map"
_MAP = deferred(r"\b(?:label2id|label_to_id|class_to_idx)\b[^{]{0,60}\{([^{}]{5,900})\}")
_PAIR = deferred(r"[\"']([^\"']{1,80})[\"']\s{0,4}:\s{0,4}(\d{1,6})\b")
_MENDED = deferred(r"re-?map|re-?order|realign|permut|converted", re.IGNORECASE)
"""What a program says where it accounts for the difference."""
WELL = 0.6
"""A score of the evaluation from here up: whatever the maps say, it was not ruined by them."""
_MOST = 64
_FIXES = ("compare-label-maps", "evaluate-on-training-batch")


class _Map(NamedTuple):
    event: Event
    numbers: Mapping[str, int]


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first two maps that have the same classes under other numbers, unless the evaluation went well."""
    maps = list(_maps(facts))[:_MOST]
    if len(maps) < 2 or _went_well(facts):
        return
    for one, two in combinations(maps, 2):
        moved = [name for name, number in one.numbers.items() if two.numbers.get(name, number) != number]
        if moved and one.numbers.keys() == two.numbers.keys():
            yield _match(one, two, moved[0])
            return


def _maps(facts: Facts) -> Iterator[_Map]:
    for event in facts.events:
        told = event.captures.get("map", "") if event.name.startswith(f"{_PRINTED}#") else ""
        if not told and (found := _MAP.search(event.captures.get("message", "")[:4096])):
            told = found[1]
        if told and not _MENDED.search(event.excerpt):
            numbers = {name: int(number) for name, number in _PAIR.findall(told)}
            if len(numbers) >= 2:
                yield _Map(event, numbers)


def _went_well(facts: Facts) -> bool:
    return any(shares(series)[-1].value > WELL for series in of_role(facts, "eval_metric") if shares(series))


def _match(one: _Map, two: _Map, name: str) -> Match:
    claim = f"class {name} is number {two.numbers[name]} here and number {one.numbers[name]} in the map printed before"
    return Match(
        rule="config/label-maps-differ",
        mode=_MODE,
        role="cause",
        maturity="stable",
        tier="metric",
        evidence=(evidence(two.event, claim), evidence(one.event, f"class {name} is number {one.numbers[name]}")),
        subject=two.event.subject,
        scope="job",
        start=two.event.when,
        step=two.event.step,
        numbers={"before": float(one.numbers[name]), "after": float(two.numbers[name])},
        events=(two.event,),
        fixes=_FIXES,
        title="Labels are numbered differently in two places of the run",
    )


DETECTORS = (Detector(id="label-maps", modes=(), find=find, remedies=lambda: {_MODE: _FIXES}),)
