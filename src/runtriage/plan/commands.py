"""Commands to run next, with this run's real paths and numbers; never a placeholder."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from runtriage.model.facts import Facts
from runtriage.model.plan import Step
from runtriage.model.verdict import Verdict

_AROUND = 20
_LIMIT = 4


def next_commands(verdict: Verdict, facts: Facts, steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the steps' own commands, a look at the checkpoints where one of them is broken, then a read of the lines around the root."""
    found = [step.command for step in steps if step.command]
    if verdict.mode is not None and verdict.mode.startswith("ckpt/"):
        found += _look_through(facts)
    reading = _read_root(verdict, facts)
    if reading:
        found.append(reading)
    return tuple(dict.fromkeys(found))[:_LIMIT]


def _look_through(facts: Facts) -> list[str]:
    """Return a command for each folder that holds a broken checkpoint."""
    paths = [_path(item.path, facts) for item in facts.checkpoints if item.valid is False]
    return [f"runtriage checkpoints {quoted(path.rpartition('/')[0] or '.')}" for path in paths if path is not None]


def _read_root(verdict: Verdict, facts: Facts) -> str | None:
    root = verdict.root
    if root is None or root.first_line is None:
        return None
    path = _path(root.artifact, facts)
    if path is None:
        return None
    first = max(root.first_line - _AROUND, 1)
    return f"sed -n '{first},{root.first_line + _AROUND}p' {quoted(path)}"


def _path(artifact: str, facts: Facts) -> str | None:
    read = next((item.artifact for item in facts.reads if item.artifact.path == artifact), None)
    return None if read is None or read.encoding is not None else read.reach


def quoted(path: str) -> str:
    """Return a path as one word for bash; a name that cannot be shown is spelt by its bytes."""
    path = f"./{path}" if path.startswith("-") else path
    if path.isprintable():
        return shlex.quote(path)
    plain = (chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in os.fsencode(path))
    return f"$'{''.join(plain)}'"
