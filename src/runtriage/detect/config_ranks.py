"""Ranks of one job that were given different settings which must be equal on all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import SIGNATURE
from runtriage.model.facts import Facts, Setting
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred

_MODE = "nccl/collective-mismatch"
_EQUAL = frozenset(
    {"batch_size", "epochs", "grad_accum", "lr", "max_steps", "num_labels", "precision", "vocab_size", "world_size"}
)
"""Roles of settings that decide how many collectives a rank calls, or of what shape and kind."""
_FELT = ("nccl/", "ddp/", "rdzv/", "gloo/")
"""Failures that such a difference can explain."""
_RANK = deferred(r"(?:^|[._/-])(?:global[_-]?)?rank[_-]?(\d{1,6})(?=$|[._/-])", re.IGNORECASE)
_FIXES = ("check-world-size",)


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield the settings that ranks disagree on, beside whatever failed between them: no cause by itself."""
    if not any(event.kind == SIGNATURE and event.name.startswith(_FELT) for event in facts.events):
        return
    told: dict[str, dict[int, Setting]] = {}
    owners = _owners(facts)
    for item in facts.settings:
        rank = owners.get(item.citation.artifact)
        if rank is not None and item.role in _EQUAL:
            told.setdefault(item.name, {}).setdefault(rank, item)
    for name, ranks in told.items():
        if (pair := _differing(ranks)) is not None:
            yield _match(name, *pair)


def _owners(facts: Facts) -> dict[str, int]:
    """Return the one rank whose file an artifact is: by the artifact itself, by its path, by who made progress in it."""
    found: dict[str, int] = {}
    for read in facts.reads:
        named = _RANK.findall(read.artifact.path)
        rank = int(named[-1]) if named else read.artifact.rank
        if rank is not None:
            found[read.artifact.path] = rank
    seen: dict[str, set[int | None]] = {}
    for entry in facts.progress:
        seen.setdefault(entry.artifact, set()).add(entry.subject.rank)
    for path, ranks in seen.items():
        (only, *more) = ranks
        if not more and only is not None:
            found.setdefault(path, only)
    return found


def _differing(ranks: dict[int, Setting]) -> tuple[int, Setting, int, Setting] | None:
    ordered = sorted(ranks)
    first = ordered[0]
    for other in ordered[1:]:
        if _value(ranks[other]) != _value(ranks[first]):
            return first, ranks[first], other, ranks[other]
    return None


def _value(item: Setting) -> float | str:
    try:
        return float(item.value)
    except ValueError:
        return item.value.lower()


def _match(name: str, one: int, first: Setting, two: int, second: Setting) -> Match:
    claim = f"{name} is {first.value} on rank {one} and {second.value} on rank {two}"
    return Match(
        rule="config/ranks-differ",
        mode=_MODE,
        role="context",
        maturity="stable",
        tier="config",
        evidence=(
            Evidence(claim=claim, citation=second.citation),
            Evidence(claim=f"{name} is {first.value} on rank {one}", citation=first.citation),
        ),
        scope="job",
        fixes=_FIXES,
        title="Ranks were given different settings",
    )


DETECTORS = (Detector(id="config-ranks", modes=(), find=find, remedies=lambda: {_MODE: _FIXES}),)
