"""Training data looked through on request: labels outside the classes, gaps, and rows that two splits share.

What the data hold is a cause only where the run failed in the way it explains; otherwise it is told among the data checks alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from runtriage.detect.engine import Detector
from runtriage.detect.signatures import matched
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts, Setting
from runtriage.model.finding import Evidence, Match
from runtriage.model.place import Citation
from runtriage.model.series import Series
from runtriage.model.table import Column, DataTable, Label

_RANGE, _GAPS = "data/label-out-of-range", "data/nan-features"
_RANGE_FIXES = ("fix-label-range", "validate-labels")
_GAP_FIXES = ("handle-missing-values",)
_ASSERTS = ("cuda/device-side-assert", "data/label-out-of-range", "data/token-out-of-range")
_NANS = ("nan/", "data/nan-features")
_IGNORED = -100
"""Label that PyTorch's losses leave out."""
SHARED = 0.01
"""Part of the smaller split's rows that must be in the other: fewer are coincidences of short rows."""
_FEWEST = 20
_OUTLIVED = 2
"""Passes over all rows with a finite loss after which a row that each pass meets cannot be what broke it: one may leave out a last batch."""


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each fault of the data that explains how the run failed."""
    for table in facts.tables:
        if table.label is not None and matched(facts, _ASSERTS):
            yield from _outside(table.label, facts)
        if matched(facts, _NANS):
            yield from _gaps(table)
        elif (loss := _nan_loss(facts)) is not None:
            yield from _of_curve(table, loss, facts)


def outside(label: Label, classes: Setting | None) -> tuple[str, Citation] | None:
    """Return the claim that a label is not one of the classes, and where it is; None where it is not known to be so."""
    column = label.column
    if not column.numeric or not column.integral or column.low is None or column.high is None:
        return None
    count = int(classes.value) if classes and classes.value.isdecimal() else None
    if column.low < 0 and column.low != _IGNORED and label.low_at:
        return f"{column.name} is {column.low:g}, and classes count from 0", label.low_at
    if count and column.high >= count and label.high_at:
        return f"{column.name} is {column.high:g}, and {count} classes allow 0 to {count - 1}", label.high_at
    return None


def classes_of(facts: Facts) -> Setting | None:
    """Return the setting that tells the number of classes, when all that do agree."""
    told = [item for item in facts.settings if item.role == "num_labels"]
    return told[0] if len({item.value for item in told}) == 1 else None


def shared(facts: Facts) -> Iterator[tuple[DataTable, DataTable, float]]:
    """Yield pairs of tables with equal columns that share rows, and the part of the smaller one that is in the other."""
    for one, two in combinations(facts.tables, 2):
        if {column.name for column in one.columns} != {column.name for column in two.columns}:
            continue
        step = max(one.modulus, two.modulus)
        first = {value for value in one.sample if value % step == 0}
        second = {value for value in two.sample if value % step == 0}
        smaller = min(len(first), len(second))
        both = len(first & second)
        if smaller >= _FEWEST and both / smaller >= SHARED:
            yield one, two, both / smaller


def _outside(label: Label, facts: Facts) -> Iterator[Match]:
    setting = classes_of(facts)
    found = outside(label, setting)
    if found is None:
        return
    claim, place = found
    also = (Evidence(claim=f"{setting.name} is {setting.value}", citation=setting.citation),) if setting else ()
    yield _match(_RANGE, claim, place, _RANGE_FIXES, "A label is not one of the classes", also)


def _gaps(table: DataTable) -> Iterator[Match]:
    column = next((column for column in table.columns if column.nonfinite or (column.numeric and column.missing)), None)
    if column is None:
        return
    row = column.first_nonfinite or column.first_missing
    place = Citation(artifact=table.artifact, table="rows", key=str(row))
    yield _match(_GAPS, _gap(column), place, _GAP_FIXES, "The data hold missing or infinite values")


def _of_curve(table: DataTable, loss: Series, facts: Facts) -> Iterator[Match]:
    """Yield what the gaps have to do with a loss that is not finite: nothing but a curve tells of it, and it may have outlived them."""
    passes = _passes(table, loss, facts)
    for found in _gaps(table):
        if passes < _OUTLIVED:
            yield replace(found, tier="metric")
            continue
        claim, last = found.evidence[0].claim, loss.last_finite
        assert last is not None
        claim = f"{claim}; {loss.name} was finite up to step {last.step:g}, after {passes:,.0f} passes over the {table.rows:,} rows"
        evidence = (replace(found.evidence[0], claim=claim), *found.evidence[1:])
        yield replace(found, tier="config", evidence=evidence, captures={"outlived": "yes"})


def _passes(table: DataTable, loss: Series, facts: Facts) -> float:
    """Return how often at least a run had met every row while its loss was finite; a batch of unknown size holds one row."""
    first, last = next((point for point in loss.points), None), loss.last_finite
    if first is None or last is None or not table.rows or table.cut is not None:
        return 0.0
    sizes = {item.value for item in facts.settings if item.role == "batch_size"}
    size = next(iter(sizes)) if len(sizes) == 1 else ""
    batch = int(size) if size.isdecimal() and int(size) else 1
    return (last.step - first.step) // math.ceil(table.rows / batch)


def _gap(column: Column) -> str:
    row, count = column.first_nonfinite or column.first_missing, column.nonfinite or column.missing
    if count == 1:
        what = "1 value that is NaN or infinite" if column.nonfinite else "1 gap"
        return f"column {column.name} has {what}, in row {row}"
    what = "values that are NaN or infinite" if column.nonfinite else "gaps"
    return f"column {column.name} has {count:,} {what}, the first in row {row}"


def _match(
    mode: str, claim: str, place: Citation, fixes: tuple[str, ...], title: str, also: tuple[Evidence, ...] = ()
) -> Match:
    return Match(
        rule=f"data/{mode.partition('/')[2]}",
        mode=mode,
        role="cause",
        maturity="stable",
        tier="exception",
        evidence=(Evidence(claim=claim, citation=place), *also),
        scope="job",
        fixes=fixes,
        title=title,
    )


def _nan_loss(facts: Facts) -> Series | None:
    return next((series for series in facts.series if series.role == "loss" and series.nonfinite), None)


DETECTORS = (
    Detector(
        id="data-table",
        modes=(_RANGE, _GAPS),
        find=find,
        remedies=lambda: {_RANGE: _RANGE_FIXES, _GAPS: _GAP_FIXES},
        needs=lambda facts: () if facts.tables else ("the training data (--data PATH)",),
    ),
)
