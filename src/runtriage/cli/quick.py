"""Beginning and ending sooner: no look for garbage where there is none, nor for what older versions of Python lack; no taking apart at the end."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType
from typing import Any, Final, cast

_BACKPORT: Final = "typing_extensions"
"""msgspec takes from it what `typing` has since 3.11, and it loads a dozen modules to look at source code."""

_SELDOM: Final = (100_000, 20, 20)
"""Objects and rounds between looks for garbage in cycles, of which reading a log makes next to none."""
_DOCUMENTATION: Final = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")
"""Modules that do nothing but give numpy's functions their documentation."""
_THREADS: Final = "OPENBLAS_NUM_THREADS"


def without_helpers() -> None:
    """Keep numpy from starting threads for matrices and from documenting its functions: this command has neither matrices nor readers."""
    os.environ.setdefault(_THREADS, "1")
    for name in _DOCUMENTATION:
        sys.modules.setdefault(name, ModuleType(name))


@contextmanager
def leaving_at_once() -> Generator[None]:
    """End this process as soon as all is done that was asked for at its end, with the code of the SystemExit that is raised.

    Taking apart every module first, as Python does, takes a tenth of a short diagnosis, and the system takes back everything anyway.
    What was asked for last is done first, so where something was before this program (a measurement of coverage), the process ends as usual.
    """
    before: int = getattr(atexit, "_ncallbacks", lambda: 1)()
    codes: list[int] = []
    if not before:
        atexit.register(_leave, codes)
    try:
        yield
    except SystemExit as ended:
        if isinstance(ended.code, int):
            codes.append(ended.code)
        raise


def _leave(codes: list[int]) -> None:
    with suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr) if codes else ():
            if stream is not None:
                stream.flush()
        if codes:
            os._exit(codes[0])


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
