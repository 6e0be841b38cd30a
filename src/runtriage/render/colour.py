"""The report for a person at a terminal: the same lines in the same order, with colour and a sparkline."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.text import Text

from runtriage.model.report import Report
from runtriage.render import block, context, extras
from runtriage.render.sparkline import curve

_STATUS = {"completed": "green", "recovered": "green", "running": "cyan", "unknown": "yellow"}
_RISK = {"safe": "green", "needs-approval": "yellow", "dangerous": "red"}
_FIELDS = ("Framework", "Primary cause", "Contributing factors", "Confidence")
_HEADINGS = ("Evidence:", "Root cause:", "Top fixes:", "Next command(s):")
_NARROWEST = 40


def styled(report: Report, width: int) -> str:
    """Return the report for a terminal `width` columns wide."""
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=max(width, _NARROWEST), highlight=False, soft_wrap=True)
    for line in block.lines(report):
        console.print(_block(line, report))
    console.print()
    drawn = curve(report)
    if drawn:
        console.print(Text(drawn, style="magenta"))
    for line in extras.lines(report):
        label, colon, rest = ("", "", line) if line.startswith(" ") else line.partition(":")
        console.print(Text.assemble((label + colon, "bold"), rest))
    for line in context.lines(report):
        console.print(Text(line, style="bold" if line.startswith(">") else "dim"))
    return out.getvalue()


def _block(line: str, report: Report) -> Text:
    label, colon, rest = line.partition(":")
    if label == "Status":
        return Text.assemble((label + colon, "bold"), (rest, f"bold {_STATUS.get(report.run_status, 'red')}"))
    if label == "Decision":
        return Text.assemble(
            (label + colon, "bold"), (rest, f"bold {'green' if report.decision == 'GO' else 'yellow'}")
        )
    if colon and label in _FIELDS:
        return Text.assemble((label + colon, "bold"), rest)
    if line in _HEADINGS:
        return Text(line, style="bold")
    return _risk(line)


def _risk(line: str) -> Text:
    for risk, style in _RISK.items():
        before, mark, after = line.partition(f"| risk={risk} |")
        if mark:
            return Text.assemble(before, ("| risk=", ""), (risk, style), (" |", ""), after)
    return Text(line)
