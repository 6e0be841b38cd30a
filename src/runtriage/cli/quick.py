"""Importing without looking for garbage where there is none, nor for what older versions of Python lack."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, cast

_BACKPORT: Final = "typing_extensions"
"""msgspec takes from it what `typing` has since 3.11, and it loads a dozen modules to look at source code."""

_SELDOM: Final = (20_000, 20, 20)
"""Objects and rounds between looks for garbage in cycles, of which reading a log makes next to none."""
_THREADS: Final = "OPENBLAS_NUM_THREADS"


def without_helpers() -> None:
    """Keep numpy from starting threads for matrices, of which this command has none."""
    os.environ.setdefault(_THREADS, "1")


@contextmanager
def quick_imports() -> Generator[None]:
    """Import modules; what they hold stays until the program ends, so the collector is never shown it."""
    gc.disable()
    try:
        _without_backport()
        yield
    finally:
        gc.freeze()
        gc.set_threshold(*_SELDOM)
        gc.enable()


def _without_backport() -> None:
    """Import msgspec as if the backport were not installed; who imports that later gets it."""
    if _BACKPORT in sys.modules:
        return
    loaded = cast("dict[str, Any]", sys.modules)
    loaded[_BACKPORT] = None
    try:
        import_module("msgspec")
    finally:
        del loaded[_BACKPORT]
