"""One pass over a table of training data, with bounded memory: ranges, gaps, frequencies, and columns that give the label away."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from runtriage.model.place import Citation
from runtriage.model.table import Column, DataTable, Label
from runtriage.model.target import ByteStream
from runtriage.parse.data_pairs import Pairs
from runtriage.parse.data_rows import FORMATS, Row, Unreadable, rows

_VALUES: Final = 2_000
"""Distinct values that are counted; a column with more has its `distinct` unknown."""
_COLUMNS: Final = 2_000
_SAMPLE: Final = 50_000
"""Row hashes that are kept; beyond it every second one goes, so that memory does not grow."""
_FEWEST: Final = 50
"""Rows without which a column cannot be said to give the label away."""
_ASTRAY: Final = 0.001
"""Part of the rows that may have another label, in a column that gives it away all the same: slips of who made the table."""
_MISSED: Final = 0.01
"""Part of what always answering the most frequent label gets wrong that such a column may get wrong."""
_GAPS: Final = frozenset({"", "na", "n/a", "null", "none", "<na>", "#n/a"})
_LONGEST: Final = 200


def is_table(name: str) -> bool:
    """Tell whether a file is a table that can be looked through, by its name."""
    return name.lower().removesuffix(".gz").removesuffix(".zst").endswith(FORMATS)


def profile(artifact: str, stream: ByteStream, label: str | None) -> DataTable:
    """Return what a table holds; damage ends the pass, and `cut` says so. Raises OSError."""
    tally = _Tally(label)
    cut = None
    try:
        for row in rows(artifact, stream):
            tally.take(row)
    except Unreadable as error:
        cut = str(error)
    columns = tuple(seen.column() for seen in tally.columns.values())
    return DataTable(
        artifact=artifact,
        rows=tally.rows,
        columns=columns,
        label=tally.label(artifact),
        sample=frozenset(tally.sample),
        modulus=tally.modulus,
        cut=cut,
    )


class _Seen(Struct):
    name: str
    present: int = 0
    missing: int = 0
    nonfinite: int = 0
    numbers: int = 0
    integral: bool = True
    low: float = math.inf
    high: float = -math.inf
    low_row: int = 0
    high_row: int = 0
    low_line: int | None = None
    high_line: int | None = None
    missing_line: int | None = None
    first_missing: int | None = None
    first_nonfinite: int | None = None
    first_text: int | None = None
    text_line: int | None = None
    values: Counter[str] | None = field(default_factory=Counter[str])
    goes_with: Pairs | None = field(default_factory=Pairs)

    def take(self, value: object, row: int, line: int | None) -> str | None:
        """Take one value in; return it as text, None where it is missing."""
        text = _text(value)
        if text is None:
            self.missing += 1
            if self.first_missing is None:
                self.first_missing, self.missing_line = row, line
            return None
        self.present += 1
        if self.values is not None:
            self.values[text] += 1
            if len(self.values) > _VALUES:
                self.values = self.goes_with = None
        number = _number(value, text)
        if number is not None:
            self._number(number, row, line)
        elif self.first_text is None:
            self.first_text, self.text_line = row, line
        return text

    def _number(self, number: float, row: int, line: int | None) -> None:
        self.numbers += 1
        if not math.isfinite(number):
            self.nonfinite += 1
            self.first_nonfinite = self.first_nonfinite or row
            return
        self.integral = self.integral and number.is_integer()
        if number < self.low:
            self.low, self.low_row, self.low_line = number, row, line
        if number > self.high:
            self.high, self.high_row, self.high_line = number, row, line

    def pair(self, text: str | None, label: str | None) -> None:
        """Note which label a value goes with, as long as most rows agree."""
        told = self.goes_with is None or text is None or label is None or self.goes_with.add(text, label)
        if not told:
            self.goes_with = None

    def column(self) -> Column:
        """Return the column as a value."""
        finite = self.numbers > self.nonfinite
        return Column(
            name=self.name,
            present=self.present,
            missing=self.missing,
            nonfinite=self.nonfinite,
            numeric=self.present > 0 and self.numbers == self.present,
            integral=finite and self.integral,
            low=self.low if finite else None,
            high=self.high if finite else None,
            distinct=len(self.values) if self.values is not None else None,
            share=max(self.values.values()) / self.present if self.values and self.present else None,
            first_missing=self.first_missing,
            first_nonfinite=self.first_nonfinite,
        )


class _Tally:
    def __init__(self, label: str | None) -> None:
        self.rows = 0
        self.columns: dict[str, _Seen] = {}
        self.sample: set[int] = set()
        self.modulus = 1
        self._label = label

    def take(self, row: Row) -> None:
        """Take one row in."""
        self.rows += 1
        texts: dict[str, str | None] = {}
        for name, value in row.values.items():
            seen = self.columns.get(name)
            if seen is None:
                if len(self.columns) >= _COLUMNS:
                    continue
                seen = self.columns[name] = _Seen(str(name)[:_LONGEST])
            texts[name] = seen.take(value, self.rows, row.line)
        if self._label is not None and self._label in texts:
            for name, text in texts.items():
                if name != self._label:
                    self.columns[name].pair(text, texts[self._label])
        self._hash(texts)

    def _hash(self, texts: dict[str, str | None]) -> None:
        whole = json.dumps(texts, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")
        value = int.from_bytes(hashlib.blake2b(whole, digest_size=8).digest(), "big")
        if value % self.modulus == 0:
            self.sample.add(value)
            while len(self.sample) > _SAMPLE:
                self.modulus *= 2
                self.sample = {kept for kept in self.sample if kept % self.modulus == 0}

    def label(self, artifact: str) -> Label | None:
        """Return the label's column with its places, None where the table has no such column."""
        seen = self.columns.get(self._label or "")
        if seen is None:
            return None
        column = seen.column()
        finite = column.low is not None
        odd = seen.present - seen.numbers if 2 * seen.numbers > seen.present else 0
        return Label(
            column=column,
            low_at=_place(artifact, seen.low_row, seen.low_line) if finite else None,
            high_at=_place(artifact, seen.high_row, seen.high_line) if finite else None,
            odd=odd,
            odd_at=_place(artifact, seen.first_text, seen.text_line) if odd and seen.first_text is not None else None,
            missing_at=_place(artifact, seen.first_missing, seen.missing_line) if seen.first_missing else None,
            telling=tuple(name for name, astray in self._telling(column) if not astray),
            nearly=tuple(name for name, astray in self._telling(column) if astray and self._few(column, astray)),
        )

    def _telling(self, label: Column) -> Iterator[tuple[str, int]]:
        """Yield columns whose values go with one label each, and in how many rows they do not: copies of it, not identifiers."""
        classes = label.distinct or 0
        if self.rows < _FEWEST or not 2 <= classes <= self.rows // 5:
            return
        for seen in self.columns.values():
            pairs = seen.goes_with
            if pairs and classes <= pairs.values <= self.rows // 10 and seen.name != label.name:
                yield seen.name, pairs.astray

    def _few(self, label: Column, astray: int) -> bool:
        """Tell whether so few rows go astray that chance, or one label being rare, does not explain the rest."""
        rare = label.present * (1 - (label.share or 0.0))
        return astray <= _ASTRAY * label.present and astray <= _MISSED * rare


def _text(value: object) -> str | None:
    if value is None or (isinstance(value, str) and value.strip().lower() in _GAPS):
        return None
    return value.strip()[:_LONGEST] if isinstance(value, str) else str(value)[:_LONGEST]


def _number(value: object, text: str) -> float | None:
    if isinstance(value, bool) or (not isinstance(value, (int, float)) and not isinstance(value, str)):
        return None
    try:
        return float(text)
    except (ValueError, OverflowError):
        return None


def _place(artifact: str, row: int, line: int | None) -> Citation:
    if line is not None:
        return Citation(artifact=artifact, first_line=line, last_line=line)
    return Citation(artifact=artifact, table="rows", key=str(row))
