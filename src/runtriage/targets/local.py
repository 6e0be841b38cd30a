"""Files, folders and standard input as a target."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Skipped, Unavailable
from runtriage.model.target import ByteStream
from runtriage.targets.inspect import inspect
from runtriage.targets.regular import open_regular, read_as, why
from runtriage.targets.spool import Spool
from runtriage.targets.streams import PlainStream
from runtriage.targets.survey import Survey, name_of

FILES: Final = "files"
"""Request kind: list what was given and all its folders hold."""
FILE: Final = "file"
"""Request kind: one document; `path` is relative to the target, or absolute inside it."""

_NAMED: Final = 200


class LocalTarget:
    """Answers `files` and `file`."""

    def __init__(self, label: str, found: Survey, folders: Sequence[Path]) -> None:
        self._label = label
        self._found = found
        self._folders = [os.path.realpath(folder) for folder in folders]

    @property
    def label(self) -> str:
        """The target as it was typed."""
        return self._label

    def first_requests(self) -> Sequence[Request]:
        """List everything, then ask for each thing that cannot be had, so that it is reported one by one."""
        refused = [name for name, _ in (*self._found.unreadable, *self._found.refused)]
        return [
            Request(kind=FILES, reason="what was given"),
            *(
                Request(kind=FILE, args={"path": name}, reason="it belongs to what was given")
                for name in refused[:_NAMED]
            ),
        ]

    def collect(self, request: Request) -> Outcome:
        """Answer one request; other kinds than `files` and `file` are skipped."""
        if request.kind == FILES:
            return self._listed(request)
        if request.kind == FILE and request.args.get("path"):
            return self._one(request, request.args["path"])
        return Skipped(request, f"files on disk cannot answer a {request.kind} request")

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a document unpacked. Raises OSError."""
        entry = self._found.entries.get(artifact.path)
        if entry is None:
            raise FileNotFoundError(2, "was not collected", artifact.path)
        return _open(entry.source, artifact.encoding)

    def close(self) -> None:
        """Forget what was kept of pipes."""
        for entry in self._found.entries.values():
            if isinstance(entry.source, Spool):
                entry.source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def _listed(self, request: Request) -> Outcome:
        artifacts = tuple(entry.artifact for entry in self._found.entries.values())
        more = len(self._found.unreadable) + len(self._found.refused) - _NAMED
        spooled = (entry.source.cut for entry in self._found.entries.values() if isinstance(entry.source, Spool))
        cuts = [self._found.cut, *spooled, f"{more:,} more files could not be read" if more > 0 else None]
        cut = "; ".join(filter(None, cuts)) or None
        return (
            Collected(request, artifacts, cut, beside=self._found.beside)
            if artifacts or cut
            else Empty(request, "nothing was found")
        )

    def _one(self, request: Request, path: str) -> Outcome:
        name = path if path in self._found.entries else name_of(self._found.base / path, self._found.base)
        if name in self._found.entries:
            return Collected(request, (self._found.entries[name].artifact,))
        for known, reason in self._found.unreadable:
            if known in {path, name}:
                return Unavailable(request, reason)
        for known, reason in self._found.refused:
            if known in {path, name}:
                return Skipped(request, reason)
        return self._look(request, self._found.base / path, name)

    def _look(self, request: Request, path: Path, name: str) -> Outcome:
        real = os.path.realpath(path)
        if not any(real.startswith(folder.rstrip(os.sep) + os.sep) for folder in self._folders):
            return Skipped(request, "lies outside what was given")
        try:
            artifact = inspect(Path(real), name, Path(real).stat())
        except FileNotFoundError:
            return Empty(request, "no such file")
        except OSError as error:
            return Unavailable(request, why(error))
        self._found.add(Path(real), artifact)
        return Collected(request, (self._found.entries[name].artifact,))


def _open(source: Path | Spool, encoding: str | None) -> ByteStream:
    if isinstance(source, Spool):
        return source.open(encoding)
    return read_as(PlainStream(open_regular(source), bounded=True), encoding)
