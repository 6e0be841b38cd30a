"""What lies behind the paths a user gave: every file as an artifact under the name that citations use."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from runtriage.model.artifact import Artifact
from runtriage.targets.inspect import inspect, named_by_user
from runtriage.targets.kinds import BINARY, CHECKPOINT, CORE, DATA, LOG, METRICS, SOURCE, TOOL_LOG, kind_of
from runtriage.targets.names import shown
from runtriage.targets.regular import denied, encoding_told, read_head, special, why
from runtriage.targets.spool import Spool
from runtriage.targets.walk import Listing, walk

ARTIFACTS: Final = 50_000
_LOOKED_AT: Final = 1_000
"""Entries up to which the folder of a file is looked at for tables of metrics."""
_TOLD: Final = 3
UNREAD: Final = frozenset({BINARY, DATA, SOURCE, TOOL_LOG})
"""Kinds that tell nothing about a failure, met in a folder: counted, not listed."""

TABLES: Final = tuple(
    f"{form}{packed}" for form in (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet") for packed in ("", ".gz", ".zst")
)


class Entry(Struct, frozen=True):
    """One document: where its bytes are, and what it is to the rest of the program. `title` names the kind for people."""

    source: Path | Spool
    artifact: Artifact
    title: str = ""


class Survey(Struct):
    """Everything found. `unreadable` holds (name, reason) for what could not be had, `missing` paths that do not exist."""

    base: Path
    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])
    unreadable: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    refused: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    denied: int = 0
    cut: str | None = None
    tables: bool = False
    """Whether tables of data that lie in a folder are taken in, rather than passed over."""
    passed_over: dict[str, int] = field(default_factory=dict[str, int])
    beside: tuple[str, ...] = ()
    """Names of tables of metrics that lie in the folder of a log which was given alone."""

    def add(self, source: Path | Spool, artifact: Artifact, title: str = "") -> None:
        """Take a document in; two files whose names look the same get different ones."""
        name, copies = artifact.path, 1
        while (known := self.entries.get(name)) is not None:
            if known.source == source:
                return
            copies += 1
            name = f"{artifact.path}~{copies}"
        self.entries[name] = Entry(source, replace(artifact, path=name), title)

    def failed(self, name: str, error: OSError) -> None:
        """Note that a file could not be read."""
        self.denied += denied(error)
        self.unreadable.append((shown(name), why(error)))


def survey(paths: Sequence[Path], data: Sequence[Path] = (), *, tables: bool = False) -> Survey:
    """Look at files and folders, which exist; names are relative to the folder they all lie in.

    `data` are tables of data; `tables` says to take in those in folders too.
    """
    found = Survey(common_folder([*paths, *data]), tables=tables)
    for path in data:
        _add_data(found, path)
    for path in paths:
        if path.is_dir():
            _add_folder(found, path)
        else:
            _add_file(found, path)
    if len(paths) == 1 and [entry.artifact.kind for entry in found.entries.values()] == [LOG]:
        found.beside = _metrics_beside(paths[0])
    return found


def _metrics_beside(path: Path) -> tuple[str, ...]:
    """Return the names of the first few tables of metrics in the folder of a file; none where that may not be listed, or holds the files of many runs."""
    try:
        with os.scandir(path.absolute().parent) as entries:
            near = list(islice(entries, _LOOKED_AT + 1))
    except OSError:
        return ()
    if len(near) > _LOOKED_AT:
        return ()
    tables = [
        entry.name
        for entry in near
        if entry.name != path.name and kind_of(entry.name) == METRICS and entry.is_file(follow_symlinks=False)
    ]
    return tuple(shown(name) for name in sorted(tables)[:_TOLD])


def common_folder(paths: Sequence[Path]) -> Path:
    """Return the folder that names are relative to: the folder itself when one is given, else the one that holds all."""
    folders = [os.path.abspath(path if path.is_dir() else path.parent) for path in paths]  # noqa: PTH100 - keeps links as they are
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


def name_of(path: Path, base: Path) -> str:
    """Return the name of a file relative to the folder of the target."""
    return shown(os.path.relpath(os.path.abspath(path), base).replace(os.sep, "/"))  # noqa: PTH100 - keeps links as they are


def _add_file(found: Survey, path: Path) -> None:
    name = name_of(path, found.base)
    try:
        status = path.stat()
        kind = special(status.st_mode)
        if kind is not None or not stat.S_ISREG(status.st_mode):
            found.refused.append((name, kind or "no regular file"))
            return
        artifact, what = named_by_user(path, name, status)
    except OSError as error:
        found.failed(name, error)
        return
    found.add(path, artifact, what.title)


def _add_data(found: Survey, path: Path) -> None:
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        name = name_of(file, found.base)
        try:
            status = file.stat()
            if stat.S_ISREG(status.st_mode):
                encoding = encoding_told(read_head(file))
                found.add(
                    file, Artifact(path=name, kind=DATA, size=status.st_size, mtime=status.st_mtime, encoding=encoding)
                )
        except OSError as error:
            found.failed(name, error)


def _add_folder(found: Survey, folder: Path) -> None:
    prefix = name_of(folder, found.base)
    prefix = "" if prefix == "." else prefix + "/"
    listing = Listing()
    for name, path, status in walk(folder, listing):
        try:
            artifact = inspect(path, shown(prefix + name), status)
        except OSError as error:
            found.failed(prefix + name, error)
            continue
        if artifact.kind in UNREAD and not (found.tables and artifact.kind == DATA and name.lower().endswith(TABLES)):
            found.passed_over[artifact.kind] = found.passed_over.get(artifact.kind, 0) + 1
        elif len(found.entries) >= ARTIFACTS:
            found.cut = f"only the first {ARTIFACTS:,} files were taken in"
            break
        else:
            found.add(path, artifact)
    for name, reason in listing.denied:
        found.denied += 1
        found.unreadable.append((shown(prefix + name), reason))
    found.refused += [
        (shown(prefix + name), "a link that leads out of the folder")
        for name in listing.outside
        if kind_of(name) not in UNREAD
    ]
    found.cut = found.cut or listing.cut


def counts(found: Survey) -> str:
    """Return how many documents of which kind were met, in words."""
    tally = dict(found.passed_over)
    for entry in found.entries.values():
        tally[entry.artifact.kind] = tally.get(entry.artifact.kind, 0) + 1
    words = {CHECKPOINT: "checkpoint", CORE: "core dump", SOURCE: "source", DATA: "data", BINARY: "binary"}
    return ", ".join(f"{count} {words.get(kind, kind)}" for kind, count in sorted(tally.items()))
