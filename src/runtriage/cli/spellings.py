"""Flags that are other ways to write a target or a flag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtriage.cli.errors import CommandError

_JSON: Final = "--json"
_FORMAT: Final = "--format"

REGION = "us-central1"


def targets_of(
    given: list[str] | None,
    *,
    traceback: bool = False,
    artifacts: list[str] | None = None,
    pid: int | None = None,
    proc: str | None = None,
    wandb: str | None = None,
    mlflow: str | None = None,
    vertex: str | None = None,
    project: str | None = None,
    region: str | None = None,
) -> list[str]:
    """Return the target strings that the arguments and flags name, in one order. Ends the command when they name nothing."""
    spelled = {"pid": pid, "proc": proc, "wandb": wandb, "mlflow": mlflow}
    found = list(given or [])
    found += [f"{scheme}:{value}" for scheme, value in spelled.items() if value is not None]
    if vertex is not None:
        found.append(f"vertex:{_vertex(vertex, project, region)}")
    if traceback and not found:
        found.append("-")
    if not found and not artifacts:
        raise CommandError("no target; give a log, a folder, or - for standard input (runtriage --help shows more)")
    return [*found, *(artifacts or [])]


def _vertex(job: str, project: str | None, region: str | None) -> str:
    if job.startswith("projects/"):
        return job
    if project is None:
        return job if region is None else f"locations/{region}/pipelineJobs/{job}"
    return f"projects/{project}/locations/{region or REGION}/pipelineJobs/{job}"


def once(short: str, long: str, arguments: Sequence[str]) -> None:
    """End the command where an option stands twice, of which the parser would take the last in silence."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    count = sum(word in (short, long) or word.startswith(f"{long}=") for word in arguments[:end])
    if count > 1:
        raise CommandError(f"{short} stands there {count} times and one file is written; run it once for each file")


def spelled_otherwise(arguments: Sequence[str], refused: Exception) -> list[str] | None:
    """Return the arguments with `--json` for `--format json`, or the other way round, where the command refused the one and takes the other."""
    option: str | None = getattr(refused, "option_name", None)
    context: Any = getattr(refused, "ctx", None)
    if option not in (_JSON, _FORMAT) or context is None:
        return None
    takes = {name for parameter in context.command.params for name in parameter.opts}
    end = arguments.index("--") if "--" in arguments else len(arguments)
    before = list(arguments[:end])
    if option == _JSON and _FORMAT in takes and _JSON in before:
        at = before.index(_JSON)
        return [*before[:at], _FORMAT, "json", *arguments[at + 1 :]]
    if option == _FORMAT and _JSON in takes:
        for at, word in enumerate(before):
            if word == f"{_FORMAT}=json":
                return [*before[:at], _JSON, *arguments[at + 1 :]]
            if word == _FORMAT and before[at + 1 : at + 2] == ["json"]:
                return [*before[:at], _JSON, *arguments[at + 2 :]]
        raise CommandError(f"this command prints text, and one JSON document with {_JSON}; it has no other format")
    return None
