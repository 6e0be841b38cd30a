"""Draws how often answers were right at each confidence: a reliability diagram in text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zoo.outcome import Outcome

BINS = 5
WIDTH = 40


def points(outcomes: Iterable[Outcome]) -> list[tuple[float, bool]]:
    """(confidence, right) of every answer that named a class, least sure first."""
    return sorted((one.confidence, one.given == one.truth) for one in outcomes if one.given is not None)


def diagram(outcomes: Iterable[Outcome], bins: int = BINS) -> str:
    """One row a bin of equal mass: `#` up to the share that was right, `|` where the mean confidence lies."""
    known = points(outcomes)
    if not known:
        return "no answer named a class"
    rows = ["confidence   answers   right   0%" + " " * (WIDTH - 6) + "100%"]
    for index in range(bins):
        part = known[index * len(known) // bins : (index + 1) * len(known) // bins]
        if part:
            rows.append(_row(part))
    return "\n".join(rows)


def _row(part: Sequence[tuple[float, bool]]) -> str:
    sure = sum(confidence for confidence, _ in part) / len(part)
    right = sum(hit for _, hit in part) / len(part)
    bar = ["#" if place < round(right * WIDTH) else "." for place in range(WIDTH + 1)]
    bar[round(sure * WIDTH)] = "|"
    return f"{sure:>10.2f} {len(part):>9} {right:>7.0%}   {''.join(bar)}"
