"""Which module opens which scheme. Each is imported only when such a target is named."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.grammar import SCHEMES, Spec
from runtriage.targets.offered import offered
from runtriage.targets.together import OpenTarget

_OPENERS: Final[dict[str, str]] = {
    "k8s": "runtriage.targets.k8s",
    "mlflow": "runtriage.targets.mlflow",
    "runai": "runtriage.targets.runai",
    "az": "runtriage.targets.objects_target",
    "gs": "runtriage.targets.objects_target",
    "pid": "runtriage.targets.process",
    "proc": "runtriage.targets.process",
    "s3": "runtriage.targets.objects_target",
    "sky": "runtriage.targets.sky_target",
    "ray": "runtriage.targets.ray",
    "slurm": "runtriage.targets.slurm",
    "ssh": "runtriage.targets.ssh",
    "vertex": "runtriage.targets.vertex",
    "wandb": "runtriage.targets.wandb",
}
"""Scheme to the module whose `open_target(spec)` returns the target, or raises `TargetError`."""


def open_live(spec: Spec) -> OpenTarget:
    """Return the target of a scheme that is not a file. Raises `TargetError`."""
    module = _OPENERS.get(spec.scheme) or (None if spec.scheme in SCHEMES else offered(spec.scheme))
    if module is None:
        raise TargetError(
            f"{spec.scheme}: ({SCHEMES.get(spec.scheme, 'offered by a package')}) cannot be read by this version; it reads files, folders, globs and - for standard input",
            USAGE,
        )
    opener = cast(Callable[[Spec], OpenTarget], import_module(module).open_target)
    return opener(spec)


def open_beside(spec: Spec) -> OpenTarget:
    """Return the target of a scheme among several: one that cannot be had says so, and the others are read. Raises `TargetError` for wrong usage."""
    from runtriage.targets.fetching import Unreachable

    try:
        return open_live(spec)
    except TargetError as error:
        if error.code == USAGE:
            raise
        return Unreachable(spec.text, str(error))
