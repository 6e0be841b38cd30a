"""Buckets of S3, Google Cloud Storage and Azure through obstore."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any, Final

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NO_ACCESS, USAGE, TargetError
from runtriage.targets.objects import Entry, Kind, ObjectError
from runtriage.targets.s3_credentials import s3_settings

_PAGE: Final = 1000
_STATUS: Final = deferred(r"non-2xx status code: (\d{3})")
_CODE: Final = deferred(r"<Code>([\w.]{1,60})</Code>")
_TOOK: Final = deferred(r" in \d+(?:\.\d+)?(?:ns|µs|ms|s)\b")
"""How long a request took, which is never the same twice."""
_METADATA: Final = "http://169.254."
"""Where a machine in a cloud asks for its own credentials, the last place that is looked at."""
NO_KEYS: Final = "no credentials were found in the environment, in profile files or on this machine"
"""Why nothing of a bucket can be read; asking for more of it is of no use."""
_TIMEOUT: Final = timedelta(seconds=30)
_CONNECT: Final = timedelta(seconds=5)
_RETRIES: Final = {
    "max_retries": 2,
    "retry_timeout": timedelta(seconds=20),
    "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=1), "base": 2},
}


def cloud_store(scheme: str, bucket: str, *, endpoint: str | None = None, profile: str | None = None) -> CloudStore:
    """Return a bucket with credentials from the standard places. Raises `TargetError` without the extra or without a way in."""
    try:
        stores: Any = import_module("obstore.store")
    except ImportError:
        raise TargetError(
            f"{scheme}: needs an extra; install it with: pip install 'runtriage[s3]'", NO_ACCESS
        ) from None
    options: dict[str, Any] = {"timeout": _TIMEOUT, "connect_timeout": _CONNECT}
    kind, place, settings = _settings(scheme, endpoint, profile)
    options |= {"allow_http": True} if place.startswith("http://") else {}
    try:
        store = getattr(stores, kind)(bucket, client_options=options, retry_config=_retries(), **settings)
    except Exception as error:  # noqa: BLE001 - obstore raises classes of its own for settings it cannot use
        hint = "; set AZURE_STORAGE_ACCOUNT_NAME" if scheme == "az" else ""
        raise TargetError(f"{scheme}://{bucket}: {_first_line(error)}{hint}", USAGE) from None
    return CloudStore(store, f"{scheme}://{bucket}/")


def _settings(scheme: str, endpoint: str | None, profile: str | None) -> tuple[str, str, dict[str, Any]]:
    """Return the class of the library, the address that was chosen (empty for the vendor's own), and the settings of a bucket."""
    if scheme == "gs":
        emulator = os.environ.get("STORAGE_EMULATOR_HOST", "") if endpoint is None else ""
        named = emulator if "://" in emulator or not emulator else f"http://{emulator}"
        place = (endpoint or named).rstrip("/")
        unsigned = {"skip_signature": True} if emulator else {}
        return "GCSStore", place, {"base_url": place, **unsigned} if place else {}
    if scheme == "az":
        place = endpoint or os.environ.get("AZURE_STORAGE_ENDPOINT") or os.environ.get("AZURE_ENDPOINT") or ""
        return "AzureStore", place, {"endpoint": place} if place else {}
    settings: dict[str, Any] = dict(s3_settings(endpoint, profile))
    return "S3Store", str(settings.get("endpoint", "")), settings


class CloudStore:
    """One bucket."""

    def __init__(self, store: Any, address: str) -> None:
        self._store = store
        self._address = address
        self._seen = False

    @property
    def address(self) -> str:
        """The bucket's address."""
        return self._address

    def read(self, key: str, start: int, length: int) -> bytes:
        """Return at most `length` bytes of an object from an offset."""
        try:
            content = self._plain(key, 0, length) if start == 0 else self._piece(key, start, length)
        except Exception as error:  # noqa: BLE001 - every class of obstore's own becomes one of ours
            raise _as_object_error(error) from None
        self._seen = True
        return content

    def _piece(self, key: str, start: int, length: int) -> bytes:
        left = self.entry(key).size - start
        if left <= 0:
            return b""
        try:
            return bytes(_library().get_range(self._store, key, start=start, length=min(length, left)))
        except _library().exceptions.GenericError as error:
            if "non-partial" not in str(error):
                raise
        return self._plain(key, start, length)

    def _plain(self, key: str, start: int, length: int) -> bytes:
        """Return bytes from a plain read: some servers do not mark the answer to a range as one."""
        found, passed = bytearray(), 0
        for piece in _library().get(self._store, key).stream(min_chunk_size=1 << 20):
            skipped = max(start - passed, 0)
            passed += len(piece)
            found += memoryview(piece)[skipped:]
            if len(found) >= length:
                break
        return bytes(found[:length])

    def entry(self, key: str) -> Entry:
        """Return size and time of one object. That it is absent is only said of a bucket that is proven to exist."""
        try:
            found = _library().head(self._store, key)
        except Exception as error:  # noqa: BLE001 - as above
            problem = _as_object_error(error)
            if problem.kind == "absent" and not self._seen:
                self.folders(key)
            raise problem from None
        self._seen = True
        return Entry(key, int(found["size"]), found["last_modified"].timestamp())

    def entries(self, prefix: str) -> Iterator[Entry]:
        """Yield every object under a prefix, a page at a time."""
        try:
            for page in _library().list(self._store, prefix.rstrip("/") or None, chunk_size=_PAGE):
                self._seen = True
                for found in page:
                    yield Entry(found["path"], int(found["size"]), found["last_modified"].timestamp())
        except Exception as error:  # noqa: BLE001 - as above
            raise _as_object_error(error) from None
        self._seen = True

    def folders(self, prefix: str) -> tuple[list[str], list[Entry]]:
        """Return the prefixes and the objects directly under a prefix."""
        try:
            found = _library().list_with_delimiter(self._store, prefix.rstrip("/") or None)
        except Exception as error:  # noqa: BLE001 - as above
            raise _as_object_error(error) from None
        self._seen = True
        objects = [
            Entry(each["path"], int(each["size"]), each["last_modified"].timestamp()) for each in found["objects"]
        ]
        return list(found["common_prefixes"]), objects


def _library() -> Any:
    """Return the library, whose types need Arrow to be known."""
    return import_module("obstore")


def _retries() -> Any:
    return dict(_RETRIES)


def _as_object_error(error: Exception) -> ObjectError:
    """Return what an exception of the library says, by status and code and never by more of its text."""
    if isinstance(error, ObjectError):
        return error
    text = str(error)
    if _METADATA in text:
        return ObjectError("denied", NO_KEYS)
    status, code = _STATUS.search(text), _CODE.search(text)
    word = code[1] if code else ""
    detail = " ".join(part for part in (f"status {status[1]}" if status else "", word) if part)
    return ObjectError(_kind(error, status[1] if status else "", word), detail or _first_line(error))


def _kind(error: Exception, status: str, code: str) -> Kind:
    name = type(error).__name__
    if code in ("NoSuchBucket", "ContainerNotFound"):
        return "no-bucket"
    if name in ("PermissionDeniedError", "UnauthenticatedError") or status in ("401", "403"):
        return "denied"
    if isinstance(error, FileNotFoundError) or name == "NotFoundError" or code == "NoSuchKey":
        return "absent"
    text = str(error)
    return "unreachable" if status.startswith("5") or "HTTP error" in text or "timed out" in text else "failed"


def _first_line(error: Exception) -> str:
    text = _TOOK.sub("", str(error).partition("Debug source")[0])
    return (
        "the connection failed" if "error sending request" in text else text.partition("\n")[0].strip()[:160]
    ) or type(error).__name__
