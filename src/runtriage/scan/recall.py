"""What scans of unchanged files said before, kept in the cache after redaction: a second look at a large folder reads none of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, msgpack

from runtriage.model.artifact import Artifact, Read
from runtriage.model.event import Event
from runtriage.model.facts import RankProgress
from runtriage.model.options import Options
from runtriage.model.series import Series
from runtriage.model.spots import Spot
from runtriage.model.target import Cache
from runtriage.scan.workers import work_of
from runtriage.version import __version__

_LARGE: Final = 4 << 20
"""Bytes from which an artifact has an entry of its own; smaller ones share one."""
_WORTH: Final = 8 << 20
"""Bytes all smaller ones must have together, each counted as what it takes: below it scanning takes no longer than remembering."""


class Scanned(Struct, frozen=True, kw_only=True):
    """What one artifact said, in clean text."""

    events: list[Event]
    series: list[Series]
    progress: list[RankProgress]
    frameworks: list[str]
    world_size: int | None
    read: Read
    spots: dict[str, list[Spot]]


class Recall:
    """Scans by path, size and time of the file, and by everything that decides what a scan says: catalogue, engine, options, this program."""

    def __init__(self, cache: Cache, catalogue: str, engine: str, options: Options) -> None:
        self._cache = cache
        asked = (options.framework, options.task, options.last, options.traceback, options.metrics)
        self._asked = f"{catalogue}\0{engine}\0{asked}"

    def known(self, artifacts: Sequence[Artifact]) -> dict[str, Scanned]:
        """Return by path what is remembered of artifacts that have not changed since."""
        found: dict[str, Scanned] = {}
        for group in _groups(artifacts):
            stored = self._cache.load(self._name(group))
            try:
                scans = [] if stored is None else msgpack.decode(stored, type=list[Scanned])
            except (DecodeError, ValueError):
                continue
            found.update((scan.read.artifact.path, scan) for scan in scans)
        return found

    def keep(self, artifacts: Sequence[Artifact], scans: Sequence[Scanned]) -> None:
        """Remember the scans of these artifacts, group by group, where each was read to its end."""
        said = {artifact.path: scan for artifact, scan in zip(artifacts, scans, strict=True)}
        for group in _groups(artifacts):
            mine = [said[artifact.path] for artifact in group]
            if all(map(_complete, mine)):
                with suppress(UnicodeEncodeError):  # a name that is no text cannot be written down
                    self._cache.save(self._name(group), msgpack.encode(mine))

    def _name(self, group: Sequence[Artifact]) -> str:
        digest = sha256(f"{__version__}\0{_program()}\0{self._asked}".encode())
        for artifact in group:
            place = os.path.abspath(artifact.reach or artifact.path)  # noqa: PTH100 - bytes of a name need not be text
            digest.update(f"{place}\0{artifact}\n".encode(errors="surrogateescape"))
        return f"scan-{digest.hexdigest()[:40]}"


def _groups(artifacts: Iterable[Artifact]) -> list[list[Artifact]]:
    large: list[list[Artifact]] = []
    small: list[Artifact] = []
    for artifact in artifacts:
        if artifact.source != "file" or artifact.reach is None or not artifact.size or artifact.mtime is None:
            continue
        if artifact.size >= _LARGE:
            large.append([artifact])
        else:
            small.append(artifact)
    return [*large, small] if sum(map(work_of, small)) >= _WORTH else large


def _complete(scan: Scanned) -> bool:
    """Tell whether the file was read to its end and did not grow meanwhile."""
    artifact = scan.read.artifact
    return scan.read.cut is None and (artifact.encoding is not None or scan.read.bytes_read == artifact.size)


@cache
def _program() -> int:
    """Return when a file of this program last changed, in ns: a version that is being worked on is another one at each change."""
    return _last_change(str(Path(__file__).parent.parent))


def _last_change(folder: str) -> int:
    """Return when a module in a folder or below it last changed, in ns."""
    last = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                last = max(last, entry.stat().st_mtime_ns)
            elif not entry.name.startswith("__") and "." not in entry.name and entry.is_dir():
                last = max(last, _last_change(entry.path))
    return last
