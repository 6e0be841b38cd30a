"""From the parameters of a command to the choices of a diagnosis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from runtriage.cli.diagnosis import Choices
from runtriage.cli.spellings import targets_of

_TARGETS: Final = ("traceback", "artifacts", "pid", "proc", "wandb", "mlflow", "vertex", "project", "region")


def chosen(parameters: Mapping[str, Any]) -> Choices:
    """Return the choices that a command's parameters make, name by name; those that spell targets become targets."""
    targets = targets_of(parameters["target"], **{name: parameters[name] for name in _TARGETS})
    used = {"target", *_TARGETS} - {"traceback"}
    return Choices(targets=targets, **{name: value for name, value in parameters.items() if name not in used})
