"""From the parameters of a command to the choices of a diagnosis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from runtriage.cli.diagnosis import Choices
from runtriage.cli.spellings import targets_of

if TYPE_CHECKING:
    from runtriage.targets.together import OpenTarget

_TARGETS: Final = ("traceback", "artifacts", "pid", "proc", "wandb", "mlflow", "vertex", "project", "region")
_RUNAI: Final = "runai:"


def chosen(parameters: Mapping[str, Any]) -> Choices:
    """Return the choices that a command's parameters make, name by name; those that spell targets become targets."""
    targets = targets_of(parameters["target"], **{name: parameters[name] for name in _TARGETS})
    used = {"target", *_TARGETS} - {"traceback"}
    rest = {name: value for name, value in parameters.items() if name not in used}
    if len(targets) == 1 and targets[0].lower().startswith(_RUNAI):
        from runtriage.cli.runai import opener_of  # the config file says how to reach the platform

        return Choices(targets=(), opener=opener_of(targets[0][len(_RUNAI) :], parameters.get("as_of")), **rest)
    return Choices(targets=targets, **rest)


def opened_by(opener: Callable[[], OpenTarget], parameters: Mapping[str, Any]) -> Choices:
    """Return the choices of a command that opens its target itself: of its parameters those that every diagnosis knows."""
    shared = set(Choices.__struct_fields__) & set(parameters)
    return Choices(targets=(), opener=opener, **{name: parameters[name] for name in shared})
