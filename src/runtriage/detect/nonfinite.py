"""A loss or gradient norm that became NaN or infinite and stayed so."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from runtriage.detect.curve import cite, shown
from runtriage.detect.engine import Detector
from runtriage.detect.loss_scale import FLOOR as SCALE_FLOOR
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.series import Point, Series

_ROLES = ("loss", "grad_norm", "eval_loss")
_PARTS = {"loss": "loss_part", "eval_loss": "eval_loss_part"}
"""One term of a loss counts where the whole is not printed; else a term for something that never occurs may well be undefined."""
_MODES = {
    "loss": "nan/loss-nonfinite",
    "eval_loss": "nan/loss-nonfinite",
    "grad_norm": "nan/grad-nonfinite",
    "loss_part": "nan/loss-nonfinite",
    "eval_loss_part": "nan/loss-nonfinite",
}
EARLY_STEPS = 100
"""A NaN within this many steps speaks for the learning rate, precision or scaling of the data; a later one for an explosion or a
corrupt batch (the usual rule of thumb in post-mortems of training runs)."""
_EARLY_FIXES = ("lower-learning-rate", "use-bfloat16", "check-input-scaling")
_LATE_FIXES = ("clip-gradients", "lower-learning-rate", "inspect-failing-sample")
_STAYS = 0.5
"""Share of the values after the first non-finite one that must be non-finite too; dynamic loss scaling skips single steps."""


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each series of each rank that ends non-finite."""
    printed = {series.role for series in facts.series}
    roles = (*_ROLES, *(part for whole, part in _PARTS.items() if whole not in printed))
    for series in facts.series:
        if series.role not in roles or series.first_nonfinite is None or not _stays(series):
            continue
        if series.role == "loss" and series.last_finite is None and _never_filled(series, facts):
            continue
        if series.role != "grad_norm" or not _still_scaling(series.first_nonfinite, series, facts):
            yield _match(series, series.first_nonfinite)


def _stays(series: Series) -> bool:
    first = series.first_nonfinite
    if first is None or not series.points:
        return False
    after = [point for point in series.points if point.line >= first.line and point.step >= first.step]
    broken = sum(not math.isfinite(point.value) for point in after)
    return not math.isfinite(series.points[-1].value) and broken >= _STAYS * len(after)


def _never_filled(loss: Series, facts: Facts) -> bool:
    """Tell whether a loss that never was a number stands in rows with another loss, and a norm of the gradient, that always are.

    A bar shows NaN where the program hands it no loss, and reports its own under another name.
    """
    lines = {point.line for point in loss.points}

    def filled(role: str) -> bool:
        others = (one for one in facts.series if one.role == role and one is not loss and one.artifact == loss.artifact)
        return any(
            one.nonfinite == 0 and one.total >= loss.total and not lines.isdisjoint(point.line for point in one.points)
            for one in others
        )

    return filled("loss") and filled("grad_norm")


def _still_scaling(first: Point, norm: Series, facts: Facts) -> bool:
    """Tell whether the loss scale fell at each step since the first broken norm and has not come to its floor: it is being looked for."""
    for scale in facts.series:
        if scale.role == "loss_scale" and (scale.artifact, scale.subject) == (norm.artifact, norm.subject):
            values = [point.value for point in scale.points if point.line >= first.line]
            falls = len(values) > 1 and all(later < earlier for earlier, later in pairwise(values))
            if falls and values[-1] > SCALE_FLOOR:
                return True
    return False


def _match(series: Series, first: Point) -> Match:
    early = first.step <= EARLY_STEPS
    word = "NaN" if math.isnan(first.value) else "infinite"
    when = "within the first 100 steps" if early else f"after {first.step:g} steps"
    return Match(
        rule=f"series/nonfinite-{series.role}",
        mode=_MODES[series.role or "loss"],
        role="cause",
        maturity="stable",
        tier="metric",
        evidence=(
            Evidence(
                claim=_claim(series, first, word),
                citation=cite(series, first),
                quantity=f"{series.nonfinite} non-finite values",
            ),
        ),
        subject=series.subject,
        step=int(first.step) if first.step.is_integer() else None,
        count=series.nonfinite,
        captures={"metric": series.name, "when": when},
        numbers={"first_step": first.step, "nonfinite": float(series.nonfinite)},
        fixes=_EARLY_FIXES if early else _LATE_FIXES,
        title=f"{series.name} {'became' if series.last_finite is not None else 'is'} {word}",
    )


def _claim(series: Series, first: Point, word: str) -> str:
    """Say since when values are not finite: where none of those that were read is, that is not known."""
    last = series.last_finite
    if last is not None:
        before = f"(last finite value {shown(last.value)} at {_at(last)})"
        return f"{series.name} became {word} at {_at(first)} {before}, and stayed so"
    rest = " and in all that follow" if series.total > 1 else ""
    return f"{series.name} is {word} in the first value that was read, of {_at(first)},{rest}".rstrip(",")


def _at(point: Point) -> str:
    """Name a place in the run: between two steps there are only parts of an epoch."""
    return f"step {point.step:g}" if point.step.is_integer() else f"epoch {point.step:.4g}"


DETECTORS = (
    Detector(
        id="nonfinite",
        modes=("nan/loss-nonfinite", "nan/grad-nonfinite"),
        find=find,
        remedies=lambda: dict.fromkeys(_MODES.values(), (*_EARLY_FIXES, *_LATE_FIXES)),
    ),
)
