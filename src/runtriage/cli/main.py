"""The way in: `runtriage` and `python -m runtriage`. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final

from runtriage.model.exit_code import INTERRUPTED, OK, UNUSABLE

COMMANDS: Final = (
    "diagnose",
    "workflow",
    "registry",
    "check-failed-run",
    "signatures",
    "verify",
    "checkpoints",
    "explain",
    "run",
    "watch",
    "fleet",
    "runai",
    "k8s",
    "history",
    "compare",
    "feedback",
    "bench",
    "serve",
    "mcp",
    "apply",
    "skills",
)
"""First words that are commands; any other first word is a target of `diagnose`."""

_GLOBAL: Final = frozenset({"--help", "-h", "--install-completion", "--show-completion"})


def program() -> None:
    """The installed command: `main` in a process of its own."""
    from runtriage.cli.quick import leaving_at_once

    with leaving_at_once():
        main()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = _left_unprinted(OK)
    except OSError as error:
        sys.stderr.write(f"runtriage: standard output: {(error.strerror or 'cannot be written').lower()}\n")
        code = _left_unprinted(UNUSABLE)
    sys.exit(code)


def _run(given: list[str]) -> int:
    if given == ["--version"]:
        from runtriage.version import __version__

        print(f"runtriage {__version__}")
        return 0
    from runtriage.cli.quick import quick_imports

    with quick_imports():
        command = _loaded(with_command(given))
    return command()


def _loaded(arguments: list[str]) -> Callable[[], int]:
    """Return what runs the command, with all it needs to begin."""
    from runtriage.cli.plain import plain

    choices = plain(arguments)
    if choices is None:
        from runtriage.cli.app import run

        return lambda: run(arguments)
    from runtriage.cli.diagnosis import diagnose
    from runtriage.cli.faults import told
    from runtriage.cli.quick import without_helpers

    without_helpers()

    return lambda: told(lambda: diagnose(choices), arguments)


def with_command(given: list[str]) -> list[str]:
    """Return the arguments with `diagnose` in front where the first word is no command."""
    if not given or (given[0] == "help" and not _exists(given[0])):
        return [*given[1:2], "--help"]
    return given if given[0] in COMMANDS or given[0] in _GLOBAL else ["diagnose", *given]


def _exists(name: str) -> bool:
    from pathlib import Path

    return Path(name).exists()


def _left_unprinted(code: int) -> int:
    from runtriage.cli.files import discard_output

    discard_output()
    return code
