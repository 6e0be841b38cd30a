"""Reading of object storage: keys, sizes and bytes. No verb here changes anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final, Literal, Protocol

from msgspec import Struct

from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, USAGE, TargetError

Kind = Literal["absent", "denied", "no-bucket", "unreachable", "failed"]
SCHEMES: Final = ("s3", "gs", "az")


class ObjectError(Exception):
    """What storage answered instead. Only `absent` says that there is no such object; a missing bucket does not."""

    def __init__(self, kind: Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind: Kind = kind
        self.detail = detail


class Entry(Struct, frozen=True):
    """One object: key, size in bytes, and when it was last written, in seconds since the epoch."""

    key: str
    size: int
    mtime: float | None = None


class ObjectStore(Protocol):
    """One bucket, or a folder that holds the same keys. Every method raises `ObjectError`."""

    @property
    def address(self) -> str:
        """The address keys are appended to, with a final slash."""
        ...

    def read(self, key: str, start: int, length: int) -> bytes:
        """Return at most `length` bytes of an object from an offset."""
        ...

    def entry(self, key: str) -> Entry:
        """Return size and time of one object."""
        ...

    def entries(self, prefix: str) -> Iterator[Entry]:
        """Yield every object under a prefix, in no particular order."""
        ...

    def folders(self, prefix: str) -> tuple[list[str], list[Entry]]:
        """Return the prefixes and the objects directly under a prefix."""
        ...


class Location(Struct, frozen=True):
    """A parsed address: `scheme` is `file` for a folder on this machine, whose path is then the `bucket`."""

    scheme: str
    bucket: str
    key: str

    @property
    def uri(self) -> str:
        """The address in one spelling, without a final slash."""
        if self.scheme == "file":
            return str(Path(self.bucket) / self.key) if self.key else self.bucket
        return f"{self.scheme}://{self.bucket}/{self.key}".rstrip("/")


def location(text: str) -> Location | None:
    """Return what an `s3://`, `gs://` or `az://` address names, or None for anything else. Raises `TargetError` for a bad one."""
    scheme, separator, rest = text.partition("://")
    if not separator:
        scheme, separator, rest = text.partition(":")
    if not separator or scheme.lower() not in SCHEMES:
        return None
    bucket, _, key = rest.partition("/")
    if any(mark in rest for mark in "?#") or "@" in bucket:
        raise TargetError(
            f"{scheme}://{bucket}: an address is bucket and key only, without query, fragment or user", USAGE
        )
    parts = [part for part in key.split("/") if part]
    if not bucket or {".", ".."} & {bucket, *parts}:
        raise TargetError(f"{text}: name a bucket and a prefix, such as {scheme}://bucket/runs/run-17", USAGE)
    return Location(scheme.lower(), bucket, "/".join(parts))


class FolderStore:
    """A folder on this machine in the place of a bucket."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def address(self) -> str:
        """The folder itself."""
        return f"{self._root}/"

    def read(self, key: str, start: int, length: int) -> bytes:
        """Return at most `length` bytes of a file from an offset."""
        try:
            with self._path(key).open("rb") as file:
                file.seek(start)
                return file.read(length)
        except OSError as error:
            raise _os_error(error) from None

    def entry(self, key: str) -> Entry:
        """Return size and time of one file."""
        try:
            path = self._path(key)
            found = path.stat()
        except OSError as error:
            raise _os_error(error) from None
        if not path.is_file():
            raise ObjectError("absent", "no such file")
        return Entry(key, found.st_size, found.st_mtime)

    def entries(self, prefix: str) -> Iterator[Entry]:
        """Yield every file under a folder."""
        waiting = [prefix]
        while waiting:
            folders, files = self.folders(waiting.pop())
            yield from files
            waiting.extend(reversed(folders))

    def folders(self, prefix: str) -> tuple[list[str], list[Entry]]:
        """Return the folders and files directly in a folder; links are not followed out of it."""
        prefix = prefix.rstrip("/")
        folders: list[str] = []
        files: list[Entry] = []
        try:
            for child in sorted(self._path(prefix).iterdir()):
                key = f"{prefix}/{child.name}".lstrip("/")
                if child.is_symlink():
                    continue
                if child.is_dir():
                    folders.append(key)
                elif child.is_file():
                    found = child.stat()
                    files.append(Entry(key, found.st_size, found.st_mtime))
        except (FileNotFoundError, NotADirectoryError):
            return [], []
        except OSError as error:
            raise _os_error(error) from None
        return folders, files

    def _path(self, key: str) -> Path:
        if ".." in PurePosixPath(key).parts:
            raise ObjectError("failed", "the key leads out of the folder")
        path = self._root / key.strip("/")
        if path.is_symlink():
            raise ObjectError("denied", "a link is not followed")
        return path


def read_whole(store: ObjectStore, key: str, limit: int) -> bytes:
    """Return a whole object. Raises `ObjectError`, also for one that is longer than `limit`."""
    content = store.read(key, 0, limit + 1)
    if len(content) > limit:
        raise ObjectError("failed", f"longer than {limit >> 20} MiB")
    return content


def as_target_error(error: ObjectError, where: str) -> TargetError:
    """Return the one line for the user who named a place that storage does not show."""
    if error.kind == "denied":
        return TargetError(f"{where}: access denied ({error.detail}); this does not say whether it exists", NO_ACCESS)
    if error.kind == "unreachable":
        return TargetError(f"{where}: storage cannot be reached ({error.detail})", NO_ACCESS)
    if error.kind == "no-bucket":
        return TargetError(f"{where}: there is no such bucket at this endpoint", NOT_FOUND)
    return TargetError(f"{where}: {error.detail}", NOT_FOUND)


def _os_error(error: OSError) -> ObjectError:
    if isinstance(error, FileNotFoundError | NotADirectoryError | IsADirectoryError):
        return ObjectError("absent", "no such file")
    if isinstance(error, PermissionError):
        return ObjectError("denied", "permission denied")
    return ObjectError("failed", (error.strerror or type(error).__name__).lower())
