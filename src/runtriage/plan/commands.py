"""Commands to run next, with this run's real paths and numbers; never a placeholder."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from runtriage.model.facts import Facts
from runtriage.model.plan import Step
from runtriage.model.verdict import Verdict

_AROUND = 20
_LIMIT = 4


def next_commands(verdict: Verdict, facts: Facts, steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the steps' own commands, then a read of the lines around the root."""
    found = [step.command for step in steps if step.command]
    reading = _read_root(verdict, facts)
    if reading:
        found.append(reading)
    return tuple(dict.fromkeys(found))[:_LIMIT]


def _read_root(verdict: Verdict, facts: Facts) -> str | None:
    root = verdict.root
    if root is None or root.first_line is None:
        return None
    path = _path(root.artifact, facts)
    if path is None:
        return None
    first = max(root.first_line - _AROUND, 1)
    return f"sed -n '{first},{root.first_line + _AROUND}p' {shlex.quote(path)}"


def _path(artifact: str, facts: Facts) -> str | None:
    read = next((item.artifact for item in facts.reads if item.artifact.path == artifact), None)
    if read is None or read.source != "file" or read.encoding is not None:
        return None
    return f"{facts.target.rstrip('/')}/{artifact}" if _is_folder(facts.target, artifact) else facts.target


def _is_folder(target: str, artifact: str) -> bool:
    return target.rstrip("/").rpartition("/")[2] != artifact and target != artifact
