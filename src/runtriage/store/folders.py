"""The folders that this user's programs keep things in."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, Literal

_NAME: Final = "runtriage"
_HOMES: Final = {"cache": "~/.cache", "config": "~/.config", "state": "~/.local/state"}


def user_folder(kind: Literal["cache", "config", "state"]) -> Path:
    """Return this program's folder of a kind, which need not exist."""
    if sys.platform == "linux":  # what the library below says there, without its load
        given = Path(os.environ.get(f"XDG_{kind.upper()}_HOME", ""))
        home = os.path.expanduser(_HOMES[kind])  # noqa: PTH111 - keeps `~` where there is no home
        return (given if given.is_absolute() else Path(home)) / _NAME
    import platformdirs

    asked = {
        "cache": platformdirs.user_cache_path,
        "config": platformdirs.user_config_path,
        "state": platformdirs.user_state_path,
    }
    return asked[kind](_NAME)
