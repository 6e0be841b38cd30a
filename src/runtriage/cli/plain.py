"""A diagnosis asked for in the plainest way: read without the parser that knows every option, whose load takes longer than a short log."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runtriage.cli.diagnosis import Choices

FLAGS: Final = ("--exit-zero", "--no-cache", "--no-history", "--once", "--traceback")
"""Options that take no value and are read here too."""

_OTHERWISE: Final = "runai:"
"""Targets whose command has more to say of them."""
_COMPLETING: Final = "_RUNTRIAGE_COMPLETE"
"""Set by a shell that asks how a line may go on."""


def plain(arguments: Sequence[str]) -> Choices | None:
    """Return the choices of `diagnose` followed by targets and flags alone; None for everything else, which the parser reads."""
    if arguments[:1] != ["diagnose"] or _COMPLETING in os.environ:
        return None
    flags = [word for word in arguments[1:] if word.startswith("-") and word != "-"]
    targets = [word for word in arguments[1:] if word not in flags]
    if not targets or any(flag not in FLAGS for flag in flags):
        return None
    if any(target.lower().startswith(_OTHERWISE) for target in targets):
        return None
    from runtriage.cli.diagnosis import Choices

    chosen: dict[str, Any] = {flag[2:].replace("-", "_"): True for flag in flags}
    return Choices(targets=targets, **chosen)
