"""runtriage tells why a machine-learning training run failed, how it knows, and what to do next."""

from __future__ import annotations

from runtriage.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from runtriage.api import ConfigError, Options, Report, SignatureError, TargetError, diagnose, diagnose_async
    from runtriage.launch.hook import install

__all__ = [
    "ConfigError",
    "Options",
    "Report",
    "SignatureError",
    "TargetError",
    "__version__",
    "diagnose",
    "diagnose_async",
    "install",
]


def __getattr__(name: str) -> object:
    """Load a name of the API when it is first used, so that importing the package stays quick."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "install":
        from runtriage.launch.hook import install

        return install
    from runtriage import api

    return getattr(api, name)


def __dir__() -> list[str]:
    """Name what the package offers."""
    return __all__
