"""PyTorch's flight-recorder dumps, one file a rank, as pickle or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, cast

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.recorder_dump import Group, from_json, groups, ranges
from runtriage.parse.recorder_pickle import CutError, RefusedError, load
from runtriage.parse.tables import state

_LIMIT: Final = 128 << 20
_OWN: Final = "nccl_trace_rank_"
"""What PyTorch itself calls its dumps, unless it is told otherwise."""
_FORMAT: Final = 2
"""Newest major version of the format that is documented."""
_JSON: Final = deferred(rb'"(?:entries|pg_config|pg_status)"\s*:')
_RANK: Final = deferred(r"(?<!\d)(\d{1,6})(?:\.(?:json|pkl|pickle|bin))?(?:\.gz|\.zst)?\Z")
_PICKLED: Final = b"\x80"
_CALLS: Final = 1_200
"""Characters of the descriptions of calls that are told of a group."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a dump."""
    named = artifact.kind == "recorder"
    if head[:1] == _PICKLED:
        return named or (b"pg_config" in head and b"last_enqueued_collective" in head)
    if not head:
        return named and _OWN in artifact.path
    start = head.lstrip()[:1]
    return start == b"{" and bool(_JSON.search(head[:4096])) and (named or b"collective_seq_id" in head)


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each process group this rank took part in."""
    content, cut = read_all(stream, _LIMIT)
    if not content:
        return Parsed(left_out="an empty file, no dump was written", bytes_read=0)
    dump, problem = _dump(content)
    if dump is None:
        return Parsed(left_out=problem, bytes_read=len(content))
    found = groups(dump)
    if not found:
        why = problem or _newer(dump) or "it holds no collective"
        return Parsed(left_out=f"a flight-recorder dump: {why}", bytes_read=len(content))
    where = Citation(
        artifact=artifact.path,
        byte_start=0,
        byte_end=len(content),
        sha256=sha256(content).hexdigest(),
        pointer="/entries",
    )
    rank = artifact.rank if artifact.rank is not None else _rank(artifact.path, dump)
    events = [_state(group, where, Subject(rank=rank, node=artifact.node), whole=problem is None) for group in found]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 128 MiB" if cut else problem or _newer(dump))


def _newer(dump: Mapping[str, Any]) -> str | None:
    """Say that a dump is of a format that nobody here has seen: what is known in it was read."""
    version = str(dump.get("version", ""))[:20]
    major = version.partition(".")[0]
    return f"its format {version} is newer than this reader" if major.isdecimal() and int(major) > _FORMAT else None


def _dump(content: bytes) -> tuple[Mapping[str, Any] | None, str | None]:
    """Return the dump, and what is wrong with it."""
    if content[:1] != _PICKLED:
        dump = from_json(content)
        return dump, None if dump is not None else "a flight-recorder dump that ends in the middle"
    try:
        value = load(content)
    except RefusedError as error:
        return None, f"a pickle that {error}; it was not opened"
    except CutError as error:
        return _salvaged(error.whole), "it ends in the middle"
    if isinstance(value, dict):
        return cast("Mapping[str, Any]", value), None
    return None, "a pickle without a flight recorder's entries"


def _salvaged(whole: list[dict[str, Any]]) -> Mapping[str, Any]:
    """Put together what was complete in a dump that was cut while it was written."""
    found: dict[str, Any] = {"entries": [one for one in whole if "collective_seq_id" in one]}
    found["pg_config"] = {str(one.get("name")): one for one in whole if "ranks" in one and "desc" in one}
    return found


def _rank(path: str, dump: Mapping[str, Any]) -> int | None:
    told = dump.get("rank")
    if isinstance(told, int) and not isinstance(told, bool) and told >= 0:
        return told
    named = _RANK.search(path.rpartition("/")[2])
    return int(named[1]) if named else None


def _state(group: Group, where: Citation, subject: Subject, *, whole: bool) -> RawEvent:
    numbers = {
        "enqueued": float(group.enqueued),
        "completed": float(group.completed),
        "started": float(group.started),
        "oldest": float(group.oldest),
        "order": float(group.order),
        **{f"call/{seq}": float(code) for seq, code in group.calls.items()},
        **{f"wait/{key}": float(seq) for key, seq in group.waits.items()},
    }
    return state(
        "recorder/group",
        where,
        subject,
        numbers=dict(numbers),
        message=f"{group.desc or group.name}: {group.enqueued} enqueued, {group.completed} completed",
        group=group.name or "0",
        desc=group.desc,
        ranks=ranges(group.ranks),
        calls="\n".join(_described(group)),
        frames=group.frames,
        cut="" if whole else "yes",
    )


def _described(group: Group) -> Iterator[str]:
    """Yield the descriptions of the newest calls, as far as there is room."""
    room, told = _CALLS, set[int]()
    for seq in sorted(group.calls, reverse=True):
        code = group.calls[seq]
        line = f"{code} {group.words[code]}"
        if code not in told and len(line) < room:
            told.add(code)
            room -= len(line) + 1
            yield line


PARSERS = (Parser(id="recorder", claims=claims, read=read),)
