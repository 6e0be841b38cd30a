"""The guard must fire, or nothing it guards is proven."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import WorldTouchedError

WAYS: list[Callable[[Path], object]] = [
    lambda path: path.write_text("x"),
    lambda path: path.open("a"),
    lambda path: os.open(path, os.O_WRONLY | os.O_CREAT),
    lambda path: path.unlink(),
    lambda path: (path.parent / "new").mkdir(),
    lambda path: path.chmod(0o600),
    lambda path: path.rename(path.with_name("other")),
    lambda path: subprocess.run([sys.executable, "-c", ""], check=False),
    lambda path: os.kill(os.getpid(), 0),
    lambda path: socket.socket().connect(("127.0.0.1", 9)),
]


@pytest.mark.usefixtures("untouched_world")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_the_guard_stops_every_way_to_change_something(way: Callable[[Path], object]) -> None:
    with pytest.raises(WorldTouchedError):
        way(Path(__file__))


@pytest.mark.usefixtures("untouched_world")
def test_the_guard_lets_reading_pass() -> None:
    assert Path(__file__).read_text(encoding="utf-8")
