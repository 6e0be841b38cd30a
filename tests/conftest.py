"""The guard that proves stages change nothing: open-for-write, spawn and connect fail while it is on."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator

import pytest
from hypothesis import settings

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FORBIDDEN = frozenset(
    {
        "subprocess.Popen",
        "os.system",
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.spawn",
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.mkdir",
        "os.chmod",
        "os.chown",
        "os.link",
        "os.symlink",
        "os.truncate",
        "os.kill",
        "os.putenv",
        "shutil.rmtree",
        "shutil.move",
        "shutil.copyfile",
        "socket.connect",
        "socket.bind",
        "socket.sendto",
        "socket.getaddrinfo",
        "urllib.Request",
        "pickle.find_class",
        "tempfile.mkstemp",
        "tempfile.mkdtemp",
    }
)


class WorldTouchedError(AssertionError):
    """A stage tried to change something outside its own memory."""


class _Guard:
    def __init__(self) -> None:
        self.on = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.on:
            return
        if event in _FORBIDDEN:
            raise WorldTouchedError(f"{event} {arguments!r}")
        if event == "open" and _writes(arguments):
            raise WorldTouchedError(f"open for writing {arguments[0]!r}")


def _writes(arguments: tuple[object, ...]) -> bool:
    _, mode, flags = arguments
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & _WRITING)


_GUARD = _Guard()
sys.addaudithook(_GUARD)


@pytest.fixture
def untouched_world() -> None:
    """Ask for the guard: while the test function runs, what opens for writing, starts a process or connects fails."""


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Switch the guard on for the test function alone, not for the test runner around it.

    A module that is first imported meanwhile keeps its bytecode to itself: that file would be the interpreter's, not the stage's.
    """
    writes_none = sys.dont_write_bytecode
    _GUARD.on = "untouched_world" in pyfuncitem.fixturenames
    sys.dont_write_bytecode = writes_none or _GUARD.on
    try:
        return (yield)
    finally:
        _GUARD.on = False
        sys.dont_write_bytecode = writes_none


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


# No test may add to the history of whoever runs it; one that wants a history names a place of its own.
os.environ["RUNTRIAGE_HISTORY"] = "off"

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
