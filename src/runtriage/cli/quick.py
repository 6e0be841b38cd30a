"""Importing without looking for garbage where there is none."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def quick_imports() -> Generator[None]:
    """Import modules; what they hold stays until the program ends, so the collector is never shown it."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
