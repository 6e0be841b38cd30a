"""`python -m benchmarks.points`: millions of metric points in each kind of file, and how memory grows with them.

A tenth of the points is measured beside all of them: memory that is flat is about the same for both.
"""

from __future__ import annotations

import argparse
import json
import random
import struct
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks import inputs
from benchmarks.__main__ import Case, median, run

EACH: Final = 5
"""Numbers a row holds beside its step."""
_TAGS: Final = ("loss", "grad_norm", "lr", "memory", "tokens_per_second")


def _rows(points: int) -> Iterator[tuple[int, tuple[float, ...]]]:
    rng = random.Random(points)
    for step in range(points // EACH):
        loss = 2.0 + 6.0 / (1 + step / 40_000) + rng.random() * 0.3
        yield step, (loss, rng.random() * 3, 3e-4, 60 + rng.random(), 7000 + rng.random() * 400)


def log(points: int) -> Iterator[str]:
    """Write a row as `step: 1 loss: 2.0 ...`."""
    for step, row in _rows(points):
        yield (
            f"step: {step} " + " ".join(f"{name}: {value:.6g}" for name, value in zip(_TAGS, row, strict=True)) + "\n"
        )


def jsonl(points: int) -> Iterator[str]:
    """Write a row as one JSON object."""
    for step, row in _rows(points):
        yield json.dumps({"step": step, **dict(zip(_TAGS, row, strict=True))}) + "\n"


def table(points: int) -> Iterator[str]:
    """Write a row as one line of a CSV table."""
    yield ",".join(("step", *_TAGS)) + "\n"
    for step, row in _rows(points):
        yield f"{step}," + ",".join(f"{value:.6g}" for value in row) + "\n"


def events(points: int) -> Iterator[str]:
    """Write a row as one TensorBoard record with five scalars, its bytes as Latin-1 text; only lengths have their checksum."""
    yield _record(b"\x09" + struct.pack("<d", 1.7e9) + _field(3, b"brain.Event:2"))
    for step, row in _rows(points):
        body = b"".join(
            _field(1, _field(1, tag.encode()) + b"\x15" + struct.pack("<f", value))
            for tag, value in zip(_TAGS, row, strict=True)
        )
        yield _record(b"\x09" + struct.pack("<d", 1.7e9 + step) + b"\x10" + _varint(step) + _field(5, body))


def _record(event: bytes) -> str:
    return (_length(len(event)) + event + bytes(4)).decode("latin-1")


@cache
def _length(size: int) -> bytes:
    """Return a record's length with its CRC-32C, rotated and shifted as the format stores it."""
    packed = struct.pack("<Q", size)
    crc = 0xFFFFFFFF
    for byte in packed:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return packed + struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


FORMS: Final[dict[str, tuple[str, Callable[[int], Iterator[str]], str]]] = {
    "log": ("train.log", log, "utf-8"),
    "JSON lines": ("metrics.jsonl", jsonl, "utf-8"),
    "CSV": ("metrics.csv", table, "utf-8"),
    "TensorBoard": ("events.out.tfevents.1", events, "latin-1"),
}
"""Every form: the file's name, what writes it, and how its text becomes bytes."""


def cases(folder: Path, points: int) -> list[Case]:
    """Return one case a form, the file written on first use."""
    own = [sys.executable, "-m", "runtriage", "diagnose", "--exit-zero"]
    found: list[Case] = []
    for form, (name, rows, encoding) in FORMS.items():
        path = folder / f"points-{points}" / form.lower().replace(" ", "-") / name
        inputs.write(path, rows(points), encoding)
        found.append(Case(f"{points:,} points, {form}", [*own, str(path.parent)]))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.points", description=__doc__)
    parser.add_argument("--points", type=int, default=5_000_000, help="points in the large files (default 5,000,000)")
    parser.add_argument("--runs", type=int, default=1, help="counted runs of each command (default 1)")
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="where inputs are kept")
    chosen = parser.parse_args()
    print(f"{'case':<34}{'wall s':>9}{'cpu s':>9}{'MB':>8}")
    for points in (chosen.points // 10, chosen.points):
        for case in cases(chosen.folder, points):
            own = median([run(case.command) for _ in range(chosen.runs)])
            print(f"{case.name:<34}{own.wall:>9.2f}{own.cpu:>9.2f}{own.memory:>8.0f}", flush=True)


if __name__ == "__main__":
    main()
