"""A prefix of object storage, or one object, as a target: its logs and records, read a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, Self

from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Skipped, Unavailable
from runtriage.model.target import ByteStream
from runtriage.targets.errors import NOT_FOUND, USAGE, TargetError
from runtriage.targets.grammar import Spec
from runtriage.targets.kinds import LOG, READABLE, kind_of, sniff
from runtriage.targets.objects import Entry, ObjectError, ObjectStore, as_target_error, location
from runtriage.targets.regular import encoding_told, read_as

OBJECTS: Final = "objects"
"""Request kind: list what lies under the prefix."""
_FILES: Final = 2000
_KEYS: Final = 200_000
_SNIFFED: Final = 200
_PIECE: Final = 4 << 20
_HEAD: Final = 4096


class ObjectsTarget:
    """Answers `objects`, and `file` for one key under the prefix."""

    def __init__(self, store: ObjectStore, key: str, label: str) -> None:
        self._store = store
        self._key = key
        self._label = label
        self._known: dict[str, str] = {}

    @property
    def label(self) -> str:
        """The address as it was typed."""
        return self._label

    def first_requests(self) -> Sequence[Request]:
        """List everything."""
        return [Request(kind=OBJECTS, reason="what was given")]

    def collect(self, request: Request) -> Outcome:
        """Answer one request; access that is denied is never an empty prefix."""
        try:
            if request.kind == OBJECTS:
                return self._listed(request)
            if request.kind == "file" and request.args.get("path"):
                return self._one(request, request.args["path"])
        except ObjectError as error:
            return Empty(request, error.detail) if error.kind == "absent" else Unavailable(request, error.detail)
        return Skipped(request, f"object storage cannot answer a {request.kind} request")

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a document unpacked. Raises OSError."""
        key = self._known.get(artifact.path)
        if key is None:
            raise FileNotFoundError(2, "was not collected", artifact.path)
        stream = ObjectStream(self._store, key)
        return read_as(stream, encoding_told(stream.head))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Nothing is held open."""

    def _listed(self, request: Request) -> Outcome:
        found: list[Artifact] = []
        seen = sniffed = 0
        cut = None
        for entry in self._entries():
            seen += 1
            name = entry.key[len(self._key) :].lstrip("/") or entry.key.rpartition("/")[2]
            kind = kind_of(name)
            if kind is None and sniffed < _SNIFFED and entry.size:
                sniffed += 1
                kind = self._sniffed(entry)
            if entry.size and kind in (*READABLE, "config"):
                found.append(self._artifact(name, entry, kind))
            if len(found) >= _FILES or seen >= _KEYS:
                cut = f"only the first {len(found):,} documents of {seen:,} keys were taken"
                break
        if not found:
            return Empty(request, f"{seen:,} objects, none of them a log or a record of a run")
        return Collected(request, tuple(sorted(found, key=lambda artifact: artifact.path)), cut)

    def _entries(self) -> Iterator[Entry]:
        """Yield the object itself, or else what lies under the prefix."""
        try:
            if self._key:
                yield self._store.entry(self._key)
                return
        except ObjectError as error:
            if error.kind != "absent":
                raise
        yield from self._store.entries(self._key)

    def _one(self, request: Request, path: str) -> Outcome:
        if ".." in path.split("/"):
            return Skipped(request, "lies outside what was given")
        entry = self._store.entry(f"{self._key}/{path}".lstrip("/"))
        return Collected(request, (self._artifact(path, entry, kind_of(path) or LOG),))

    def _sniffed(self, entry: Entry) -> str:
        try:
            return sniff(self._store.read(entry.key, 0, _HEAD)).kind
        except ObjectError:
            return LOG

    def _artifact(self, name: str, entry: Entry, kind: str) -> Artifact:
        self._known[name] = entry.key
        packed = {"gz": "gzip", "zst": "zstd", "zstd": "zstd"}.get(name.rpartition(".")[2])
        return Artifact(path=name, kind=kind, size=entry.size, mtime=entry.mtime, encoding=packed, source=OBJECTS)


class ObjectStream:
    """Bytes of one object, fetched a piece at a time, as long as it was when it was opened."""

    def __init__(self, store: ObjectStore, key: str) -> None:
        self._store = store
        self._key = key
        self._at = 0
        self._piece = memoryview(b"")
        try:
            self._size = store.entry(key).size
        except ObjectError as error:
            raise OSError(5, error.detail) from None
        self._fetch()

    @property
    def head(self) -> bytes:
        """The bytes that come next, as far as they are here."""
        return bytes(self._piece[:_HEAD])

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end. Raises OSError where storage fails."""
        if not self._piece:
            self._fetch()
        count = min(len(buffer), len(self._piece))
        buffer[:count] = self._piece[:count]
        self._piece = self._piece[count:]
        return count

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def _fetch(self) -> None:
        wanted = min(_PIECE, self._size - self._at)
        if wanted <= 0:
            return
        try:
            content = self._store.read(self._key, self._at, wanted)
        except ObjectError as error:
            raise OSError(5, error.detail) from None
        if not content:
            raise OSError(5, "ended before its size")
        self._at += len(content)
        self._piece = memoryview(content)


def open_target(spec: Spec) -> ObjectsTarget:
    """Return what an address names. Raises `TargetError` for one that cannot be listed or holds nothing to judge."""
    from runtriage.targets.objects_cloud import cloud_store

    found = location(f"{spec.scheme}://{spec.rest}")
    if found is None:
        raise TargetError(f"{spec.text}: no address of object storage", USAGE)
    return objects_target(cloud_store(found.scheme, found.bucket), found.key, found.uri)


def objects_target(store: ObjectStore, key: str, label: str) -> ObjectsTarget:
    """Return a prefix or an object as a target, after one look that proves it can be read. Raises `TargetError`."""
    target = ObjectsTarget(store, key, label)
    try:
        if next(iter(store.entries(key)), None) is None:
            store.entry(key)
    except ObjectError as error:
        if error.kind == "absent":
            raise TargetError(f"{label}: no object and no prefix of this name", NOT_FOUND) from None
        raise as_target_error(error, label) from None
    return target
