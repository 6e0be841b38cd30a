"""From what names many runs to the target string of each."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, USAGE, TargetError
from runtriage.targets.grammar import GLOB, PATH, STDIN, parse
from runtriage.targets.names import order, shown
from runtriage.targets.regular import denied, why

_LOGS: Final = frozenset({".log", ".out", ".err", ".txt", ".stdout", ".stderr"})
_PACKED: Final = frozenset({".gz", ".zst"})
_PART: Final = deferred(
    r"(?P<kind>(?:local_?|global_?)?rank|node|host|worker|replica|attempt|proc(?:ess)?|gpu)[-_.]?(?P<number>\d{1,6})"
)
"""Folders that a launcher makes for the parts of one run."""
OBJECTS: Final = frozenset({"s3", "gs", "az"})


def each_run(text: str) -> Iterator[str]:
    """Yield the target of each run that `text` names: every match of a glob, everything in a folder of runs, or the one it is.

    In a folder of runs each sub-folder is a run, and so is each log that lies in it directly; the same holds below a prefix of object
    storage that ends in `/*`. A folder whose sub-folders are numbered ranks, nodes or attempts is one run itself, with the logs of the
    launcher that lie beside them. Raises `TargetError` where nothing is found.
    """
    spec = parse(text)
    if spec.scheme == GLOB:
        yield from _matches(spec.rest)
    elif spec.scheme == PATH and Path(spec.rest).is_dir():
        yield from _inside(Path(spec.rest))
    elif spec.scheme == STDIN:
        raise TargetError("standard input is one run; name folders, globs or @FILE", USAGE)
    elif spec.scheme in OBJECTS and spec.rest.endswith("/*"):
        yield from _below(f"{spec.scheme}://{spec.rest.removesuffix('/*')}")
    else:
        yield text


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a file of targets that are neither empty nor comments (`#`). Raises `TargetError`."""
    try:
        with path.open(encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                text = line.strip()
                if text and not text.startswith("#"):
                    yield text
    except OSError as error:
        raise TargetError(f"{shown(str(path))}: {why(error)}", NO_ACCESS if denied(error) else NOT_FOUND) from None


def _matches(pattern: str) -> Iterator[str]:
    found = sorted(glob.iglob(pattern, recursive=True), key=order)  # noqa: PTH207 - the pattern may be absolute
    if not found:
        raise TargetError(f"nothing matches {shown(pattern)}", NOT_FOUND)
    yield from found


def _inside(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if not entry.name.startswith(".") and _is_run(entry)]
    except OSError as error:
        raise TargetError(f"{shown(str(folder))}: {why(error)}", NO_ACCESS if denied(error) else NOT_FOUND) from None
    if not found:
        raise TargetError(f"{shown(str(folder))}: no runs in it; each sub-folder or log in it would be one", NOT_FOUND)
    one = _parts_of_one(entry.name for entry in found if entry.is_dir())
    yield from [str(folder)] if one else sorted((entry.path for entry in found), key=order)


def _parts_of_one(folders: Iterable[str]) -> bool:
    """Tell whether folders are the parts of one run: all of one kind, and numbered from zero without a gap, as launchers do.

    `rank8` and `rank16` are two runs that try a setting.
    """
    parts = [_PART.fullmatch(name.lower()) for name in folders]
    named = [part for part in parts if part is not None]
    numbers = sorted(int(part["number"]) for part in named)
    alike = len({part["kind"] for part in named}) == 1 and len(named) == len(parts)
    return alike and numbers == list(range(len(numbers)))


def _is_run(entry: os.DirEntry[str]) -> bool:
    if entry.is_symlink():
        return False
    return entry.is_dir() or (_is_log(entry.name) and entry.is_file())


def _is_log(name: str) -> bool:
    suffixes = [suffix for suffix in Path(name.lower()).suffixes if suffix not in _PACKED]
    return bool(suffixes) and suffixes[-1] in _LOGS


def _below(address: str) -> Iterator[str]:
    from runtriage.targets.objects import ObjectError, as_target_error, location
    from runtriage.targets.objects_cloud import cloud_store

    where = location(address)
    assert where is not None
    try:
        folders, objects = cloud_store(where.scheme, where.bucket).folders(f"{where.key}/" if where.key else "")
    except ObjectError as error:
        raise as_target_error(error, address) from None
    if _parts_of_one(folder.rstrip("/").rpartition("/")[2] for folder in folders):
        yield address
        return
    keys = [*(folder.rstrip("/") for folder in folders), *(each.key for each in objects if _is_log(each.key))]
    if not keys:
        raise TargetError(f"{shown(address)}: no runs below it; each prefix or log there would be one", NOT_FOUND)
    yield from (f"{where.scheme}://{where.bucket}/{key}" for key in sorted(keys, key=order))
