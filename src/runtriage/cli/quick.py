"""Importing without what takes time at a start and has no part in it."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_PLUGINS: Final = "PYDANTIC_DISABLE_PLUGINS"


@contextmanager
def quick_imports() -> Iterator[None]:
    """Import modules: no garbage is looked for among what stays, nor are the records of all packages for watchers of models."""
    before = os.environ.get(_PLUGINS)
    os.environ[_PLUGINS] = "__all__"
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
        # Programs that are started later keep their own plug-ins.
        if before is None:
            del os.environ[_PLUGINS]
        else:
            os.environ[_PLUGINS] = before
