"""Whether a safetensors or HDF5 file is as long as its header says."""

from __future__ import annotations

import json
from typing import cast

from runtriage.model.target import Seekable
from runtriage.parse.checkpoint_piece import UNTOLD, WHOLE, Verdict, broken, read_at

HDF5 = b"\x89HDF\r\n\x1a\n"
_LARGEST = 100_000_000
"""The format itself allows no longer header."""
_READ = 16 << 20


def inspect_safetensors(stream: Seekable, size: int) -> Verdict:
    """Compare the length of a safetensors file with the end of its last tensor."""
    length = int.from_bytes(read_at(stream, 0, 8), "little")
    if size < 8 or length > _LARGEST:
        return broken("does not start with a safetensors header")
    if size < 8 + length:
        return broken(f"ends inside its header, {8 + length - size:,} bytes early")
    if length > _READ:
        return UNTOLD
    end = _last_byte(read_at(stream, 8, length))
    if end is None:
        return broken("its safetensors header is damaged")
    lacking = 8 + length + end - size
    if lacking > 0:
        return broken(f"{lacking:,} of {8 + length + end:,} bytes are missing at its end")
    return broken(f"has {-lacking:,} bytes more than its header says") if lacking else WHOLE


def _last_byte(header: bytes) -> int | None:
    try:
        tensors = cast("object", json.loads(header))
    except (ValueError, RecursionError):
        return None
    if not isinstance(tensors, dict):
        return None
    end = 0
    for name, value in cast("dict[str, object]", tensors).items():
        if name == "__metadata__":
            continue
        offsets = cast("dict[str, object]", value).get("data_offsets") if isinstance(value, dict) else None
        last = cast("list[object]", offsets)[-1] if isinstance(offsets, list) and offsets else None
        if not isinstance(last, int):
            return None
        end = max(end, last)
    return end


def inspect_hdf5(stream: Seekable, size: int) -> Verdict:
    """Compare the length of an HDF5 file with the end-of-file address in its superblock (versions 0 to 3)."""
    block = read_at(stream, 0, 64)
    if len(block) < 48:
        return broken("ends inside its HDF5 header")
    version = block[8]
    width = block[13] if version < 2 else block[9]
    first = {0: 24, 1: 28}.get(version, 12)
    if version > 3 or width != 8:
        return UNTOLD
    end = int.from_bytes(block[first + 2 * width : first + 3 * width], "little")
    return broken(f"{end - size:,} of {end:,} bytes are missing at its end") if size < end else WHOLE
