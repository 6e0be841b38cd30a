"""The commands, and how their faults reach the user."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from errno import ENAMETOOLONG
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final

import typer

from runtriage.cli.errors import CommandError
from runtriage.cli.main import COMMANDS
from runtriage.signatures.error import SignatureError
from runtriage.targets.errors import TargetError

INTERNAL: Final = 70
"""Exit code of a fault of this program itself; never to be taken for a failure of the run."""

_NOT_FOUND: Final = 3
_NAME: Final = 60
"""Characters shown of a name that no file system takes."""

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
            2 wrong usage               3 target not found or unreadable
            4 no access                 5 not enough evidence to say
"""

_MODULES: Final = {"run": "run_command"}
"""Commands whose module has another name than theirs."""


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; faults become one line on standard error."""
    try:
        code = program(arguments[0] if arguments else "")(args=arguments, prog_name="runtriage", standalone_mode=False)
    except typer.TyperException as error:
        return _fault(error.format_message(), error.exit_code)
    except TargetError as error:
        hint = "" if "did you mean" in str(error) else _meant(arguments)
        return _fault(f"{error}{hint}", error.code)
    except CommandError as error:
        return _fault(str(error), error.code)
    except SignatureError as error:
        return _fault(str(error), 2)
    except typer.Abort:
        return 130
    except Exception as error:
        if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
            return _fault(f"{str(error.filename)[:_NAME]}…: {(error.strerror or 'name too long').lower()}", _NOT_FOUND)
        # The last place where a fault of ours can be told from one of the run.
        if os.environ.get("RUNTRIAGE_DEBUG"):
            raise
        return _fault(f"internal fault ({type(error).__name__}); RUNTRIAGE_DEBUG=1 shows where", INTERNAL)
    return code if isinstance(code, int) else 0


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


def _meant(arguments: list[str]) -> str:
    """Return the hint that a first word, taken for a target, is nearly a command."""
    word = arguments[1] if arguments[:1] == ["diagnose"] and len(arguments) > 1 else ""
    near = get_close_matches(word, COMMANDS, n=1, cutoff=0.75) if word.replace("-", "").isalpha() else []
    return f"; did you mean the command {near[0]}?" if near and not Path(word).exists() else ""


def _fault(message: str, code: int) -> int:
    if not message.strip():  # the help of a group was shown, and is all there is to say
        return code
    from runtriage.redact import clean  # what a server says of a refusal may quote what it was sent

    try:
        told = clean(" ".join(message.split()))
    except ValueError:
        told = "a fault whose text may not be shown"
    sys.stderr.write(f"runtriage: {told}\n")
    return code
