"""The options of every command that opens a target of its own and reports on it, written once."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any, Final, get_type_hints

from runtriage.cli import flags

_TAKEN: Final = "shared"


def _options(
    as_of: flags.AsOf = None,
    signatures: flags.SignatureFolders = None,
    no_cache: flags.NoCache = False,
    no_history: flags.NoHistory = False,
    format: flags.Format = None,
    output: flags.Output = None,
    open: flags.Open = False,
    out_dir: flags.OutDir = None,
    redact: flags.Redact = None,
    run_id: flags.RunId = None,
    exit_zero: flags.ExitZero = False,
) -> None:
    """Name the options; nothing calls it."""


class Reporting:
    """A command with these options after its own: they reach it as one mapping, its last parameter `shared`."""

    def __init__(self, command: Callable[..., int]) -> None:
        own, common = _parameters(command), _parameters(_options)
        self._command = command
        self._common = [each.name for each in common]
        self.__name__ = command.__name__
        self.__doc__ = command.__doc__
        self.__signature__ = Signature([*own, *common])
        self.__annotations__ = {each.name: each.annotation for each in (*own, *common)}

    def __call__(self, **parameters: Any) -> int:
        """Run the command and return its exit code."""
        shared = {name: parameters.pop(name) for name in self._common}
        return self._command(**parameters, **{_TAKEN: shared})


def _parameters(function: Callable[..., Any]) -> list[Parameter]:
    hints = get_type_hints(function, include_extras=True)
    named = (each for each in signature(function).parameters.values() if each.name != _TAKEN)
    return [each.replace(annotation=hints[each.name], kind=Parameter.KEYWORD_ONLY) for each in named]
