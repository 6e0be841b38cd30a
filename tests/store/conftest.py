"""Every test of the history runs on SQLite and, where there is one, on a real Postgres."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from pathlib import Path

import pytest

from runtriage.store.history import History
from tests.servers import postgres

_NUMBERS = itertools.count()
PLACES = [
    "sqlite",
    pytest.param(
        "postgres",
        marks=[
            pytest.mark.server,
            pytest.mark.skipif(postgres.programs() is None, reason="needs Postgres"),
        ],
    ),
]


@pytest.fixture(scope="session")
def server() -> Generator[str]:
    with postgres.running() as url:
        yield url


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty history may be made."""
    if request.param == "sqlite":
        return str(tmp_path / "history.sqlite3")
    import psycopg

    url = request.getfixturevalue("server")
    name = f"history{next(_NUMBERS)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.rpartition("/")[0] + f"/{name}"


@pytest.fixture
def history(place: str) -> Generator[History]:
    with History(place) as opened:
        yield opened
