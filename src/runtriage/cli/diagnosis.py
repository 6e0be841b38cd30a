"""From the choices of the command line to a report that is written and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from runtriage.cli import files
from runtriage.cli.errors import CommandError, choice
from runtriage.cli.formats import (
    check_agrees,
    chosen_format,
    expected_format,
    of_file,
    of_output,
    person_watches,
    rendered,
)
from runtriage.cli.polling import until_ended
from runtriage.model.exit_code import UNUSABLE
from runtriage.model.options import FRAMEWORKS, TASKS, Options

if TYPE_CHECKING:
    from runtriage.api.config import Config
    from runtriage.api.history import Memory
    from runtriage.cli.progress import ProgressLine
    from runtriage.model.report import Report
    from runtriage.targets.together import OpenTarget

LEVELS = ("default", "strict")
_PAGE, _PICTURE = "check-failed-run.md", ".svg"
"""What --out-dir calls a page of Markdown, and what the drawing beside a page ends in."""
_PAGE_CONTEXT = 4
"""Lines around each cited one that the page shows unless told otherwise."""


class Choices(Struct, frozen=True, kw_only=True):
    """What the user chose, as typed."""

    targets: Sequence[str]
    last: int | None = None
    framework: str | None = None
    task: str | None = None
    label_column: str | None = None
    data: Sequence[str] | None = None
    traceback: bool = False
    context: int = 0
    as_of: str | None = None
    signatures: Sequence[Path] | None = None
    redact: str | None = None
    format: str | None = None
    output: Path | None = None
    out_dir: Path | None = None
    run_id: str | None = None
    open: bool = False
    once: bool = False
    interval: int | None = None
    no_cache: bool = False
    no_history: bool = False
    exit_zero: bool = False
    opener: Callable[[], OpenTarget] | None = None
    """Opens the target of a command that has options of its own, instead of what `targets` name."""


def diagnose(choices: Choices) -> int:
    """Diagnose, print or write what was asked for, and return the exit code."""
    from runtriage.cli.settings import config

    name = _format(choices)
    options = _options(choices, config(), name)
    _check_outputs(choices)
    report = until_ended(
        lambda: _report(choices, options),
        choices.targets,
        choices.interval,
        once=choices.once,
        opened=choices.opener is not None,
    )
    _write(report, choices, name)
    if choices.exit_zero:
        return 0
    from runtriage.api import exit_codes

    return exit_codes.of(report)


def _format(choices: Choices) -> str:
    if not choices.open:
        name = chosen_format(choices.format or expected_format(choices.output))
        check_agrees(choices.output, name)
        return name
    if (choices.format or "html") != "html":
        raise CommandError(f"--open shows the HTML report; leave out --format {choices.format}")
    return "html"


def _options(choices: Choices, config: Config, name: str) -> Options:
    from runtriage.cli.settings import instant

    level = choice("--redact", choices.redact or config.redact.level, LEVELS)
    return Options(
        framework=None if choices.framework is None else choice("--framework", choices.framework, FRAMEWORKS),
        task=None if choices.task is None else choice("--task", choices.task, TASKS),
        label_column=choices.label_column,
        last=choices.last,
        context=choices.context or (_PAGE_CONTEXT if name == "html" else 0),
        traceback=choices.traceback,
        strict_redaction=level == "strict",
        as_of=None if choices.as_of is None else instant(choices.as_of),
    )


def _check_outputs(choices: Choices) -> None:
    if choices.output is not None:
        files.check_writable(choices.output, choices.targets)
        if of_file(choices.output) == "markdown":
            files.check_writable(choices.output.with_suffix(_PICTURE), choices.targets)
    if choices.out_dir is not None:
        from runtriage.render import skill

        written = (skill.FILE_NAME, _PAGE, str(Path(_PAGE).with_suffix(_PICTURE)))
        files.check_folder("--out-dir", choices.out_dir, written)


def _report(choices: Choices, options: Options) -> Report:
    from runtriage.cli.progress import for_terminal
    from runtriage.cli.remembered import remembering

    if "-" in choices.targets and sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(
            f"Paste the {'traceback' if choices.traceback else 'log'}, then press Ctrl-D on an empty line.\n"
        )
    line = for_terminal()
    with remembering(wanted=not choices.no_history) as history:
        try:
            return _asked(choices, options, line, history)
        finally:
            if line is not None:
                line.erase()


def _asked(choices: Choices, options: Options, line: ProgressLine | None, history: Memory | None) -> Report:
    from runtriage.api.diagnosis import diagnose as ask
    from runtriage.api.diagnosis import diagnose_opened
    from runtriage.cli.settings import config
    from runtriage.store.cache import user_cache

    folders = [*config().signatures.folders, *(choices.signatures or ())]
    cache = None if choices.no_cache else user_cache()
    if choices.opener is None:
        return ask(
            list(choices.targets),
            options=options,
            data=choices.data or (),
            signatures=folders,
            cache=cache,
            progress=line,
            run_id=choices.run_id,
            history=history,
        )
    with choices.opener() as opened:
        return diagnose_opened(
            opened,
            options=options,
            signatures=folders,
            cache=cache,
            progress=line,
            run_id=choices.run_id,
            history=history,
        )


def _write(report: Report, choices: Choices, name: str) -> None:
    if choices.out_dir is not None:
        from runtriage.render import skill

        try:
            choices.out_dir.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"--out-dir: {choices.out_dir}: {(error.strerror or '').lower()}", UNUSABLE) from None
        _keep(choices.out_dir / skill.FILE_NAME, skill.document(report), report, name)
    if choices.open:
        _show_page(report, choices)
        return
    if choices.output is not None:
        _keep(choices.output, _with_picture(report, choices.output, name), report, name)
        from runtriage.render.block import cause

        sys.stderr.write(
            f"runtriage: {report.run_status}, primary cause {cause(report)}; written to {choices.output}\n"
        )
    elif choices.out_dir is not None and name == "markdown":
        path = choices.out_dir / _PAGE
        _keep(path, _with_picture(report, path, name), report, name)
    if choices.output is None or name == "github":
        files.show(rendered(report, name, person=name == "terminal" and person_watches()))


def _with_picture(report: Report, path: Path, name: str) -> str:
    """Return what goes into the output file; the curves of a Markdown page are drawn into a file of the same name beside it."""
    if name != "markdown" or (path.exists() and not path.is_file()):
        return of_output(report, name)
    from runtriage.render import markdown, svg_file

    drawing = svg_file.document(report)
    if not drawing:
        return markdown.document(report)
    picture = path.with_suffix(_PICTURE)
    files.write(picture, drawing)
    return markdown.document(report, picture.name)


def _show_page(report: Report, choices: Choices) -> None:
    from runtriage.launch import browser

    path = choices.output or files.private("runtriage-report.html")
    _keep(path, rendered(report, "html"), report, "html")
    shown = browser.show(path)
    sys.stderr.write(f"{'Opened' if shown else 'No browser was found; open'} {path}\n")


def _keep(path: Path, text: str, report: Report, name: str) -> None:
    """Write a file; a report that no file takes is printed, for its log may have come through a pipe."""
    try:
        files.write(path, text)
    except CommandError as error:
        watched = sys.stdout is not None and sys.stdout.isatty()
        files.show(rendered(report, "terminal" if name == "html" or (name == "json" and watched) else name))
        raise CommandError(f"{error}; the report was printed instead", error.code) from None
