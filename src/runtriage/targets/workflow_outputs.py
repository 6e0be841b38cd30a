"""Whether the outputs a run declares are in storage. Presence is proven by size, never by the exit code of what should have written them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from runtriage.model.workflow_evidence import OutputCheck
from runtriage.targets.errors import TargetError
from runtriage.targets.objects import Entry, ObjectError, ObjectStore, location
from runtriage.targets.workflow_place import Opener, RunPlace

_WORKERS: Final = 8
_OUTPUTS: Final = 5000
_KEYS: Final = 100_000
"""Empty keys under one prefix after which looking for one with bytes ends."""


def check_outputs(
    uris: Sequence[str], place: RunPlace, opener: Opener, own: Iterable[str] = ()
) -> dict[str, OutputCheck]:
    """Return what storage holds for each address; `own` are prefixes that mean the run's own folder, wherever it lies now."""
    prefixes = tuple(f"{prefix.rstrip('/')}/" for prefix in own if prefix)
    stores: dict[str, ObjectStore] = {place.store.address: place.store}
    looked = uris[:_OUTPUTS]
    jobs = [_where(uri, place, opener, prefixes, stores) for uri in looked]
    with ThreadPoolExecutor(_WORKERS) as pool:
        found = dict(zip(looked, pool.map(_check, looked, jobs), strict=True))
    rest = {
        uri: OutputCheck(uri=uri, state="indeterminate", detail="too many outputs to look at")
        for uri in uris[_OUTPUTS:]
    }
    return found | rest


def _where(
    uri: str, place: RunPlace, opener: Opener, prefixes: Sequence[str], stores: dict[str, ObjectStore]
) -> tuple[ObjectStore | None, str]:
    """Return the store and the key of an address, or no store and why there is none."""
    if "{{" in uri:
        return None, "the address still holds a placeholder"
    own = next((prefix for prefix in prefixes if uri.startswith(prefix)), None)
    if own is not None:
        return place.store, place.path(uri[len(own) :])
    try:
        found = location(uri)
        if found is None:
            return None, "not an address of object storage"
        address = f"{found.scheme}://{found.bucket}/"
        if address not in stores:
            if place.source == "folder":
                return None, "lies outside the folder that was given"
            stores[address] = opener(found.scheme, found.bucket)
    except TargetError as error:
        return None, str(error)
    return stores[address], found.key + ("/" if uri.endswith("/") else "")


def _check(uri: str, where: tuple[ObjectStore | None, str]) -> OutputCheck:
    store, key = where
    if store is None:
        return OutputCheck(uri=uri, state="indeterminate", detail=key)
    try:
        return _prefix(uri, store, key) if key.endswith("/") else _object(uri, store, key)
    except ObjectError as error:
        if error.kind == "absent":
            return OutputCheck(uri=uri, state="missing")
        return OutputCheck(uri=uri, state="indeterminate", detail=error.detail)


def _object(uri: str, store: ObjectStore, key: str) -> OutputCheck:
    found = store.entry(key)
    return OutputCheck(uri=uri, state="valid" if found.size > 0 else "empty", size=found.size)


def _prefix(uri: str, store: ObjectStore, key: str) -> OutputCheck:
    first: Entry | None = None
    count = 0
    for found in store.entries(key):
        count += 1
        first = first or found
        if found.size > 0:
            return OutputCheck(uri=uri, state="valid", size=found.size, keys=count, first_key_empty=first.size == 0)
        if count >= _KEYS:
            return OutputCheck(uri=uri, state="indeterminate", keys=count, detail="too many empty keys to look through")
    return OutputCheck(uri=uri, state="empty" if count else "missing", size=0 if count else None, keys=count)
