"""A table of training data, as one pass over it tells."""

from __future__ import annotations

from msgspec import Struct

from runtriage.model.place import Citation


class Column(Struct, frozen=True, kw_only=True):
    """One column. `low` and `high` are the extremes of its finite numbers; `distinct` is None where it has too many values to count.

    `share` is the part of the present values that are the most frequent one; `first_missing` and `first_nonfinite` are 1-based rows.
    """

    name: str
    present: int
    missing: int
    nonfinite: int
    numeric: bool
    integral: bool
    low: float | None = None
    high: float | None = None
    distinct: int | None = None
    share: float | None = None
    first_missing: int | None = None
    first_nonfinite: int | None = None


class Label(Struct, frozen=True, kw_only=True):
    """The label's values: how often each occurs (None where there are too many), and the places of the extremes and of a first gap."""

    column: Column
    low_at: Citation | None
    high_at: Citation | None
    missing_at: Citation | None
    odd: int = 0
    """Values that are no numbers, where most are; `odd_at` is the place of the first."""
    odd_at: Citation | None = None
    telling: tuple[str, ...] = ()
    """Other columns each of whose values goes with one label only."""
    nearly: tuple[str, ...] = ()
    """The same but for a row in a thousand at most."""


class DataTable(Struct, frozen=True, kw_only=True):
    """One file. `sample` holds hashes of whole rows that are multiples of `modulus`, to find rows that two files share."""

    artifact: str
    rows: int
    columns: tuple[Column, ...]
    label: Label | None
    sample: frozenset[int] = frozenset()
    modulus: int = 1
    cut: str | None = None
