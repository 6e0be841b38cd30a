"""What every skin calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtriage.api.diagnosis import diagnose
    from runtriage.model.options import Options
    from runtriage.model.report import Report

__all__ = ["Options", "Report", "diagnose"]

_HOMES = {
    "diagnose": "runtriage.api.diagnosis",
    "Options": "runtriage.model.options",
    "Report": "runtriage.model.report",
}


def __getattr__(name: str) -> object:
    """Load a name of the API when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
