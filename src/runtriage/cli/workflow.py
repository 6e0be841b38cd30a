"""`runtriage workflow`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec.json
import typer

from runtriage.cli.errors import CommandError
from runtriage.cli.files import show
from runtriage.model.exit_code import NO_ACCESS, NOT_FOUND, OK

if TYPE_CHECKING:
    from runtriage.api.workflow import Access

HELP: Final = """
Look at a workflow run in object storage: its state, outputs, logs, and the one next move. Reads only.

RUN is a run id of a configured project, an s3:// prefix, or a folder that holds the same.

\b
  runtriage workflow list s3://bucket/runs
  runtriage workflow status s3://bucket/runs/run-17 --watch
  runtriage workflow artifacts run-17 --project lab --stage train
  runtriage workflow logs run-17 --project lab --stage train
  runtriage workflow diagnose run-17 --project lab
  runtriage workflow compare run-16 run-17 --project lab
"""

app = typer.Typer(help=HELP, no_args_is_help=True)
_LONGEST_PAUSE: Final = 86_400

Run = Annotated[str, typer.Argument(metavar="RUN", help="Run id, s3:// prefix, or folder.", show_default=False)]
Project = Annotated[str | None, typer.Option("--project", "-p", metavar="ALIAS", help="Project of the config file.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Stage = Annotated[str | None, typer.Option(metavar="STAGE", help="Only this stage.")]
Cached = Annotated[bool, typer.Option("--cached", help="Read storage only; never ask the controller.")]
Threshold = Annotated[
    int, typer.Option("--startup-failure-threshold", metavar="N", help="Failed starts that make a startup failure.")
]


@app.command("list")
def list_command(
    parent: Annotated[str | None, typer.Argument(metavar="PREFIX", help="Folder of runs.", show_default=False)] = None,
    project: Project = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Newest runs to show.")] = 50,
    as_json: Json = False,
) -> int:
    """List runs, newest first. Works with storage alone.

    Example: runtriage workflow list s3://bucket/runs --limit 20
    """
    from runtriage.api.workflow_listing import list_runs
    from runtriage.render import workflow

    found = list_runs(parent, _access(project, parent), limit)
    _print(found, as_json, workflow.runs)
    return NO_ACCESS if found["unreadable_total"] and not found["total"] else OK


@app.command("status")
def status_command(
    run: Run,
    project: Project = None,
    watch: Annotated[bool, typer.Option("--watch", help="Look again until the run ends.")] = False,
    interval: Annotated[float, typer.Option(metavar="SECONDS", help="Pause between looks.")] = 10.0,
    cached: Cached = False,
    threshold: Threshold = 3,
    as_json: Json = False,
) -> int:
    """Show a run's state and the one next move.

    Example: runtriage workflow status run-17 --project lab --watch --interval 10
    """
    from runtriage.api.workflow import status
    from runtriage.api.workflow_exit import of_status
    from runtriage.render import workflow

    _positive(threshold)
    if not 0 < interval < _LONGEST_PAUSE:
        raise CommandError(f"--interval must be more than 0 and less than {_LONGEST_PAUSE} seconds")
    if cached and watch:
        raise CommandError("--cached reads what storage keeps, which --watch cannot follow; leave one of them out")
    access = _access(project, run)
    if watch:
        return _watch(run, access, interval, threshold, as_json)
    found = status(run, access, cached=cached, threshold=threshold)
    _print(found, as_json, workflow.state)
    return of_status(found)


@app.command("artifacts")
def artifacts_command(run: Run, project: Project = None, stage: Stage = None, as_json: Json = False) -> int:
    """Show what each stage declared and what storage really holds.

    Example: runtriage workflow artifacts s3://bucket/runs/run-17 --stage train
    """
    from runtriage.api.workflow_artifacts import artifacts
    from runtriage.render import workflow

    found = artifacts(run, _access(project, run), stage)
    _print(found, as_json, workflow.artifacts)
    return {"AVAILABLE": OK, "NOT_FOUND": NOT_FOUND}.get(found["state"], NO_ACCESS)


@app.command("logs")
def logs_command(
    run: Run,
    project: Project = None,
    stage: Stage = None,
    follow: Annotated[bool, typer.Option("--follow", help="Print a live log as it grows.")] = False,
    cached: Cached = False,
    as_json: Json = False,
) -> int:
    """Print the log of a stage and say which source answered.

    Example: runtriage workflow logs run-17 --project lab --stage train
    """
    from runtriage.api.workflow_logs import follow as follow_log
    from runtriage.api.workflow_logs import logs
    from runtriage.render import workflow

    if follow and (cached or as_json):
        raise CommandError("--follow prints a live log line by line; it goes with neither --cached nor --json")
    access = _access(project, run)
    if follow:
        for line in follow_log(run, access, stage):
            show(line)
        return 0
    found = logs(run, access, stage, cached=cached)
    _print(found, as_json, workflow.log)
    closed = found["cached_log_state"] == "unreadable" and not found["log"]
    silent = not cached and found["live_log_state"] == "unavailable" and not found["log"]
    return NO_ACCESS if closed or silent else OK


@app.command("diagnose")
def diagnose_command(
    run: Run,
    project: Project = None,
    threshold: Threshold = 3,
    load_failed: Annotated[
        bool, typer.Option("--load-failed", help="The run is complete, only loading its result failed.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Say why a run failed: its records, its stage logs, and the one next move.

    Example: runtriage workflow diagnose s3://bucket/runs/run-17
    """
    from runtriage.api.workflow_diagnosis import diagnose_run
    from runtriage.api.workflow_exit import of_diagnosis
    from runtriage.cli.settings import config, preferred
    from runtriage.render import terminal, workflow
    from runtriage.store.cache import user_cache

    _positive(threshold)
    report = diagnose_run(
        run,
        _access(project, run),
        options=preferred(),
        threshold=threshold,
        load_failed=load_failed,
        signatures=config().signatures.folders,
        cache=user_cache(),
    )
    found: dict[str, Any] = report.workflow or {}
    if as_json:
        show(report.to_json())
    else:
        show(workflow.state(found) + (f"\n{terminal.plain(report)}" if report.primary_cause else ""))
    return of_diagnosis(found)


@app.command("gpus")
def gpus_command(project: Project = None, as_json: Json = False) -> int:
    """Show which accelerators can be asked for and how many one node offers.

    Example: runtriage workflow gpus --project lab
    """
    from runtriage.api.workflow_gpus import gpus
    from runtriage.render import workflow

    found = gpus(_access(project))
    _print(found, as_json, workflow.accelerators)
    return OK if "live" in (found["sky"]["state"], found["nodes"]["state"]) else NO_ACCESS


@app.command("compare")
def compare_command(
    base: Annotated[str, typer.Argument(metavar="BASE", help="The run to compare with.", show_default=False)],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The run in question.", show_default=False)],
    project: Project = None,
    as_json: Json = False,
) -> int:
    """List what differs between a good and a failed run.

    Example: runtriage workflow compare run-16 run-17 --project lab
    """
    from runtriage.api.workflow_compare import compare
    from runtriage.render import workflow

    _print(compare(base, candidate, _access(project, candidate)), as_json, workflow.differences)
    return 0


def _watch(run: str, access: Access, interval: float, threshold: int, as_json: bool) -> int:
    """Look until the run ends; text is printed when something changed, JSON as one line a look."""
    import time

    from runtriage.api.workflow import status
    from runtriage.api.workflow_exit import Watch, of_status
    from runtriage.render import workflow

    watched, shown = Watch(), ""
    while True:
        found = status(run, access, threshold=threshold)
        text = json.dumps(found) + "\n" if as_json else workflow.state(found)
        if as_json or text != shown:
            show(text)
            shown = text
        if watched.ended(found["status"]):
            return of_status(found)
        time.sleep(interval)


def _access(alias: str | None, run: str | None = None) -> Access:
    """Return how runs are reached: by the project that is named, else the one that owns the address, else the only one."""
    from runtriage.api.workflow import Access, access_for
    from runtriage.cli.settings import config

    projects = config().projects
    if alias is None:
        return access_for(run, projects)
    if alias not in projects:
        from difflib import get_close_matches

        near = get_close_matches(alias, projects, n=1)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else f"known are {', '.join(projects) or 'none; add [projects.NAME] to the config file'}"
        )
        raise CommandError(f"--project: {alias} is no project; {hint}")
    return Access(alias=alias, project=projects[alias])


def _positive(threshold: int) -> None:
    if threshold <= 0:
        raise CommandError("--startup-failure-threshold must be 1 or more")


def _print(found: dict[str, Any], as_json: bool, text: Callable[[dict[str, Any]], str]) -> None:
    show(msgspec.json.format(json.dumps(found), indent=2) + "\n" if as_json else text(found))
