"""The runs below a folder of storage. Folders are looked into only until a run is found, so what runs wrote is never listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from runtriage.targets.objects import ObjectError, ObjectStore, read_whole
from runtriage.targets.workflow_place import MANIFESTS

_WORKERS: Final = 16
_FOLDERS: Final = 10_000
"""So many folders that are no runs are looked into, however deep they lie; then the rest is named as left out."""
_LIMIT: Final = 8 << 20
_BATCH: Final = 512
T = TypeVar("T")


class Unreadable:
    """A place that may hold a run but could not be read."""

    def __init__(self, key: str, error: ObjectError) -> None:
        self.key = key
        self.error = error


def manifests(store: ObjectStore, key: str, parse: Callable[[str, str, bytes], T | None]) -> Iterator[T | Unreadable]:
    """Yield what `parse` makes of each manifest (run key, name, content) below a folder, in no particular order.

    What may hold runs and was not looked into is an `Unreadable` too. Raises `ObjectError` when the folder itself cannot be listed.
    """
    level = store.folders(key)[0]
    looked = 0

    def look(folder: str) -> tuple[T | Unreadable | None, list[str]]:
        return _look(store, folder, parse)

    with ThreadPoolExecutor(_WORKERS) as pool:
        while level:
            below: list[str] = []
            for start in range(0, len(level), _BATCH):
                if looked >= _FOLDERS:
                    text = f"{len(level) - start:,} folders, and what lies below them, were not looked into"
                    yield Unreadable(level[start], ObjectError("failed", f"more than {_FOLDERS:,} folders: {text}"))
                    return
                for found, folders in pool.map(look, level[start : start + _BATCH]):
                    below.extend(folders)
                    looked += found is None
                    if found is not None:
                        yield found
            level = below


def _look(
    store: ObjectStore, folder: str, parse: Callable[[str, str, bytes], T | None]
) -> tuple[T | Unreadable | None, list[str]]:
    """Return the run a folder is, or the folders to look into next."""
    for name in MANIFESTS:
        try:
            content = read_whole(store, f"{folder}/{name}", _LIMIT)
        except ObjectError as error:
            if error.kind == "absent":
                continue
            return Unreadable(folder, error), []
        found = parse(folder, name, content)
        if found is not None:
            return found, []
        if name != MANIFESTS[-1]:
            return Unreadable(
                folder, ObjectError("failed", "its manifest is cut off or of a kind that is not known")
            ), []
    try:
        return None, store.folders(folder)[0]
    except ObjectError as error:
        return Unreadable(folder, error), []
