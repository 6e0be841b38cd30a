"""The views of a report by name."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from runtriage.model.report import Report

FORMATS: Final = ("terminal", "json", "markdown")
_BY_SUFFIX: Final = {".json": "json", ".md": "markdown", ".markdown": "markdown"}


def of_file(path: Path | None) -> str:
    """Return the format that the name of the output file calls for."""
    return _BY_SUFFIX.get(path.suffix.lower(), "terminal") if path is not None else "terminal"


def rendered(report: Report, name: str, *, person: bool = False) -> str:
    """Return the report in a format; with `person`, coloured for the terminal it goes to."""
    if name == "json":
        return report.to_json()
    if name == "markdown":
        from runtriage.render import markdown

        return markdown.document(report)
    if person:
        from runtriage.render import colour

        return colour.styled(report, shutil.get_terminal_size().columns)
    from runtriage.render import terminal

    return terminal.plain(report)


def person_watches() -> bool:
    """Say whether standard output is a terminal that takes colour and its user wants it."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
