"""Looks for weights that are no numbers, straight in the bytes of safetensors and torch files, with bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from runtriage.model.target import Seekable
from runtriage.parse.checkpoint_pickle import tell
from runtriage.parse.checkpoint_piece import read_at
from runtriage.parse.checkpoint_zip import data_offset, entries

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHUNK: Final = 8 << 20
_PICKLE: Final = 64 << 20
_HEADER: Final = 16 << 20
_WIDTHS: Final = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2}
_EXPONENTS: Final = {"F64": 0x7FF0000000000000, "F32": 0x7F800000, "F16": 0x7C00, "BF16": 0x7F80}
"""Bits of the exponent: all set in infinities and NaN of IEEE 754 and of bfloat16, never in a number."""
_STORAGES: Final = {"DoubleStorage": "F64", "FloatStorage": "F32", "HalfStorage": "F16", "BFloat16Storage": "BF16"}


class Tensor(NamedTuple):
    """A run of weights in a file: `kind` as safetensors names it, `offset` and `size` in bytes."""

    name: str
    kind: str
    offset: int
    size: int


class Weights(NamedTuple):
    """What was looked at: tensors, numbers, and the tensors that hold numbers that are not finite with how many."""

    tensors: int
    numbers: int
    spoilt: tuple[tuple[str, int], ...]


def look_deep(stream: Seekable, form: str, size: int) -> Weights | None:
    """Return what the weights are, or None for a format whose tensors cannot be found without loading it.

    Raises ImportError without numpy, OSError where reading fails.
    """
    if form not in {"safetensors", "torch"}:
        return None
    found = _of_safetensors(stream) if form == "safetensors" else _of_torch(stream, size)
    spoilt: list[tuple[str, int]] = []
    tensors = numbers = 0
    for tensor in found:
        tensors += 1
        numbers += tensor.size // _WIDTHS[tensor.kind]
        count = sum(_bad(chunk, tensor.kind) for chunk in _chunks(stream, tensor))
        if count:
            spoilt.append((tensor.name, count))
    return Weights(tensors, numbers, tuple(spoilt))


def _of_safetensors(stream: Seekable) -> Iterator[Tensor]:
    length = int.from_bytes(read_at(stream, 0, 8), "little")
    if length > _HEADER:
        return
    try:
        header = cast("object", json.loads(read_at(stream, 8, length)))
    except (ValueError, RecursionError):
        return
    if not isinstance(header, dict):
        return
    for name, value in cast("dict[str, object]", header).items():
        match value:
            case {"dtype": str(kind), "data_offsets": [int(start), int(end)]} if kind in _WIDTHS and end >= start >= 0:
                yield Tensor(name, kind, 8 + length + start, end - start)
            case _:
                pass


def _of_torch(stream: Seekable, size: int) -> Iterator[Tensor]:
    members = {entry.name: entry for entry in entries(stream, size) if entry.method == 0}
    pickled = next((entry for name, entry in members.items() if name.endswith("/data.pkl")), None)
    at = data_offset(stream, pickled) if pickled else None
    if pickled is None or at is None or pickled.size > _PICKLE:
        return
    folder = pickled.name.removesuffix("data.pkl")
    for key, (kind, _) in tell(read_at(stream, at, pickled.size)).storages.items():
        entry = members.get(f"{folder}data/{key}")
        start = data_offset(stream, entry) if entry else None
        if entry and start is not None and kind in _STORAGES:
            yield Tensor(f"data/{key}", _STORAGES[kind], start, entry.size)


def _chunks(stream: Seekable, tensor: Tensor) -> Iterator[bytes]:
    done = 0
    while done < tensor.size:
        chunk = read_at(stream, tensor.offset + done, min(_CHUNK, tensor.size - done))
        if not chunk:
            return
        done += len(chunk)
        yield chunk


def _bad(chunk: bytes, kind: str) -> int:
    import numpy as np

    width = _WIDTHS[kind]
    bits: NDArray[np.unsignedinteger] = np.frombuffer(chunk[: len(chunk) // width * width], dtype=f"<u{width}")
    mask = bits.dtype.type(_EXPONENTS[kind])
    return int(np.count_nonzero((bits & mask) == mask))
