"""The commands."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Final

import typer

from runtriage.cli.errors import CommandError
from runtriage.cli.faults import told
from runtriage.cli.main import COMMANDS
from runtriage.cli.spellings import once, spelled_otherwise
from runtriage.model.exit_code import INTERRUPTED

HELP: Final = """
Why did this training run fail, how do you know, and what is the safest next step?

Reads a run's logs, folders and records, changes nothing, and prints one diagnosis. \
Every claim in it names the file and line it rests on. Works offline; says so when it does not know.

\b
  runtriage train.log                      a log
  runtriage outputs/run-17/                a folder: all ranks, configs, ...
  python train.py 2>&1 | runtriage -       standard input
  runtriage logs/rank*.err outputs/        several together are one run
  runtriage --traceback < pasted.txt       a pasted traceback
  runtriage train.log -o report.json       for programs; then, at any time:
  runtriage verify report.json             does every citation still hold?

Without a command, [bold]diagnose[/bold] is meant; its options: runtriage diagnose --help

\b
Exit codes: 0 nothing failed            1 the run failed
            2 wrong usage               3 target not found, or no run in it
            4 no access                 5 not enough evidence to say
            70 an error of runtriage itself
"""

_MODULES: Final = {"run": "run_command"}
"""Commands whose module has another name than theirs."""


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; faults become one line on standard error."""
    return told(lambda: _run(arguments), arguments)


def _run(arguments: list[str]) -> object:
    if arguments[:1] == ["diagnose"]:
        once("-o", "--output", arguments)
    try:
        return _parsed(arguments)
    except typer.TyperException as error:
        other = spelled_otherwise(arguments, error)
        if other is not None:
            return _run(other)
        command = arguments[0] if arguments and arguments[0] in COMMANDS else ""
        hint = f"; see: runtriage {command} --help".replace("  ", " ")
        told_why = error.format_message().rstrip(".")
        raise CommandError(f"{told_why}{hint}" if told_why else "", error.exit_code) from None
    except typer.Abort:
        return INTERRUPTED


def _parsed(arguments: list[str]) -> object:
    return program(arguments[0] if arguments else "")(args=arguments, prog_name="runtriage", standalone_mode=False)


def program(first: str) -> typer.Typer:
    """Return the program with the command or group that is named first alone, which spares loading all others; the whole for any other word."""
    app = typer.Typer(
        name="runtriage",
        help=HELP,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=True,
        callback=_options,
    )
    for name in [first] if first in COMMANDS else COMMANDS:
        _add(app, name)
    return app


def _options(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Take the options that stand before any command; `--version` alone never gets here."""
    if version:
        raise CommandError("--version stands alone")


def _add(app: typer.Typer, name: str) -> None:
    module = import_module(f"runtriage.cli.{_MODULES.get(name, name.replace('-', '_'))}")
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name, help=module.HELP)
    else:
        app.command(name, help=module.HELP, context_settings=getattr(module, "SETTINGS", None))(module.command)
