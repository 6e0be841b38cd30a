"""Finds the processes of one run by a token in their environment, to signal or to end them."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

TOKEN = "ZOO_TOKEN"


@dataclass(frozen=True, slots=True)
class Process:
    """A live process of the run: its parent, its command line and its environment."""

    pid: int
    parent: int
    argv: tuple[str, ...]
    env: dict[str, str]


def processes(token: str) -> list[Process]:
    """Every live process whose environment carries ``token``, oldest first."""
    found = [one for entry in Path("/proc").glob("[0-9]*") if (one := _read(entry, token)) is not None]
    return sorted(found, key=lambda process: process.pid)


def choose(found: list[Process], to: str) -> list[int]:
    """The pids meant by ``to``: ``main``, ``group``, ``worker`` or ``rank:N``."""
    python = [one for one in found if one.argv and "python" in one.argv[0]]
    if to == "group":
        return [one.pid for one in python]
    if to.startswith("rank:"):
        return [one.pid for one in python if one.env.get("RANK") == to.removeprefix("rank:")][:1]
    pids = {one.pid for one in python}
    if to == "worker":
        return [one.pid for one in python if one.parent in pids][:1]
    return [one.pid for one in python if one.parent not in pids][:1]


def end_all(token: str) -> None:
    """Kill whatever of the run is still alive."""
    for one in processes(token):
        try:
            os.kill(one.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _read(entry: Path, token: str) -> Process | None:
    try:
        raw = (entry / "environ").read_bytes().split(b"\0")
        env = dict(item.decode("utf-8", "replace").split("=", 1) for item in raw if b"=" in item)
        if env.get(TOKEN) != token:
            return None
        argv = (entry / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
        parent = int((entry / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return Process(int(entry.name), parent, tuple(argv), env)
