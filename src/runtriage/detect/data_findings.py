"""What a table holds that a training run may stumble over, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.detect.data_table import classes_of, outside, shared
from runtriage.model.facts import Facts
from runtriage.model.place import where
from runtriage.model.table import Column, DataTable, Label

_NAMED: Final = 5
"""Columns that are named before the rest is counted."""
_MAJORITY: Final = 0.9
"""Share of one label from which a model that always answers it looks good."""
_NEAR: Final = 0.005
"""How far an accuracy may be from the most frequent label's share and still be no better than it."""
_CHANCE: Final = 0.2
"""Share below which the most frequent of many labels is rare, so that an accuracy near it is a coincidence."""


def findings(table: DataTable, facts: Facts, hidden: str) -> Iterator[str]:
    """Yield what one table holds that a run may stumble over, in sentences that name a row where there is one; `hidden` stands for a value."""
    wanted = facts.options.label_column
    if table.label is not None:
        yield from _of_label(table.label, facts, hidden)
    elif wanted and table.rows:
        names = [column.name for column in table.columns]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield f"it has no column {wanted}; it has {', '.join(names[:_NAMED])}{more}"
    yield from _of_columns(table)
    for one, two, part in shared(facts):
        if two is table:
            yield f"{part:.0%} of the rows of the smaller of {one.artifact} and this table are in both"


def _of_label(label: Label, facts: Facts, hidden: str) -> Iterator[str]:
    column = label.column
    found = outside(label, classes_of(facts))
    if found:
        yield f"{found[0]} ({where(found[1])})"
    if label.odd and label.odd_at:
        values = "value that is no number" if label.odd == 1 else "values that are no numbers, the first"
        yield f"{column.name} has {label.odd:,} {values} ({where(label.odd_at)}: {hidden})"
    if column.missing and label.missing_at:
        yield f"{column.name} is missing in {column.missing:,} rows, first at {where(label.missing_at)}"
    if column.distinct == 1:
        yield f"{column.name} has one value only"
    elif column.share is not None and column.share >= _MAJORITY:
        yield f"{column.share:.1%} of the rows have one value of {column.name}: always answering it is that accurate"
    if column.share is not None:
        yield from _no_better(column, column.share, facts)
    if label.telling:
        yield f"each value of {_some(label.telling)} goes with one {column.name} only: the label may be given away"
    if label.nearly:
        yield f"nearly every row with the same {_some(label.nearly)} has the same {column.name}: the label may be given away"


def _no_better(column: Column, share: float, facts: Facts) -> Iterator[str]:
    """Yield accuracies that never rose above what the most frequent label alone gives."""
    for series in facts.series:
        if series.role != "eval_metric" or "acc" not in series.name.lower() or series.maximum is None:
            continue
        if share >= _CHANCE and abs(series.maximum.value - share) <= _NEAR:
            best = f"{series.name} never exceeds {series.maximum.value:g}"
            yield f"{best}: always answering the most frequent {column.name} gives {share:.3g}"


def _of_columns(table: DataTable) -> Iterator[str]:
    own = table.label.column.name if table.label else ""
    others = [column for column in table.columns if column.name != own]
    yield from _named("holds NaN or infinite values", [_nonfinite(column) for column in others if column.nonfinite])
    yield from _named("has gaps", [_gaps(column) for column in others if column.missing])
    if table.rows > 1:
        constant = [column.name for column in others if column.distinct == 1 and not column.missing]
        yield from _named("has one value only", constant)


def _nonfinite(column: Column) -> str:
    return f"{column.name} ({column.nonfinite:,}, first in row {column.first_nonfinite})"


def _gaps(column: Column) -> str:
    return f"{column.name} ({column.missing:,}, first in row {column.first_missing})"


def _named(what: str, names: list[str]) -> Iterator[str]:
    if names:
        yield f"{what}: {_some(tuple(names))}"


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
