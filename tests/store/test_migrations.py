from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from runtriage.store import history_database
from runtriage.store.history import History
from runtriage.store.history_database import NEWEST, Database, connect
from runtriage.store.history_entry import COLUMNS, Feedback
from runtriage.store.history_error import HistoryError
from runtriage.store.migrations import steps
from tests.store.entries import entry

_ADDED = ("said", "printed")
"""Columns that the first versions did not have."""


def at_version(place: str, number: int, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Return a database as the version with that schema left it."""
    with monkeypatch.context() as patch:
        patch.setattr(history_database, "NEWEST", number)
        return connect(place)


def test_the_steps_are_numbered_without_a_gap() -> None:
    assert [number for number, _ in steps()] == list(range(1, NEWEST + 1))


@pytest.mark.parametrize("version", range(1, NEWEST))
def test_every_earlier_schema_is_brought_up_to_date_with_what_it_holds(
    version: int, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = at_version(place, version, monkeypatch)
    names = [name for name in COLUMNS if name not in _ADDED]
    values = [getattr(entry(1), name) for name in names]
    old.rows(f"INSERT INTO diagnoses ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", values)
    packed = zlib.compress(b'{"kept": 1}')
    old.rows("INSERT INTO documents (diagnosis, report) VALUES (?, ?)", (entry(1).id, packed))
    old.close()

    with History(place) as new:
        assert new.starting(entry(1).id) == [entry(1)]
        assert new.documents(entry(1).id) == (b'{"kept": 1}', None)
        new.save(entry(2), b"{}", b"{}", [("node", "n")])
        new.say(Feedback(diagnosis=entry(1).id, given_at="2026", says="fixed", note="x"))
        assert len(new.alike(entry(1).fingerprint or "")) == 2


def test_a_schema_of_a_newer_version_is_left_alone(place: str) -> None:
    with History(place) as history:
        history.database.rows("INSERT INTO history_version (number) VALUES (?)", (NEWEST + 1,))
    with pytest.raises(HistoryError, match="newer version of runtriage"):
        History(place)


def test_a_step_that_breaks_leaves_the_schema_as_it_was(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_version(place, 1, monkeypatch).close()
    broken = [*steps()[:1], (2, ["CREATE TABLE half (x BIGINT)", "CREATE NONSENSE"])]
    with monkeypatch.context() as patch:
        patch.setattr("runtriage.store.migrations.steps", lambda: broken)
        with pytest.raises(HistoryError):
            History(place)
    with History(place) as history:
        with pytest.raises(HistoryError):
            history.database.rows("SELECT * FROM half")
        assert history.database.rows("SELECT MAX(number) FROM history_version") == [(NEWEST,)]


def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    place = tmp_path / "state" / "history.sqlite3"
    History(place).close()
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.parent.stat().st_mode & 0o777 == 0o700
