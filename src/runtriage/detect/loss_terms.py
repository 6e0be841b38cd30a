"""A loss that is printed only as its terms: their sum is what training lowers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from runtriage.detect.curve import finite, ordinary
from runtriage.model.facts import Facts
from runtriage.model.series import Point, Series

_REINFORCED = frozenset({"reward", "policy_loss", "value_loss"})
"""Roles of a run that learns from rewards: the terms it prints follow what it meets, and need not fall."""


class Total(Struct, frozen=True):
    """The sum of a loss's terms as a series of its own; `terms` hold the one that came to most first."""

    series: Series
    terms: tuple[Series, ...]


def totals(facts: Facts, whole: str, part: str) -> Iterator[Total]:
    """Yield the sum of all terms with the role `part` of each printer, where none of the role `whole` is printed.

    Terms of which one may rise in a healthy run (adversaries, policies) have no sum that must fall.
    """
    roles = {series.role for series in facts.series}
    if whole in roles or roles & _REINFORCED:
        return
    printers: dict[tuple[str, int | None, int], list[Series]] = {}
    for series in facts.series:
        if series.role == part:
            printers.setdefault((series.artifact, series.subject.rank, series.subject.attempt), []).append(series)
    for terms in printers.values():
        if len(terms) > 1 and all(ordinary(term) and not term.nonfinite for term in terms):
            total = _sum(terms)
            if total is not None:
                yield total


def _sum(terms: Sequence[Series]) -> Total | None:
    """Return the sum over the places where every term is printed, or None where there is no such place."""
    known = [{(point.step, point.line): point.value for point in finite(term)} for term in terms]
    shared = [point for point in finite(terms[0]) if all((point.step, point.line) in values for values in known)]
    if not shared:
        return None
    points = tuple(replace(point, value=_at(point, known)) for point in shared)
    ordered = sorted(terms, key=lambda term: -max(point.value for point in finite(term)))
    name = " + ".join(term.name for term in terms)
    series = replace(terms[0], name=name, points=points, total=len(points), minimum=None, maximum=None)
    return Total(series, tuple(ordered))


def _at(point: Point, known: Sequence[dict[tuple[float, int], float]]) -> float:
    return sum(values[point.step, point.line] for values in known)
