"""One connection to SQLite or Postgres that takes the same statements."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from runtriage.store.history_error import HistoryError

NEWEST: Final = 4
"""Number of the newest migration."""
_WAIT: Final = 5.0
"""Seconds to wait for another writer, or for a server to answer."""
_LOCK: Final = 7_267_433
"""Key of the Postgres lock under which the schema is brought up to date."""


class _Connection(Protocol):
    def cursor(self) -> Any: ...
    def close(self) -> None: ...


class Database:
    """Statements with `?` for parameters, one at a time; a transaction where several belong together. Raises `HistoryError`."""

    def __init__(self, connection: _Connection, name: str, faults: type[Exception], *, postgres: bool) -> None:
        self.name = name
        self._connection = connection
        self._faults = faults
        self._postgres = postgres
        self._upgrade()

    def rows(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; none for a statement that changes something. Raises `HistoryError`."""
        try:
            return self._run(statement, parameters)
        except self._faults as error:
            raise HistoryError(_told(self.name, error)) from error

    @contextmanager
    def transaction(self, *, lock: bool = False) -> Generator[None]:
        """Make what is run inside happen whole or not at all; with `lock`, while nobody else does the same."""
        self.rows("BEGIN" if self._postgres else "BEGIN IMMEDIATE")
        try:
            if lock and self._postgres:
                self.rows("SELECT pg_advisory_xact_lock(?)", (_LOCK,))
            yield
            self.rows("COMMIT")
        except BaseException:
            self._undo()
            raise

    def close(self) -> None:
        """Let go of the file or the server."""
        self._connection.close()

    def _run(self, statement: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        text = statement.replace("?", "%s") if self._postgres else statement
        with closing(self._connection.cursor()) as cursor:
            cursor.execute(text, tuple(parameters))
            return list(cursor.fetchall()) if cursor.description else []

    def _undo(self) -> None:
        try:
            self._run("ROLLBACK", ())
        except self._faults:
            return

    def _version(self) -> int:
        known = "information_schema.tables" if self._postgres else "sqlite_master"
        column = "table_name" if self._postgres else "name"
        if not self.rows(f"SELECT 1 FROM {known} WHERE {column} = ?", ("history_version",)):
            return 0
        return int(self.rows("SELECT MAX(number) FROM history_version")[0][0] or 0)

    def _upgrade(self) -> None:
        """Bring the schema up to date. Raises `HistoryError` for one that a newer version made."""
        found = self._version()
        if found > NEWEST:
            raise HistoryError(f"{self.name}: a newer version of runtriage wrote it; upgrade, or name another history")
        if found < NEWEST:
            self.upgrade_to(NEWEST)

    def upgrade_to(self, newest: int) -> None:
        """Run the migrations up to one number, whole or not at all."""
        from runtriage.store.migrations import steps

        with self.transaction(lock=True):
            self.rows("CREATE TABLE IF NOT EXISTS history_version (number BIGINT PRIMARY KEY)")
            done = self._version()
            for number, statements in steps():
                if done < number <= newest:
                    for statement in statements:
                        self.rows(statement)
                    self.rows("INSERT INTO history_version (number) VALUES (?)", (number,))


def connect(place: str | Path) -> Database:
    """Return the database at a path, which is made where it is missing, or at a `postgresql://` URL. Raises `HistoryError`."""
    text = str(place)
    return _postgres(text) if is_url(text) else _sqlite(Path(text))


def is_url(place: str) -> bool:
    """Tell whether the place names a Postgres server rather than a file."""
    return place.startswith(("postgresql://", "postgres://"))


def _sqlite(path: Path) -> Database:
    import sqlite3

    try:
        address = _address(path)
        connection = sqlite3.connect(address, timeout=_WAIT, isolation_level=None, check_same_thread=False, uri=True)
    except (OSError, sqlite3.Error) as error:
        raise HistoryError(_told(str(path), error)) from error
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        return Database(connection, str(path), sqlite3.Error, postgres=False)
    except sqlite3.Error as error:
        connection.close()
        raise HistoryError(_told(str(path), error)) from error
    except BaseException:
        connection.close()
        raise


def _address(path: Path) -> str:
    """Make the file where it is missing and return its address; one that may only be read is still read. Raises OSError."""
    mode = "rw"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError:
        if not os.access(path, os.R_OK):
            raise
        mode = "ro"
    return f"{path.absolute().as_uri()}?mode={mode}"


def _postgres(url: str) -> Database:
    try:
        import psycopg
    except ImportError:
        raise HistoryError("a history on Postgres needs: pip install 'runtriage[postgres]'") from None
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    name = f"postgresql://{parts.hostname or 'localhost'}{parts.path}"
    try:
        connection = psycopg.connect(url, autocommit=True, connect_timeout=int(_WAIT))
    except psycopg.Error as error:
        raise HistoryError(_told(name, error)) from error
    try:
        return Database(connection, name, psycopg.Error, postgres=True)
    except BaseException:
        connection.close()
        raise


def _told(name: str, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    first = (reason.splitlines() or [type(error).__name__])[0]
    damaged = "not a database" in first or "malformed" in first
    return f"{name}: {first.lower()}{'; move the file away to start a new history' if damaged else ''}"
