"""Logs for the cases of one kind of work each; the same size always gives the same bytes."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.inputs import mixed, write

RANKS: Final = 512
_ODD: Final = ("nan", "inf", "-inf", "-0.0317", "1.250e-07", "3.1e+09")


def metrics(size: int) -> Iterator[str]:
    """Yield metric lines alone; one loss of a thousand is no plain number."""
    rng = random.Random(5)
    written = number = 0
    while written < size:
        number += 1
        loss = rng.choice(_ODD) if number % 1000 == 0 else f"{2 + 6 / (1 + number / 40000) + rng.random() * 0.3:.4f}"
        line = (
            f"[rank0]:[trainer] 2026-05-{number // 600000 % 28 + 1:02d} {number // 25200 % 24:02d}:{number // 420 % 60:02d}:"
            f"{number // 7 % 60:02d},{number % 7 * 142:03d} - root - INFO - step: {number}  loss: {loss:>7}  "
            f"grad_norm: {rng.random() * 3:7.4f}  lr: {3e-4 * (1 - number % 90000 / 100000):.3e}  "
            f"memory: {60 + rng.random():.2f}GiB({76 + rng.random():.2f}%)  tps: {7000 + rng.randrange(400):,}  "
            f"mfu: {40 + rng.random() * 3:.2f}%\n"
        )
        written += len(line)
        yield line


def ranks(folder: Path, size: int) -> Path:
    """Write one log for each rank, `size` bytes in all."""
    for rank in range(RANKS):
        write(folder / f"rank_{rank}.log", (line.replace("[rank0]:", "") for line in mixed(size // RANKS)))
    return folder


def zst(path: Path, plain: Path, program: str) -> Path:
    """Pack a log with the program `zstd`."""
    if not path.exists():
        subprocess.run([program, "-q", "-k", "-o", str(path), str(plain)], check=True)
    return path
