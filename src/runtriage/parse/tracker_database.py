"""One run in the SQLite database of an MLflow store, read from memory."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime

from runtriage.model.artifact import Artifact
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent, RawSetting, RawText
from runtriage.model.target import ByteStream
from runtriage.parse.config_roles import role_of
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.metrics_board import Board
from runtriage.parse.metrics_progress import progress_of
from runtriage.parse.pointer import Node, Value
from runtriage.parse.tables import state
from runtriage.parse.tracker_mlflow import differences, milliseconds

_MAGIC = b"SQLite format 3\0"
_LIMIT = 512 << 20
_STEPS = 2_000_000_000
"""Instructions of the database's machine; a schema made to run for ever ends here."""
_EVERY = 1_000_000
_YEAR_5000 = 9e10
_LARGEST_FLOAT = 1.79e308
"""How the store writes infinity."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is a database."""
    return artifact.source == "mlflow-run" and head.startswith(_MAGIC)


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the run whose id or name is the last part of the document's name."""
    content, cut = read_all(stream, _LIMIT)
    parsed = Parsed(bytes_read=len(content), cut="longer than 512 MiB" if cut else None)
    database = sqlite3.connect(":memory:")
    try:
        database.deserialize(content)
        left = [_STEPS // _EVERY]
        database.set_progress_handler(lambda: _spent(left), _EVERY)
        database.execute("PRAGMA trusted_schema = OFF")
        _fill(parsed, artifact, database)
    except sqlite3.Error as error:
        parsed.cut = f"the database cannot be read: {type(error).__name__}"
    finally:
        database.close()
    return parsed


def _spent(left: list[int]) -> int:
    left[0] -= 1
    return left[0] < 0


def _fill(parsed: Parsed, artifact: Artifact, database: sqlite3.Connection) -> None:
    name = artifact.path.rpartition("/")[2]
    row = database.execute(
        "SELECT run_uuid, name, status, start_time, end_time FROM runs WHERE run_uuid = ? OR name = ? ORDER BY start_time DESC LIMIT 1",
        (name, name),
    ).fetchone()
    if row is None:
        parsed.cut = "the database holds no run of that id or name"
        return
    run = str(row[0])
    parsed.events = [_state(artifact, row, _last(database, run)), *_beside(artifact, database, run)]
    parsed.settings = list(_settings(artifact, database, run))
    board = Board()
    values = database.execute(
        "SELECT key, step, value, timestamp, is_nan FROM metrics WHERE run_uuid = ? ORDER BY step, timestamp", (run,)
    )
    for key, step, value, time, wild in values:
        column = board.column(str(key))
        if column is not None and isinstance(value, int | float):
            column.add(float(step or 0), _value(float(value), bool(wild)), float(time or 0) / 1000)
    parsed.series = board.series(artifact.path)
    parsed.progress = progress_of(artifact, parsed.series)


def _value(value: float, wild: bool) -> float:
    if wild:
        return math.nan
    return math.copysign(math.inf, value) if abs(value) > _LARGEST_FLOAT else value


def _last(database: sqlite3.Connection, run: str) -> float | None:
    """Return when the run logged its last value, in seconds since 1970."""
    row = database.execute("SELECT MAX(timestamp) FROM metrics WHERE run_uuid = ?", (run,)).fetchone()
    return float(row[0]) / 1000 if row and isinstance(row[0], int | float) else None


def _beside(artifact: Artifact, database: sqlite3.Connection, run: str) -> Iterator[RawEvent]:
    """Yield the experiment of a run, and the last run of it that finished before this one began, with what it had set otherwise."""
    try:
        name = database.execute(
            "SELECT e.name FROM experiments e JOIN runs r ON r.experiment_id = e.experiment_id WHERE r.run_uuid = ?",
            (run,),
        ).fetchone()
        good = database.execute(
            "SELECT g.run_uuid, g.name, g.status, g.start_time, g.end_time FROM runs g JOIN runs r ON r.experiment_id = g.experiment_id "
            "WHERE r.run_uuid = ? AND r.status <> 'FINISHED' AND g.status = 'FINISHED' AND g.start_time < r.start_time "
            "ORDER BY g.start_time DESC LIMIT 1",
            (run,),
        ).fetchone()
    except sqlite3.Error:
        return
    if name is not None:
        where = Citation(artifact=artifact.path, table="experiments", key="name")
        yield state("mlflow/experiment", where, object=str(name[0]))
    if good is not None:
        held = {"run_id": str(good[0]), "run_name": str(good[1] or ""), "status": "FINISHED", "end_time": good[4]}
        there = Node({"info": held, "data": {"params": _params(database, str(good[0]))}}, artifact.path)
        yield from differences(Node({"data": {"params": _params(database, run)}}, artifact.path), there)


def _params(database: sqlite3.Connection, run: str) -> list[Value]:
    rows = database.execute("SELECT key, value FROM params WHERE run_uuid = ? ORDER BY key LIMIT 2000", (run,))
    return [{"key": str(key), "value": str(value)} for key, value in rows]


def _state(artifact: Artifact, row: tuple[object, ...], last: float | None) -> RawEvent:
    times = Node({"start": _whole(row[3]), "end": _whole(row[4])}, artifact.path)
    return state(
        "mlflow/run",
        Citation(artifact=artifact.path, table="runs", key="status"),
        when=milliseconds(times, "end") or milliseconds(times, "start"),
        numbers={"last": last},
        state=str(row[2]),
        run=str(row[1] or row[0]),
        last=datetime.fromtimestamp(last, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if last and last < _YEAR_5000 else "",
    )


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _settings(artifact: Artifact, database: sqlite3.Connection, run: str) -> Iterator[RawSetting]:
    rows = database.execute("SELECT key, value FROM params WHERE run_uuid = ? ORDER BY key LIMIT 2000", (run,))
    for key, value in rows:
        name, text = str(key), str(value)
        role = role_of(name, text)
        if role is not None and len(text) <= 200:
            where = Citation(artifact=artifact.path, table="params", key=name)
            yield RawSetting(name=name, value=RawText(text), citation=where, role=role)


PARSERS = (Parser(id="tracker-database", claims=claims, read=read),)
