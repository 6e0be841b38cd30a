"""The report as plain text: the block, a blank line, the extras."""

from __future__ import annotations

from runtriage.model.report import Report
from runtriage.render import block, context, extras


def plain(report: Report) -> str:
    """Return the report as text without any control sequence, with a final newline."""
    parts = [*block.lines(report), "", *extras.lines(report), *context.lines(report)]
    return "\n".join(parts) + "\n"
