"""Figures over many outcomes: rates, macro-F1, calibration error, bootstrap intervals."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from zoo.outcome import Outcome

T = TypeVar("T")


def rate(answers: Iterable[bool | None]) -> float | None:
    """The share of True among those that are not None; None when there are none."""
    known = [answer for answer in answers if answer is not None]
    return sum(known) / len(known) if known else None


def f1_by_class(pairs: Iterable[tuple[str | None, str | None]]) -> dict[str, float]:
    """F1 of every class that occurs as truth, from (truth, given) pairs; None stands for no class."""
    pairs = list(pairs)
    scores: dict[str, float] = {}
    for label in sorted({truth for truth, _ in pairs if truth is not None}):
        hits = sum(truth == given == label for truth, given in pairs)
        wanted = sum(truth == label for truth, _ in pairs)
        claimed = sum(given == label for _, given in pairs)
        scores[label] = 2 * hits / (wanted + claimed)
    return scores


def macro_f1(pairs: Iterable[tuple[str | None, str | None]]) -> float | None:
    """The mean of the classes' F1; None without any class."""
    scores = f1_by_class(pairs)
    return sum(scores.values()) / len(scores) if scores else None


def calibration_error(points: Iterable[tuple[float, bool]], bins: int = 5) -> float | None:
    """Expected calibration error of (confidence, right) points over equal-mass bins; None without points."""
    ordered = sorted(points)
    if not ordered:
        return None
    error = 0.0
    for index in range(bins):
        part = ordered[index * len(ordered) // bins : (index + 1) * len(ordered) // bins]
        if part:
            sure = sum(confidence for confidence, _ in part)
            right = sum(hit for _, hit in part)
            error += abs(sure - right)
    return error / len(ordered)


def overconfidence(points: Iterable[tuple[float, bool]]) -> float | None:
    """By how much the mean confidence exceeds the share of right answers, 0 where it does not; None without points."""
    known = list(points)
    if not known:
        return None
    return max(0.0, (sum(confidence for confidence, _ in known) - sum(hit for _, hit in known)) / len(known))


def interval(
    items: Sequence[T],
    figure: Callable[[Sequence[T]], float | None],
    rounds: int = 1000,
    seed: int = 20_240_601,
) -> tuple[float, float] | None:
    """The 95 % bootstrap interval of ``figure``, items redrawn with replacement; None when it is never defined."""
    draw = random.Random(seed)
    values: list[float] = []
    for _ in range(rounds if items else 0):
        value = figure(draw.choices(items, k=len(items)))
        if value is not None:
            values.append(value)
    if not values:
        return None
    values.sort()
    return values[int(0.025 * (len(values) - 1))], values[round(0.975 * (len(values) - 1))]


def _pairs(outcomes: Sequence[Outcome]) -> list[tuple[str | None, str | None]]:
    return [(one.truth, one.given) for one in outcomes if not one.healthy]


def _points(outcomes: Sequence[Outcome]) -> list[tuple[float, bool]]:
    return [(one.confidence, one.given == one.truth) for one in outcomes if one.given is not None]


FIGURES: dict[str, Callable[[Sequence[Outcome]], float | None]] = {
    "class macro-F1": lambda all_: macro_f1(_pairs(all_)),
    "class exact": lambda all_: rate(one.class_hit for one in all_),
    "class exact or acceptable": lambda all_: rate(one.acceptable_hit for one in all_),
    "root in top 1": lambda all_: rate(one.root_hit for one in all_),
    "root in top 3": lambda all_: rate(one.best_hit for one in all_),
    "culprit rank": lambda all_: rate(one.rank_hit for one in all_),
    "culprit rank, where one is to blame": lambda all_: rate(one.named_rank_hit for one in all_),
    "symptom reported as root": lambda all_: rate(one.symptom for one in all_),
    "false alarms on healthy runs": lambda all_: rate(one.false_alarm for one in all_),
    "run status": lambda all_: rate(one.status for one in all_),
    "last step": lambda all_: rate(one.step for one in all_),
    "last good checkpoint": lambda all_: rate(one.checkpoint for one in all_),
    "routed": lambda all_: rate(one.routed for one in all_),
    "workload category": lambda all_: rate(one.category for one in all_),
    "no failure seen, and no end": lambda all_: rate(one.open_end for one in all_),
    "abstention precision": lambda all_: rate(one.abstention for one in all_),
    "calibration error": lambda all_: calibration_error(_points(all_)),
    "overconfidence": lambda all_: overconfidence(_points(all_)),
}
"""Every figure the zoo reports, by the name it is printed under."""
