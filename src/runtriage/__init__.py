"""runtriage tells why a machine-learning training run failed, how it knows, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtriage.version import __version__

if TYPE_CHECKING:
    from runtriage.api import Options, Report, diagnose

__all__ = ["Options", "Report", "__version__", "diagnose"]


def __getattr__(name: str) -> object:
    """Load a name of the API when it is first used, so that importing the package stays quick."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from runtriage import api

    return getattr(api, name)
