"""How sure the verdict is: a small logistic model over the facts of the best hypothesis and its margin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct
from msgspec.json import decode

from runtriage.judge.incidents import generic
from runtriage.judge.outcome import TERMINAL
from runtriage.model.facts import Facts
from runtriage.model.verdict import Hypothesis

_MODEL = "confidence.json"
_ALONE = 0.85
"""Confidence at most in the bare name of a signal when nothing else is told: what it is the end of may be told elsewhere."""

_INFERRED = 0.75
"""Confidence at most in what curves show and other causes would show as well."""


class _Model(Struct, frozen=True):
    coefficients: dict[str, float]


@cache
def model() -> Mapping[str, float]:
    """Return the coefficients; `intercept` is one of them, `floor` the score under which a verdict abstains."""
    return decode(Path(__file__).with_name(_MODEL).read_bytes(), type=_Model).coefficients


def features(ranked: Sequence[Hypothesis], facts: Facts) -> dict[str, float]:
    """Return the numbers the model looks at, each between 0 and 1."""
    best = ranked[0]
    incident = best.incident
    if incident is None:
        return {}
    first = incident.matches[0]
    rival = next(
        (item.score for item in ranked[1:] if item.incident and item.incident.primary_class != incident.primary_class),
        None,
    )
    margin = best.score - rival if rival is not None else 4.0
    names = {fact.name for fact in best.facts}
    return {
        "margin": min(max(margin, 0.0), 4.0) / 4.0,
        "score": min(max(best.score, 0.0), 8.0) / 8.0,
        "cause": float(incident.role == "cause"),
        "exception": float(first.tier == "exception"),
        "kernel": float(first.tier in ("kernel", "scheduler")),
        "metric": float(first.tier == "metric"),
        "exit_only": float(first.tier in ("exit", "launcher")),
        "generic": float(generic(incident.mode)),
        "stable": float(first.maturity == "stable"),
        "ended": float(incident.outcome == TERMINAL),
        "explained": float("explained" in names),
        "contradicted": float("contradicted" in names),
        "cut": float(any(read.cut for read in facts.reads)),
    }


def confidence(ranked: Sequence[Hypothesis], facts: Facts) -> float:
    """Return the probability, from 0 to 1, that the best hypothesis names the right class."""
    weights = model()
    total = weights["intercept"] + sum(
        weights.get(name, 0.0) * value for name, value in features(ranked, facts).items()
    )
    sure = 1.0 / (1.0 + math.exp(-total))
    sure = min(sure, _INFERRED) if _inferred(ranked[0]) else sure
    return round(min(sure, _ALONE) if _alone(ranked) else sure, 2)


def _inferred(best: Hypothesis) -> bool:
    """Tell whether nothing but the shape of curves speaks for the root, and other modes have the same shape."""
    matches = best.incident.matches if best.incident else ()
    return bool(matches) and not best.explains and all(match.captures.get("inferred") == "yes" for match in matches)


def _alone(ranked: Sequence[Hypothesis]) -> bool:
    """Tell whether all that is known is that a signal ended a process: no stack, no reason, nothing beside it."""
    incident = ranked[0].incident
    if len(ranked) > 1 or incident is None or not incident.mode.startswith("crash/"):
        return False
    return all(match.tier == "exit" and not match.numbers.get("frames") for match in incident.matches)


def floor() -> float:
    """Return the confidence under which the judge abstains."""
    return model()["floor"]
