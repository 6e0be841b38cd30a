"""Flight-recorder dumps of any size, made in the layout that PyTorch documents, and a writer of its kind of pickle."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

Record = tuple[str, int, str, str, list[int]]
"""Group, sequence number, operation, state, sizes."""


def dump(
    groups: Mapping[str, Sequence[int]], records: Sequence[Record], descs: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The dump of one rank: `groups` are those it belongs to, `records` what its ring holds, oldest first."""
    ids = {name: number for number, name in enumerate(groups)}
    entries = [
        {
            "frames": [{"name": "forward", "filename": "/job/train.py", "line": 40 + seq % 7}],
            "record_id": number,
            "pg_id": ids[group],
            "process_group": (group, (descs or {}).get(group, "undefined")),
            "collective_seq_id": seq,
            "p2p_seq_id": 0,
            "op_id": seq,
            "profiling_name": f"nccl:{operation}",
            "time_created_ns": 1_700_000_000_000_000_000 + number,
            "input_sizes": (sizes,),
            "input_dtypes": ["Float"],
            "output_sizes": (sizes,),
            "output_dtypes": ["Float"],
            "state": state,
            "time_discovered_started_ns": None,
            "time_discovered_completed_ns": None,
            "retired": state == "completed",
            "timeout_ms": 600_000,
            "is_p2p": False,
        }
        for number, (group, seq, operation, state, sizes) in enumerate(records)
    ]
    status = {
        str(ids[group]): {
            "last_enqueued_collective": max([seq for name, seq, *_ in records if name == group], default=-1),
            "last_started_collective": -1,
            "last_completed_collective": max(
                [seq for name, seq, _, state, _ in records if name == group and state == "completed"], default=-1
            ),
        }
        for group in groups
    }
    config = {
        name: {"name": name, "desc": (descs or {}).get(name, "undefined"), "ranks": json.dumps(list(ranks))}
        for name, ranks in groups.items()
    }
    return {"version": "2.10", "pg_config": config, "pg_status": status, "entries": entries}


def pickled(value: object) -> bytes:
    """Protocol 2 as PyTorch's own writer puts it: every text is remembered and recalled."""
    out, memo = bytearray(b"\x80\x02"), dict[str, int]()
    _write(value, out, memo)
    return bytes(out + b".")


def _write(value: object, out: bytearray, memo: dict[str, int]) -> None:
    if value is None:
        out += b"N"
    elif isinstance(value, bool):
        out += b"\x88" if value else b"\x89"
    elif isinstance(value, int):
        _number(value, out)
    elif isinstance(value, str):
        _text(value, out, memo)
    elif isinstance(value, dict):
        out += b"}("
        for key, item in value.items():
            _write(key, out, memo)
            _write(item, out, memo)
        out += b"u"
    elif isinstance(value, list | tuple):
        out += b"]("
        for item in value:
            _write(item, out, memo)
        out += b"e"


def _number(value: int, out: bytearray) -> None:
    if 0 <= value < 256:
        out += bytes([0x4B, value])
    elif -(1 << 31) <= value < 1 << 31:
        out += b"J" + struct.pack("<i", value)
    else:
        content = value.to_bytes(9, "little", signed=True)
        out += bytes([0x8A, len(content)]) + content


def _text(value: str, out: bytearray, memo: dict[str, int]) -> None:
    if value in memo:
        out += b"h" + bytes([memo[value]]) if memo[value] < 256 else b"j" + struct.pack("<I", memo[value])
        return
    content = value.encode()
    out += b"X" + struct.pack("<I", len(content)) + content
    memo[value] = len(memo)
    out += b"q" + bytes([memo[value]]) if memo[value] < 256 else b"r" + struct.pack("<I", memo[value])
