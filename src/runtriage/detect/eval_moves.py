"""An evaluation that changes although nothing is trained: it draws its samples or its dropout anew every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from runtriage.detect.curve import cite, finite, fired, of_role
from runtriage.detect.engine import Detector
from runtriage.detect.plateau import guessing
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.series import Point, Series

FEWEST, DISTINCT = 4, 3
"""Evaluations, and values among them that differ."""
STILL, DIGITS = 5, 4
"""Equal training losses, and digits in them, before they say that no weight changes."""
MOVED = 0.01
"""Range over middle of what moves: sums on a GPU differ in their last digits from one time to the next."""
_MODE = "eval/sampling-nondeterminism"
_FIXES = ("evaluate-twice", "check-optimizer-parameters")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for the first evaluation that moves while training stands still."""
    proof = _stands_still(facts)
    if not proof:
        return
    for evaluation in of_role(facts, "eval_metric", "eval_loss"):
        judged = finite(evaluation)
        low, high = min((p.value for p in judged), default=0.0), max((p.value for p in judged), default=0.0)
        if len(judged) < FEWEST or len({point.value for point in judged}) < DISTINCT:
            continue
        if high - low <= MOVED * max(abs(high), abs(low)):
            continue
        first, second = next((one, two) for one, two in pairwise(judged) if one.value != two.value)
        claim = (
            f"{evaluation.name} moves between {low:g} and {high:g} in {len(judged)} evaluations (from {first.value:g} at step "
            f"{first.step:g} to {second.value:g} at step {second.step:g}) although {proof[0].claim}"
        )
        found = fired(
            "eval-moves-untrained",
            _MODE,
            evaluation,
            second,
            claim,
            fixes=_FIXES,
            numbers={"lowest": low, "highest": high, "evaluations": float(len(judged))},
            also=proof,
            title="The score changes while nothing is trained",
        )
        yield replace(found, role="symptom") if _guesses(facts) else found
        return


def _stands_still(facts: Facts) -> list[Evidence]:
    """Return what shows that no weight changes; a rate of zero only adds to it, as many logs print rates with few digits."""
    shown = [_equal(series) for series in of_role(facts, "loss")]
    shown += [_zero(series) for series in of_role(facts, "grad_norm")]
    proof = [item for item in shown if item is not None]
    rates = [_zero(series) for series in of_role(facts, "lr")]
    return [*proof, *(item for item in rates if item is not None)] if proof else []


def _guesses(facts: Facts) -> bool:
    """Tell whether training never learnt anything at all: that is the fault, and a score that moves only shows it."""
    points = [finite(series) for series in of_role(facts, "loss")]
    return any(each and guessing(each[0].value) is not None for each in points)


def _equal(series: Series) -> Evidence | None:
    points = finite(series)
    if len(points) < STILL or series.nonfinite or not _precise(points):
        return None
    if any(point.value != points[0].value for point in points):
        return None
    return _evidence(series, points, f"{series.name} is {points[0].value:g} in all {series.total} prints")


def _zero(series: Series) -> Evidence | None:
    points = finite(series)
    if len(points) < STILL or series.nonfinite or any(point.value for point in points):
        return None
    return _evidence(series, points, f"{series.name} is 0 in all {series.total} prints")


def _evidence(series: Series, points: Sequence[Point], claim: str) -> Evidence:
    return Evidence(claim=claim, citation=cite(series, points[-1]))


def _precise(points: Sequence[Point]) -> bool:
    digits = f"{abs(points[0].value):.6g}".replace(".", "").strip("0")
    return len(digits) >= DIGITS


DETECTORS = (
    Detector(
        id="eval-moves",
        modes=(_MODE,),
        find=find,
        remedies=lambda: {_MODE: _FIXES},
        needs=lambda facts: () if any(of_role(facts, "eval_loss", "eval_metric")) else ("an evaluation series",),
    ),
)
