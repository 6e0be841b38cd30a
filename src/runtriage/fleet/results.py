"""The folder of a fleet's results: rows as JSON lines while it runs, Parquet beside them, reports where asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from runtriage.fleet.parquet import Parts
from runtriage.fleet.row import TOOL_FAILURE, Row, of_json
from runtriage.fleet.task import Done

ROWS: Final = "runs.jsonl"
REPORTS: Final = "reports.jsonl"
SUMMARY: Final = "summary.json"


class ResultsError(Exception):
    """The folder cannot be used; one line that says why and what to do."""


class Results:
    """Rows are written as they come, each whole or not at all; a run that is done is never done again."""

    def __init__(self, folder: Path, *, resume: bool, reports: bool) -> None:
        self._folder = folder
        self._parts = Parts(folder)
        self.done: set[str] = set()
        """Keys of runs that need not be done again."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if self._rows_path.exists() and self._rows_path.stat().st_size:
                if not resume:
                    raise ResultsError(f"{folder} holds results already; go on with --resume, or name another folder")
                _mend(self._rows_path)
            self._rows = self._rows_path.open("a", encoding="utf-8", newline="\n")
            self._reports = (folder / REPORTS).open("a", encoding="utf-8", newline="\n") if reports else None
        except OSError as error:
            raise ResultsError(f"{folder}: {(error.strerror or 'cannot be used').lower()}") from None

    @property
    def _rows_path(self) -> Path:
        return self._folder / ROWS

    def earlier(self) -> Iterator[Row]:
        """Yield what earlier starts left that stands: the last row of each run, tool failures excepted, which are tried again."""
        last: dict[str, int] = {}
        with self._rows_path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if (row := _row(line)) is not None:
                    last[row.key] = -1 if row.outcome == TOOL_FAILURE else number
        standing = {number for number in last.values() if number >= 0}
        self.done = {key for key, number in last.items() if number >= 0}
        with self._rows_path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if number in standing and (row := _row(line)) is not None:
                    yield row

    def add(self, done: Done) -> None:
        """Write what became of one run."""
        self._rows.write(done.row.to_json() + "\n")
        self._rows.flush()
        if self._reports is not None and done.report is not None:
            self._reports.write(done.report + "\n")
            self._reports.flush()

    def keep(self, row: Row) -> None:
        """Take a row into the Parquet files; a new start writes them anew."""
        self._parts.add(row)

    def finish(self, summary: dict[str, Any]) -> str | None:
        """Write what is left and the summary; return what was left out and how to have it."""
        path = self._folder / SUMMARY
        path.write_text(json.dumps(summary, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return self._parts.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._rows.close()
        if self._reports is not None:
            self._reports.close()


def _mend(path: Path) -> None:
    """End a last line that an earlier start left torn."""
    with path.open("r+b") as file:
        file.seek(-1, 2)
        if file.read(1) != b"\n":
            file.write(b"\n")


def _row(line: str) -> Row | None:
    try:
        return of_json(line)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
