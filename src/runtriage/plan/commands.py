"""Commands to run next, with this run's real paths and numbers; never a placeholder."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.model.facts import Facts
from runtriage.model.plan import Step
from runtriage.model.verdict import Verdict
from runtriage.plan.kubernetes import pod_commands
from runtriage.plan.quoting import quoted
from runtriage.plan.slurm import job_command

_AROUND = 20
_LIMIT = 4


def next_commands(verdict: Verdict, facts: Facts, steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the steps' own commands, what the cluster and the checkpoints can be asked, then a read of the lines around the root."""
    found = [step.command for step in steps if step.command]
    found += [*pod_commands(verdict, facts), *job_command(verdict, facts)]
    if verdict.mode is not None and verdict.mode.startswith("ckpt/"):
        found += _look_through(facts)
    reading = _read_root(verdict, facts)
    room = _LIMIT - 1 if reading else _LIMIT
    return tuple(dict.fromkeys([*list(dict.fromkeys(found))[:room], *filter(None, [reading])]))


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
