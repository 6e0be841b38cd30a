"""`runtriage apply`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from runtriage.cli.errors import CommandError
from runtriage.cli.files import show
from runtriage.model.exit_code import FAILED, OK, UNUSABLE

HELP = """
Do one safe step of a saved report's plan. Prints the exact command first and keeps a journal.

Only steps whose risk is safe are done: looking, starting the run again with its own command, going on from a checkpoint that is
whole. Everything else is refused with the reason; no flag changes that.

\b
  runtriage train.log -o report.json
  runtriage apply 3 --report report.json
  runtriage apply 1 --report report.json --command 'python train.py --config a.yaml'
  runtriage apply 2 --report report.json --command 'python train.py --resume {checkpoint}'
"""


def command(
    step: Annotated[int, typer.Argument(metavar="STEP", min=1, help="Number of the step in the plan.")],
    report: Annotated[Path, typer.Option(metavar="FILE", help="A report as written by --format json.")],
    command: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="The command that starts the run, for steps that do.")
    ] = None,
    journal: Annotated[Path | None, typer.Option(metavar="FILE", help="Journal of what was done.")] = None,
) -> int:
    """Do the step: 0 when it was done, 1 when that failed, 2 when it was refused."""
    from runtriage.api.verify import ReportError, read_report
    from runtriage.launch import apply as steps

    try:
        document = read_report(report)
    except ReportError as error:
        raise CommandError(str(error), UNUSABLE) from None
    done = steps.apply(document, step, command, journal or steps.journal_place(), _say)
    if done.outcome == steps.REFUSED:
        raise CommandError(f"step {step} is not done: {done.said}")
    show(f"{done.said.rstrip()}\n")
    return FAILED if done.outcome == steps.FAILED else OK


def _say(command: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"+ {command}\n")
        sys.stderr.flush()
