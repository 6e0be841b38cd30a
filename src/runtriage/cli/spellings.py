"""Flags that are other ways to write a target."""

from __future__ import annotations

from runtriage.cli.errors import CommandError

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
