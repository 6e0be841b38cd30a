"""`bundle:FILE.zip`: the logs in a ZIP file, as support portals hand them out. Nothing is unpacked to disk."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Skipped
from runtriage.model.target import ByteStream
from runtriage.targets import Spec, TargetError
from runtriage.targets.fetched import Shelf

_LARGEST = 256 << 20
_NOT_FOUND = 3


class Bundle:
    """The members of one ZIP file whose names end like logs."""

    def __init__(self, path: Path, label: str) -> None:
        self.label = label
        self._zip = zipfile.ZipFile(path)
        self._shelf = Shelf()

    def first_requests(self) -> Sequence[Request]:
        """Every log in the file."""
        return [
            Request(kind="file", args={"path": item.filename}, reason="it lies in the bundle")
            for item in self._zip.infolist()
            if item.filename.endswith((".log", ".out", ".err", ".txt"))
        ]

    def collect(self, request: Request) -> Outcome:
        """Read one member, within a bound: a small file may unpack to a very large one."""
        name = request.args.get("path", "")
        if request.kind != "file":
            return Skipped(request, "a bundle holds files only")
        if name not in self._zip.namelist():
            return Empty(request)
        if self._zip.getinfo(name).file_size > _LARGEST:
            return Skipped(request, "larger than a bundle's member may be")
        with self._zip.open(name) as member:
            content = member.read(_LARGEST)
        return Collected(request, (self._shelf.keep(name, content, kind="log", source="bundle"),))

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a member that was read."""
        return self._shelf.open(artifact)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._zip.close()


def open_target(spec: Spec) -> Bundle:
    """Open the file that a target names. Raises `TargetError`."""
    try:
        return Bundle(Path(spec.rest), spec.text)
    except (OSError, zipfile.BadZipFile) as error:
        raise TargetError(f"{spec.text}: {error}", _NOT_FOUND) from None
