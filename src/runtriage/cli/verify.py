"""`runtriage verify`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runtriage.cli.errors import CommandError
from runtriage.cli.files import show
from runtriage.model.exit_code import ABSTAINED, FAILED, OK, UNUSABLE

if TYPE_CHECKING:
    from runtriage.api.verify import Check

HELP = """
Read every citation of a report again and say whether it still holds.

Leaves with 1 when a cited line changed or is gone, with 5 when none could be read again.

\b
  runtriage train.log --format json -o report.json
  runtriage verify report.json
  runtriage verify report.json --target /new/place/of/the/run
"""


def command(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="A report as written by --format json.")],
    target: Annotated[
        str | None, typer.Option(metavar="TARGET", help="Where the run lies now, when it was moved.")
    ] = None,
) -> int:
    """Verify and return the exit code."""
    from runtriage.api.verify import ReportError, read_report, verify

    try:
        document = read_report(report)
    except ReportError as error:
        raise CommandError(str(error), UNUSABLE) from None
    checks = verify(document, target)
    if not checks:
        show("the report cites nothing\n")
        return OK
    show("".join(f"{_line(check)}\n" for check in checks) + _summary(checks) + "\n")
    states = {check.state for check in checks}
    if states == {"gone"} and target is None:
        sys.stderr.write("runtriage: nothing of the run lies here; name its log or folder: --target PLACE\n")
    if states & {"changed", "gone"}:
        return FAILED
    return OK if "holds" in states else ABSTAINED


def _line(check: Check) -> str:
    from runtriage.model.place import where
    from runtriage.redact import clean

    why = f" ({check.why})" if check.why else ""
    return clean(f"{check.state:<15}  {where(check.citation)}  {check.of}{why}").replace("\n", " ")


def _summary(checks: list[Check]) -> str:
    counts = Counter(check.state for check in checks)
    return ", ".join(
        f"{counts[state]} {state}" for state in ("holds", "changed", "gone", "not re-readable") if counts[state]
    )
