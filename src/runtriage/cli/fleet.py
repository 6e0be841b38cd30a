"""`runtriage fleet`."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO

import typer

from runtriage.cli import flags
from runtriage.cli.errors import CommandError, choice
from runtriage.cli.files import show

if TYPE_CHECKING:
    from runtriage.api.config import History
    from runtriage.fleet.run import Fleet
    from runtriage.fleet.summary import Summary

HELP = """
Diagnose many runs and say what fails most, where, and how often the same.

A target is a glob (each match is a run), a folder of runs (each sub-folder or log in it is one; rank0, rank1 ... are parts of
one), one run, or @FILE with a target a line. With --out, a line of JSON for each run appears there at once, and --resume goes on where a start ended.

\b
  runtriage fleet runs/
  runtriage fleet 'logs/2026-05-*/slurm-*.out' --workers 8 --out may/
  runtriage fleet 's3://bucket/runs/*' --out may/
  runtriage fleet @targets.txt --out may/ --resume
  runtriage fleet runs/ --owner 'runs/([^-/]+)-' --format json
  runtriage fleet runs/ --out may/ --cluster tcp://scheduler:8786
"""
FORMATS: Final = ("terminal", "json")
_OUT: Final = "What to write"
_HOW: Final = "How to work"
_EVERY: Final = 0.2


Targets = Annotated[list[str], typer.Argument(metavar="TARGET...", help="Globs, folders of runs, @FILE.")]
Workers = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Processes; one a core by default.", rich_help_panel=_HOW)
]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786.", rich_help_panel=_HOW)
]
Resume = Annotated[bool, typer.Option("--resume", help="Skip the runs that --out holds already.", rich_help_panel=_HOW)]
Seconds = Annotated[
    float, typer.Option("--limit", min=0.1, metavar="SECONDS", help="What one run may take.", rich_help_panel=_HOW)
]
Memory = Annotated[
    int,
    typer.Option(min=0, metavar="MB", help="Address space of a worker; 0 for no limit.", rich_help_panel=_HOW),
]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for the results.", rich_help_panel=_OUT)]
Reports = Annotated[
    bool, typer.Option("--reports", help="Keep the whole report of each run in --out, too.", rich_help_panel=_OUT)
]
Owner = Annotated[
    str | None,
    typer.Option(metavar="REGEX", help="Finds the owner of a run in its target, as group 1.", rich_help_panel=_OUT),
]
Format = Annotated[str, typer.Option(metavar="NAME", help="terminal or json.", rich_help_panel=_OUT)]


def command(
    targets: Targets,
    workers: Workers = None,
    cluster: Cluster = None,
    resume: Resume = False,
    seconds: Seconds = 600.0,
    memory: Memory = 4096,
    out: Out = None,
    reports: Reports = False,
    owner: Owner = None,
    format: Format = "terminal",
    last: flags.Last = None,
    framework: flags.Framework = None,
    task: flags.Task = None,
    signatures: flags.SignatureFolders = None,
    redact: flags.Redact = None,
    no_cache: flags.NoCache = False,
    no_history: flags.NoHistory = False,
    exit_zero: flags.ExitZero = False,
) -> int:
    """Diagnose the fleet and return the exit code."""
    choice("--format", format, FORMATS)
    if out is None and (resume or reports):
        raise CommandError("--resume and --reports need --out DIR")
    summary = _run(_fleet(locals()), cached=not no_cache)
    if format == "json":
        import json

        show(json.dumps(summary.document(), indent=2, ensure_ascii=False) + "\n")
    else:
        from runtriage.fleet.page import text

        show(text(summary))
    return 0 if exit_zero else summary.exit_code()


def _fleet(given: Mapping[str, Any]) -> Fleet:
    from runtriage.cli.diagnosis import LEVELS
    from runtriage.cli.settings import config
    from runtriage.fleet.run import Fleet
    from runtriage.fleet.task import Settings
    from runtriage.model.options import FRAMEWORKS, TASKS, Options

    level = choice("--redact", given["redact"] or config().redact.level, LEVELS)
    options = Options(
        framework=None if given["framework"] is None else choice("--framework", given["framework"], FRAMEWORKS),
        task=None if given["task"] is None else choice("--task", given["task"], TASKS),
        last=given["last"],
        strict_redaction=level == "strict",
        workers=1,
    )
    folders = (*config().signatures.folders, *(given["signatures"] or ()))
    return Fleet(
        targets=given["targets"],
        settings=Settings(
            options, folders, given["reports"], None if given["no_history"] else _history(given["cluster"])
        ),
        workers=given["workers"] or _cores(),
        out=given["out"],
        resume=given["resume"],
        cluster=given["cluster"],
        owner=_owner(given["owner"]),
        seconds=given["seconds"],
        memory=given["memory"] << 20 or None,
    )


def _history(cluster: str | None) -> History | None:
    """Return the history to keep diagnoses in, None where it is off or cannot be used, which is said once and not by every worker."""
    from runtriage.cli.remembered import remembering
    from runtriage.cli.settings import config
    from runtriage.store.history_error import HistoryError

    with remembering() as found:
        if found is None:
            return None
        if cluster is not None and not str(config().history.path or "").startswith("postgres"):
            found.faults.append(
                "history: workers of a cluster cannot reach a file on this machine; nothing is kept (Postgres would do)"
            )
            return None
        try:
            found.history()
        except HistoryError as error:
            found.faults.append(f"history: {error}")
            return None
    return config().history


def _run(fleet: Fleet, *, cached: bool) -> Summary:
    from runtriage.fleet.cluster import ClusterError
    from runtriage.fleet.results import ResultsError
    from runtriage.fleet.run import run
    from runtriage.store.cache import user_cache

    line = FleetLine(sys.stderr) if sys.stderr is not None and sys.stderr.isatty() else None
    try:
        outcome = run(fleet, user_cache() if cached else None, line.show if line is not None else None)
    except (ResultsError, ClusterError) as error:
        raise CommandError(str(error)) from None
    finally:
        if line is not None:
            line.erase()
    if outcome.left_out and sys.stderr is not None:
        sys.stderr.write(f"runtriage: {outcome.left_out}\n")
    return outcome.summary


def _owner(pattern: str | None) -> re.Pattern[str] | None:
    if pattern is None:
        return None
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise CommandError(f"--owner: {pattern!r} is no regular expression: {error}") from None
    if compiled.groups < 1:
        raise CommandError(f"--owner: {pattern!r} has no group; write the part that names the owner in parentheses")
    return compiled


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class FleetLine:
    """One line on a terminal that tells how many runs are done."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = 0.0

    def show(self, summary: Summary) -> None:
        """Tell how far it is, a few times a second at most."""
        now = time.monotonic()
        if now - self._shown >= _EVERY:
            self._shown = now
            text = f"{summary.runs:,} runs, {summary.failed:,} failed, {summary.bytes / 1e9:,.2f} GB"
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()

    def erase(self) -> None:
        """Leave the terminal as it was."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
