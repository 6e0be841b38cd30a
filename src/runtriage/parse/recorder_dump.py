"""What one rank recorded of its collectives, group by group."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, cast
from zlib import crc32

from msgspec import Struct, field

from runtriage.model.pattern import deferred

_SAME_SIZES: Final = frozenset(
    {"all_reduce", "allreduce", "all_reduce_barrier", "broadcast", "reduce", "_allgather_base", "_reduce_scatter_base"}
)
"""Operations whose tensors must have one size and type on all ranks; others may differ."""
_WINDOW: Final = 64
"""Newest collectives of each group whose calls are told: older ones ran on all ranks or are not to be compared."""
_PAIR: Final = deferred(r"(\d+)\s*(->|<-)\s*(\d+)")
_INTEGERS: Final = deferred(r"\d+")
_MOST: Final = 64

Entry = Mapping[str, Any]


class Group(Struct):
    """One process group as one rank saw it; sequence numbers are 0 where nothing was recorded.

    `calls` maps a sequence number to a fingerprint of what must agree among ranks, `words` a fingerprint to its description.
    """

    name: str
    desc: str
    ranks: tuple[int, ...] = ()
    enqueued: int = 0
    completed: int = 0
    started: int = 0
    oldest: int = 0
    order: int = 0
    calls: dict[int, int] = field(default_factory=dict[int, int])
    words: dict[int, str] = field(default_factory=dict[int, str])
    frames: str = ""
    waits: dict[str, int] = field(default_factory=dict[str, int])


def groups(dump: Mapping[str, Any]) -> list[Group]:
    """Return the groups of a dump in the order of their oldest collective that is not complete."""
    found: dict[str, Group] = {}
    for entry in _entries(dump):
        name, desc = _named(entry)
        group = found.setdefault(name, Group(name, desc))
        if entry.get("is_p2p"):
            _pair(group, entry)
        else:
            _collective(group, entry)
    _statuses(dump, found)
    _members(dump, found)
    return list(found.values())[:_MOST]


def _entries(dump: Mapping[str, Any]) -> Iterator[Entry]:
    entries = dump.get("entries")
    for entry in cast("list[object]", entries) if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            yield cast("Entry", entry)


def _named(entry: Entry) -> tuple[str, str]:
    told = entry.get("process_group")
    if isinstance(told, list | tuple) and len(cast("list[object]", told)) >= 2:
        first, second = cast("list[object]", told)[:2]
        return str(first)[:80], str(second)[:80]
    return str(entry.get("pg_id", ""))[:80], ""


def _done(entry: Entry) -> bool:
    return entry.get("state") == "completed" or entry.get("retired") is True


def _collective(group: Group, entry: Entry) -> None:
    seq = number(entry.get("collective_seq_id"))
    if seq <= 0:
        return
    group.enqueued = max(group.enqueued, seq)
    group.oldest = min(group.oldest or seq, seq)
    if _done(entry):
        group.completed = max(group.completed, seq)
    elif not group.order:
        group.order = number(entry.get("record_id")) + 1
        group.frames = _frames(entry)
    if entry.get("state") in ("started", "completed"):
        group.started = max(group.started, seq)
    words = _words(entry)
    code = crc32(words.encode("utf-8", "replace"))
    group.words.setdefault(code, words)
    group.calls[seq] = code
    group.calls.pop(seq - _WINDOW, None)


def _words(entry: Entry) -> str:
    """Return what must agree among ranks: the operation, and for most of them sizes and types."""
    name = str(entry.get("profiling_name", "?"))[:120].rpartition(":")[2]
    if name not in _SAME_SIZES:
        return name
    sizes, types = entry.get("input_sizes"), entry.get("input_dtypes")
    return f"{name} {_short(sizes)} {_short(types)}"


def _short(value: object) -> str:
    return re.sub(r"[\"' ]", "", str(value))[:80]


def _frames(entry: Entry) -> str:
    frames = entry.get("frames")
    found: list[str] = []
    for frame in cast("list[Entry]", frames) if isinstance(frames, list) else []:
        name, path, line = frame.get("name"), str(frame.get("filename", "")), number(frame.get("line"))
        if name is not None and "/torch/" not in path and not path.startswith("torch/"):
            found.append(f"{name} ({'/'.join(path.split('/')[-3:])}:{line})")
    return " < ".join(found[:4])


def _pair(group: Group, entry: Entry) -> None:
    """Note whom a send or receive that is not complete waits for."""
    pair = _PAIR.search(str(entry.get("profiling_name", "")))
    if pair is not None and not _done(entry):
        key = f"{'send' if pair[2] == '->' else 'recv'}/{pair[3]}"
        group.waits.setdefault(key, number(entry.get("p2p_seq_id")))
        group.order = group.order or number(entry.get("record_id")) + 1


def _statuses(dump: Mapping[str, Any], found: Mapping[str, Group]) -> None:
    """Take in what the dump says of whole groups: it knows of collectives that the ring has forgotten."""
    told = dump.get("pg_status")
    ids = {str(number(entry.get("pg_id"))): _named(entry)[0] for entry in _entries(dump)}
    for key, status in cast("dict[str, Entry]", told).items() if isinstance(told, dict) else ():
        group = found.get(ids.get(str(key), str(key)))
        if group is None:
            continue
        group.enqueued = max(group.enqueued, number(status.get("last_enqueued_collective")))
        group.completed = max(group.completed, number(status.get("last_completed_collective")))
        group.started = max(group.started, number(status.get("last_started_collective")))


def _members(dump: Mapping[str, Any], found: dict[str, Group]) -> None:
    told = dump.get("pg_config")
    for key, config in cast("dict[str, Entry]", told).items() if isinstance(told, dict) else ():
        name = str(config.get("name", key))
        ranks = _ranks(config.get("ranks"))
        group = found.get(name) or (found.get("0") if name == "" else None)
        if group is None:
            group = found.setdefault(name, Group(name, str(config.get("desc", ""))[:80]))
        group.ranks = ranks
        group.desc = group.desc or str(config.get("desc", ""))[:80]


def _ranks(value: object) -> tuple[int, ...]:
    if isinstance(value, list):
        return tuple(sorted(number(item) for item in cast("list[object]", value)))
    return _listed(str(value))


@lru_cache(maxsize=64)
def _listed(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(rank) for rank in _INTEGERS.findall(text)[:1_000_000] if len(rank) < 9))


def number(value: object) -> int:
    """Return an integer that may be written as text; 0 for anything else."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, int):
        return value if abs(value) < 1 << 62 else 0
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value) else 0


@lru_cache(maxsize=64)
def ranges(ranks: tuple[int, ...]) -> str:
    """Return ranks as `0-7,16`; steps of equal width as `0-24/8`."""
    if len(ranks) > 2 and len({later - earlier for earlier, later in pairwise(ranks)}) == 1:
        step = ranks[1] - ranks[0]
        return f"{ranks[0]}-{ranks[-1]}" + ("" if step == 1 else f"/{step}")
    return ",".join(map(str, ranks))


def from_json(content: bytes) -> Mapping[str, Any] | None:
    """Return a dump that was written as JSON, or None."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None
