"""What installed packages offer to this one, found without importing what reads the records of packages unless one of them does."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_RECORDS: Final = (".dist-info", ".egg-info")
_OURS: Final = b"[runtriage."
_LISTED: Final = "entry_points.txt"


def offers(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, whose name begins with `runtriage.`, in the order in which packages are found."""
    if not _any_package(tuple((folder, _changed(folder)) for folder in sys.path)) and not _other_finders():
        return []
    from importlib.metadata import entry_points

    return list(entry_points(group=group))


@lru_cache(maxsize=4)
def _any_package(folders: tuple[tuple[str, int], ...]) -> bool:
    """Tell whether any package in these folders offers anything; a folder comes with the time at which it changed."""
    return any(changed and _folder_offers(folder or os.curdir) for folder, changed in folders)


def _folder_offers(folder: str) -> bool:
    try:
        names = os.listdir(folder)  # noqa: PTH208 - hundreds of names, each wanted as a string
    except OSError:
        return Path(folder).is_file()  # an archive: packages inside it are not looked for here
    if folder.endswith(".egg"):
        names.append("EGG-INFO")
    return any(
        _names_us(f"{folder}/{name}/{_LISTED}") for name in names if name.endswith(_RECORDS) or name == "EGG-INFO"
    )


def _names_us(path: str) -> bool:
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - as above
            return _OURS in file.readall()
    except OSError:
        return False


def _changed(folder: str) -> int:
    try:
        return os.stat(folder or os.curdir).st_mtime_ns  # noqa: PTH116 - as above
    except OSError:
        return 0


def _other_finders() -> bool:
    """Tell whether packages may also be found in other ways than in folders."""
    return any(
        hasattr(finder, "find_distributions") and getattr(finder, "__name__", "") != "PathFinder"
        for finder in sys.meta_path
    )
