"""The site without a network, and over a history that tests may fill."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from runtriage.model.options import Options
from runtriage.web.app import application
from runtriage.web.serve import site

Asking = Callable[..., TestClient]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


@pytest.fixture
def asking(place: Path) -> Generator[Asking]:
    """Return a client of a site on that history; by default one that needs no token."""
    clients: list[TestClient] = []

    def client(token: str | None = None, host: str = "127.0.0.1", history: Path | str = place) -> TestClient:
        built = site(history, host=host, token=token, options=Options(context=4))
        made = TestClient(application(built), base_url="http://127.0.0.1:8642", follow_redirects=False)
        clients.append(made)
        return made

    yield client
    for made in clients:
        made.app.state.site.jobs.close()  # pyright: ignore
        made.close()
