"""How the faults of a command reach the user: one line on standard error, and an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from errno import EDQUOT, EFBIG, ENAMETOOLONG, ENOSPC, EROFS
from pathlib import Path
from typing import Final

from runtriage.cli.errors import CommandError
from runtriage.cli.main import COMMANDS
from runtriage.model.exit_code import NOT_FOUND, TOOL_FAILED, UNUSABLE, USAGE
from runtriage.signatures.error import SignatureError, SignatureWarning
from runtriage.targets.errors import TargetError

_FULL: Final = frozenset({ENOSPC, EDQUOT, EFBIG, EROFS})
"""Errors that only writing meets: whatever the command writes cannot be kept there."""
_NAME: Final = 60
"""Characters shown of a name that no file system takes."""


def told(command: Callable[[], object], arguments: Sequence[str]) -> int:
    """Run a command, which was called with these arguments, and return its exit code."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", SignatureWarning)
            warnings.showwarning = _Shown(warnings.showwarning)
            code = command()
    except TargetError as error:
        hint = "" if "did you mean" in str(error) else _meant(arguments)
        return _fault(f"{error}{hint}", error.code)
    except CommandError as error:
        return _fault(str(error), error.code)
    except SignatureError as error:
        return _fault(str(error), USAGE)
    except Exception as error:
        if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
            return _fault(f"{str(error.filename)[:_NAME]}…: {(error.strerror or 'name too long').lower()}", NOT_FOUND)
        if isinstance(error, OSError) and error.errno in _FULL:
            return _fault(f"{error.filename or 'what it writes'}: {(error.strerror or '').lower()}", UNUSABLE)
        # The last place where a fault of ours can be told from one of the run.
        if os.environ.get("RUNTRIAGE_DEBUG"):
            raise
        return _fault(
            f"internal fault ({type(error).__name__}): an error of runtriage, not of the run; with RUNTRIAGE_DEBUG=1 it shows where, for a report of it",
            TOOL_FAILED,
        )
    return code if isinstance(code, int) else 0


class _Shown:
    """Shows what was left out in one line as faults are shown, and any other warning as before."""

    def __init__(self, before: Callable[..., None]) -> None:
        self._before = before

    def __call__(self, message: Warning | str, category: type[Warning], *place: object) -> None:
        if issubclass(category, SignatureWarning):
            _say(str(message))
        else:
            self._before(message, category, *place)


def _meant(arguments: Sequence[str]) -> str:
    """Return the hint that a first word, taken for a target, is nearly a command."""
    from difflib import get_close_matches

    word = arguments[1] if arguments[:1] == ["diagnose"] and len(arguments) > 1 else ""
    near = get_close_matches(word, COMMANDS, n=1, cutoff=0.75) if word.replace("-", "").isalpha() else []
    return f"; did you mean the command {near[0]}?" if near and not Path(word).exists() else ""


def _fault(message: str, code: int) -> int:
    if not message.strip():  # the help of a group was shown, and is all there is to say
        return code
    _say(message)
    return code


def _say(message: str) -> None:
    from runtriage.redact import clean  # what a server says of a refusal may quote what it was sent

    try:
        shown = clean(" ".join(message.split()))
    except ValueError:
        shown = "a fault whose text may not be shown"
    if sys.stderr is not None:
        sys.stderr.write(f"runtriage: {shown}\n")
