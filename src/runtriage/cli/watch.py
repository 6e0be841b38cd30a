"""`runtriage watch`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from runtriage.api import exit_codes
from runtriage.cli.errors import CommandError, choice
from runtriage.cli.remembered import remembering
from runtriage.cli.run_command import seconds
from runtriage.cli.settings import config, preferred

if TYPE_CHECKING:
    from runtriage.launch.watch import End
    from runtriage.model.report import Report

HELP = """
Follow a run to its end: warn early, once of each thing, and then say what became of it.

Logs may rotate meanwhile. Ends with a stop reason: diagnosis delivered, stable progress, user decision required, or evidence insufficient.

\b
  runtriage watch train.log
  runtriage watch pid:4711 --interval 30s
  runtriage watch outputs/run-17/ --notify https://hooks.example.com/T0/B0
  runtriage watch train.log --once         one look, for cron
"""

Targets = Annotated[list[str], typer.Argument(metavar="TARGET...", help="A log, a folder, pid:PID or proc:NAME.")]
Interval = Annotated[str, typer.Option(metavar="TIME", help="Pause between looks: 30s, 5m.")]
StallAfter = Annotated[str, typer.Option(metavar="TIME", help="Silence after which the run counts as stalled.")]
Once = Annotated[bool, typer.Option("--once", help="Look once and leave.")]
Notify = Annotated[
    str | None, typer.Option(metavar="URL", help="Post warnings and the end there as JSON, without secrets.")
]
Format = Annotated[str, typer.Option("--format", metavar="NAME", help="terminal or json (one object a line).")]

NoHistory = Annotated[bool, typer.Option("--no-history", help="Neither use nor extend the history of diagnoses.")]


def command(
    target: Targets,
    interval: Interval = "60s",
    stall_after: StallAfter = "30m",
    once: Once = False,
    notify: Notify = None,
    format: Format = "terminal",
    no_history: NoHistory = False,
) -> int:
    """Watch and return the exit code of the last diagnosis."""
    choice("--format", format, ("terminal", "json"))
    if "-" in target:
        raise CommandError("standard input cannot be watched; give the log, or pipe to: runtriage -")
    from runtriage.launch.follow import process_of
    from runtriage.launch.watch import Plan, Watch
    from runtriage.launch.webhook import usable
    from runtriage.store.cache import user_cache

    if notify is not None and not usable(notify):
        raise CommandError("--notify: give an http:// or https:// URL")
    teller = _Teller(notify, as_json=format == "json")
    plan = Plan(
        interval=seconds("--interval", interval),
        stall=seconds("--stall-after", stall_after),
        once=once,
        options=preferred(),
        signatures=config().signatures.folders,
    )
    if not once:
        sys.stderr.write(
            f"runtriage: looks every {interval} until the run ends or is silent for {stall_after}; Ctrl-C ends the watching, not the run\n"
        )
    with remembering(wanted=not no_history) as history:
        end = Watch([process_of(text) for text in target], plan, teller.warn, user_cache(), history=history).run()
    teller.end(end)
    return exit_codes.of(end.report)


class _Teller:
    """Says what happened, on standard output and to the place to notify."""

    def __init__(self, url: str | None, *, as_json: bool) -> None:
        self._url = url
        self._json = as_json

    def warn(self, mode: str, sentence: str, report: Report | None) -> None:
        """Tell of one early warning."""
        told: dict[str, object] = {"event": "warning", "mode": mode, "summary": sentence}
        self._tell(told, f"warning: {mode}: {sentence}\n")
        self._post(told | {"report": _plain(report)})

    def end(self, end: End) -> None:
        """Tell why watching ended, and the diagnosis."""
        from runtriage.render import terminal

        told: dict[str, object] = {
            "event": "end",
            "stop_reason": end.reason,
            "detail": end.detail,
            "warned": list(end.warned),
            "report": _plain(end.report),
        }
        self._tell(told, f"{terminal.plain(end.report)}Stop reason: {end.reason} ({end.detail.rstrip('.')})\n")
        self._post(told)

    def _tell(self, told: dict[str, object], text: str) -> None:
        sys.stdout.write(json.dumps(told) + "\n" if self._json else text)
        sys.stdout.flush()

    def _post(self, told: dict[str, object]) -> None:
        if self._url is None:
            return
        from runtriage.launch.webhook import post

        problem = post(self._url, told)
        if problem is not None:
            sys.stderr.write(f"runtriage: {problem}\n")


def _plain(report: Report | None) -> object:
    return None if report is None else json.loads(report.to_json())
