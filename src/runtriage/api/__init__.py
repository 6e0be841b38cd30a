"""What every skin calls."""

from __future__ import annotations

from typing import Final

TYPE_CHECKING = False
if TYPE_CHECKING:
    from runtriage.api.config import ConfigError
    from runtriage.api.library import Report, diagnose, diagnose_async
    from runtriage.model.options import Options
    from runtriage.signatures.error import SignatureError
    from runtriage.targets.errors import TargetError

__all__ = ["ConfigError", "Options", "Report", "SignatureError", "TargetError", "diagnose", "diagnose_async"]

_HOMES: Final = {
    "ConfigError": "runtriage.api.config",
    "Options": "runtriage.model.options",
    "Report": "runtriage.api.library",
    "SignatureError": "runtriage.signatures.error",
    "TargetError": "runtriage.targets.errors",
    "diagnose": "runtriage.api.library",
    "diagnose_async": "runtriage.api.library",
}


def __getattr__(name: str) -> object:
    """Load a name of the API when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
