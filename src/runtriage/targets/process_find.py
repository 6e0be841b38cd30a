"""Processes by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from runtriage.targets.process_tree import PROC, stat, words

_SHOWN: Final = 80
_WRAPPERS: Final = frozenset({"runtriage", "sudo", "grep", "watch", "tail", "timeout", "sh", "bash", "env", "nohup"})


def matching(name: str) -> list[int]:
    """Return the processes whose name, program or a word of whose command line is `name`; a child of one that matches is part of it."""
    found: dict[int, int] = {}
    own = _ancestors(os.getpid())
    for entry in sorted((path.name for path in PROC.iterdir() if path.name.isdigit()), key=int):
        pid = int(entry)
        one = stat(pid)
        if one is not None and pid not in own and one.state != "Z" and _fits(name, one.name, words(pid)):
            found[pid] = one.parent
    return [pid for pid, parent in found.items() if parent not in found]


def _ancestors(pid: int) -> set[int]:
    found = {pid}
    while (one := stat(pid)) is not None and one.parent and one.parent not in found:
        pid = one.parent
        found.add(pid)
    return found


def _fits(name: str, own: str, line: list[str]) -> bool:
    if not line:
        return False
    program = Path(line[0]).name
    if program in _WRAPPERS or (len(line) > 1 and Path(line[1]).name == "runtriage"):
        return program == name
    parts = {own, *line, *(Path(word).name for word in line)}
    return name in parts or any(Path(word).stem == name for word in line[:3])


def named(pid: int) -> str:
    """Return a process in words, for a list to choose from."""
    text = " ".join(words(pid)) or "?"
    return f"{pid} ({text[:_SHOWN]})"
