"""Which module opens which scheme. Each is imported only when such a target is named."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.grammar import SCHEMES, Spec
from runtriage.targets.together import OpenTarget

_OPENERS: Final[dict[str, str]] = {
    "az": "runtriage.targets.objects_target",
    "gs": "runtriage.targets.objects_target",
    "pid": "runtriage.targets.process",
    "proc": "runtriage.targets.process",
    "s3": "runtriage.targets.objects_target",
}
"""Scheme to the module whose `open_target(spec)` returns the target, or raises `TargetError`."""


def open_live(spec: Spec) -> OpenTarget:
    """Return the target of a scheme that is not a file. Raises `TargetError`."""
    module = _OPENERS.get(spec.scheme)
    if module is None:
        raise TargetError(
            f"{spec.scheme}: ({SCHEMES[spec.scheme]}) cannot be read by this version; it reads files, folders, globs and - for standard input",
            USAGE,
        )
    opener = cast(Callable[[Spec], OpenTarget], import_module(module).open_target)
    return opener(spec)
