"""Metrics printed as rows below a header: CSV, aligned columns, columns between bars."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.scan.contract import MetricLine
from runtriage.scan.dialects.pairs import LONGEST, NUMBER

_SCORES: Final = ("loss", "eval_loss", "loss_part", "metric", "eval_metric", "reward", "policy_loss", "value_loss")
_MOST: Final = 512
_TITLE = deferred(r"[A-Za-z_#%(][\w ./@()%#:'+-]{0,60}")
_CELL = deferred(rf"(?P<number>{NUMBER})(?:/(?P<total>\d+))?(?:ms|s|m|h|[KMGT]i?B?|%|:)?")
_SPENT = deferred(r"\d{1,4}:\d\d(?::\d\d)?")
_BAR = deferred(r":?\s{0,4}\d{1,3}%.*$")
_WIDE = deferred(r"\s{2,}|\t")
_TRAIN = deferred(r"train", re.IGNORECASE)
_VALID = deferred(r"val|eval", re.IGNORECASE)
_FOLLOWING: Final = 40
_SHORT: Final = {"E": "epoch", "#": "step"}
"""Titles that only say so above a table (spaCy)."""
_PER_CLASS: Final = "Class"
"""Title of a column that names classes: the rows below are an evaluation, and the one for all classes counts."""
_ALL: Final = "all"
_PARTS: Final = frozenset({"split", "set", "subset", "phase", "partition", "mode"})
"""Titles of columns that say which part of the data a row is of."""


class Table(Struct, frozen=True):
    """Rows of numbers whose names stand in a header. `mark` is `,`, `|`, a tab, or empty for aligned columns."""

    columns: tuple[str, ...]
    mark: str
    name: str = "table"
    anchors: tuple[bytes, ...] = ()
    fields: tuple[tuple[bytes, str], ...] = ()

    def parse(self, line: bytes, /) -> MetricLine | None:
        """Read one row; None for the header and for any other line."""
        cells = _cells(_text(line), self.mark)
        if len(cells) != len(self.columns):
            return None
        if not self.mark and not all(map(_measures, cells[self.columns[0] == _PER_CLASS :])):
            return None
        return _row(self.columns, cells)


def find_tables(lines: Sequence[bytes]) -> Iterator[Table]:
    """Yield a table for every header among the lines that rows of as many numbers follow."""
    for index, line in enumerate(lines):
        text = _text(line)
        for mark in (",", "\t", "|", ""):
            columns = _header(text, mark)
            if columns is None:
                continue
            table = Table(columns, mark, "csv" if mark in (",", "\t") else "table")
            if any(table.parse(row) is not None for row in lines[index + 1 : index + _FOLLOWING]):
                yield table
                break


def _measures(cell: str) -> bool:
    """Tell whether a cell of aligned columns holds a number or how long something took."""
    return _CELL.fullmatch(cell) is not None or _SPENT.fullmatch(cell) is not None


def _text(line: bytes) -> str:
    return line[:LONGEST].decode("utf-8", "replace").replace("│", "|").replace("┃", "|")


def _cells(text: str, mark: str) -> list[str]:
    if mark:
        cells = [cell.strip() for cell in text.strip().split(mark, _MOST)]
        return cells[1:-1] if mark == "|" and len(cells) > 2 and not cells[0] and not cells[-1] else cells
    return _BAR.sub("", text).split(None, _MOST)


def _header(text: str, mark: str) -> tuple[str, ...] | None:
    if mark and mark not in text:
        return None
    if mark:
        cells = _cells(text, mark)
    else:
        text = (_BAR.sub("", text) if "%" in text else text).strip()
        if _TITLE.match(text) is None or _narrow(text):
            return None
        cells = [cell.strip() for cell in _WIDE.split(text, maxsplit=_MOST)]
    if not 2 <= len(cells) <= _MOST or not all(_TITLE.fullmatch(cell) for cell in cells if cell):
        return None
    cells = [_bare(cell) for cell in cells]
    placed = {_role(cell) for cell in cells} & {"step", "epoch", "batch"}
    scored = sum(meaning(cell).role in _SCORES for cell in cells)
    return tuple(cells) if scored and (placed or scored >= 2) else None


def _narrow(text: str) -> bool:
    """Tell whether no blanks of a text are wide enough to part columns."""
    words = text.split()
    return "\t" not in text and len(text) == sum(map(len, words)) + len(words) - 1


def _bare(cell: str) -> str:
    """Return a title without what surrounds it; a bracket that belongs to it stays."""
    closed = re.fullmatch(r"[^()]{1,60}\([^()]{1,20}\)", cell)
    return cell if closed is not None else cell.strip("(): ")


def _role(column: str) -> str | None:
    return _SHORT.get(column) or meaning(column).role


@lru_cache(maxsize=64)
def _judged(columns: tuple[str, ...]) -> frozenset[str]:
    """Return the scores that are of the evaluation though their titles do not say so.

    Where training and evaluation each have a loss of their own name, a score without a prefix that has no twin with one is computed on
    the evaluation (tables of fastai and of notebooks).
    """
    roles = {column: meaning(column).role for column in columns}
    losses = [column for column in columns if "loss" in column.lower()]
    both = any(map(_TRAIN.match, losses)) and any(map(_VALID.match, losses))
    if not both or "eval_metric" in roles.values():
        return frozenset()
    return frozenset(column for column, role in roles.items() if role == "metric" and not _TRAIN.match(column))


def _part(columns: Sequence[str], cells: Sequence[str]) -> str:
    """Return which part of the data a row is of, and in which mode, where columns say so in words; empty where none does."""
    told = [
        cell for column, cell in zip(columns, cells, strict=False) if column.lower() in _PARTS and _TITLE.match(cell)
    ]
    return " ".join(re.sub(r"[^\w ]+", " ", " ".join(told)).split())


def _row(columns: tuple[str, ...], cells: Sequence[str]) -> MetricLine | None:
    step: int | None = None
    epoch: float | None = None
    total: int | None = None
    values: dict[str, float] = {}
    odd = 0
    evaluates = columns[0] == _PER_CLASS
    judged = _judged(columns)
    part = _part(columns, cells)
    if evaluates and cells[0] != _ALL:
        return None
    for column, cell in zip(columns, cells, strict=False):
        found = _CELL.fullmatch(cell)
        if found is None:
            odd += cell not in ("", "-", "None")
            continue
        value, role = float(found["number"].replace(",", "")), _role(column)
        if role == "epoch" and epoch is None:
            epoch = value
        elif role in ("step", "batch") and step is None and value == value // 1 and value >= 0:
            step, total = int(value), int(found["total"]) if found["total"] else None
        else:
            name = f"{part} {column}" if part else column
            values.setdefault(f"eval {name}" if evaluates or column in judged else name, value)
    known = any(meaning(name.removeprefix("eval "), evaluates).role in _SCORES for name in values)
    if odd > 2 or odd * 2 > len(columns) or not known:
        return None
    return MetricLine(step, epoch, total, tuple(values.items()))
