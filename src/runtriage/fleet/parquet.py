"""Rows as Parquet, a file for every so many, each written whole or not at all."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from msgspec import to_builtins

from runtriage.fleet.row import Row

FOLDER: Final = "runs.parquet"
_ROWS: Final = 2000
INSTALL: Final = "pip install 'runtriage[fleet]'"
_INTEGERS: Final = frozenset({"code", "rank", "step", "ranks", "line", "bytes"})
_NUMBERS: Final = frozenset({"confidence", "hours", "seconds"})


class Parts:
    """The folder `runs.parquet` with files `part-00000.parquet`, ..., which readers of Parquet take as one table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._possible = find_spec("pyarrow") is not None
        self._rows: list[Row] = []
        self._written = 0

    def add(self, row: Row) -> None:
        """Take in a row."""
        if self._possible:
            self._rows.append(row)
            if len(self._rows) >= _ROWS:
                self._write()

    def finish(self) -> str | None:
        """Write the last rows and remove parts of an earlier start; return the line to print where Parquet is not possible."""
        if not self._possible:
            return f"runs.parquet was left out: it needs pyarrow ({INSTALL})"
        if self._rows or not self._written:
            self._write()
        for path in self._folder.glob("part-*.parquet"):
            if path.name >= self._name():
                path.unlink()
        return None

    def _name(self) -> str:
        return f"part-{self._written:05}.parquet"

    def _write(self) -> None:
        parquet: Any = import_module("pyarrow.parquet")
        self._folder.mkdir(exist_ok=True)
        draft = self._folder / f".draft-{os.getpid()}"
        parquet.write_table(_table(self._rows), draft, compression="zstd")
        draft.replace(self._folder / self._name())
        self._written += 1
        self._rows.clear()


def _table(rows: list[Row]) -> object:
    arrow: Any = import_module("pyarrow")
    kinds = {True: arrow.int64(), False: arrow.string()}
    singles = {**dict.fromkeys(_NUMBERS, arrow.float64()), "curve_only": arrow.bool_()}
    fields = [
        arrow.field(name, singles[name] if name in singles else kinds[name in _INTEGERS])
        for name in Row.__struct_fields__
    ]
    return arrow.Table.from_pylist([to_builtins(row) for row in rows], schema=arrow.schema(fields))
