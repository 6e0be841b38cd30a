"""The views of a report by name."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from runtriage.cli.errors import CommandError, choice

if TYPE_CHECKING:
    from runtriage.model.report import Report

FORMATS: Final = ("terminal", "json", "markdown", "html", "github")
_BY_SUFFIX: Final = {".json": "json", ".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html"}
_TEXT: Final = ("", ".txt", ".text", ".log", ".out")
"""How the names of files end that hold plain text."""


def of_file(path: Path | None) -> str:
    """Return the format that the name of the output file calls for."""
    return _BY_SUFFIX.get(path.suffix.lower(), "terminal") if path is not None else "terminal"


def expected_format(path: Path | None) -> str:
    """Return the format that the name of the output file calls for, or end the command where no report is written as that."""
    if path is not None and path.suffix.lower() not in (*_TEXT, *_BY_SUFFIX):
        raise CommandError(
            f"-o {path}: no report is written as {path.suffix}; name a .json, .md, .html or .txt file, or say with --format what to write"
        )
    return of_file(path)


def check_agrees(path: Path | None, name: str) -> None:
    """End the command where a file's name calls for another format than the one that was asked for; GitHub's summary is Markdown."""
    by_name = of_file(path)
    meant = "markdown" if name == "github" else name
    if by_name != "terminal" and meant in FORMATS and meant != by_name:
        raise CommandError(
            f"-o {path} is named for {by_name}, and --format {name} writes another; leave one of them out"
        )


def chosen_format(name: str) -> str:
    """Return the name of a format, or end the command with a list of those there are, packages' own included."""
    if name in FORMATS:
        return name
    from runtriage.render.offered import names

    return choice("--format", name, (*FORMATS, *names()))


def rendered(report: Report, name: str, *, person: bool = False) -> str:
    """Return the report in a format; with `person`, coloured for the terminal it goes to."""
    if name not in FORMATS:
        from runtriage.render.offered import renderer

        render = renderer(name)
        if render is not None:
            return render(report)
    if name == "json":
        return report.to_json()
    if name == "markdown":
        from runtriage.render import markdown

        return markdown.document(report)
    if name == "html":
        from runtriage.render import html

        return html.document(report)
    if name == "github":
        from runtriage.cli.checkout import path_in
        from runtriage.render import github

        return github.commands(report, path_in(report.target))
    if person:
        import shutil

        from runtriage.render import colour

        return colour.styled(report, shutil.get_terminal_size().columns)
    from runtriage.render import terminal

    return terminal.plain(report)


def of_output(report: Report, name: str) -> str:
    """Return what goes into the output file: the job's summary for GitHub, whose annotations are read from what is printed."""
    if name == "github":
        from runtriage.render import github

        return github.summary(report)
    return rendered(report, name)


def person_watches() -> bool:
    """Say whether standard output is a terminal that takes colour and its user wants it."""
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
