"""`python -m benchmarks.folder`: one run of many ranks, each with a small log of its own, read with few open files at a time."""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.__main__ import environment, run
from benchmarks.memory import peak

_STEPS: Final = 40
_DESCRIPTORS: Final = 64


def log(rank: int, culprit: int) -> str:
    """Return what one rank printed: its steps, then its own failure, or how it waited for the one that failed."""
    front = f"[rank{rank}]"
    lines = [
        f"2026-05-14 02:03:{step:02d} {front} INFO step {step} loss {3 - step / 100:.4f}" for step in range(_STEPS)
    ]
    if rank == culprit:
        lines += [
            "Traceback (most recent call last):",
            '  File "/workspace/pretrain/train.py", line 418, in <module>',
            "    main()",
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB.",
        ]
    else:
        lines.append(
            f"2026-05-14 02:13:40 {front} [E ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation timeout: "
            "WorkNCCL(SeqNum=40, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600012 milliseconds "
            "before timing out."
        )
    return "\n".join(lines) + "\n"


def write(folder: Path, ranks: int) -> Path:
    """Write the files unless an earlier run did."""
    if not folder.exists():
        part = folder.with_suffix(".part")
        part.mkdir(parents=True, exist_ok=True)
        for rank in range(ranks):
            (part / f"rank{rank}.log").write_text(log(rank, ranks * 2 // 3), encoding="utf-8")
        part.rename(folder)
    return folder


def look(command: Sequence[str], count: int) -> str:
    """Return what one look takes, the median of so many."""
    measured = [run(command) for _ in range(count)]
    wall, cpu = (statistics.median(getattr(one, part) for one in measured) for part in ("wall", "cpu"))
    return f"{wall:.1f} s, {cpu:.1f} CPU-s"


def main() -> None:
    """Print what a first look takes, at which nothing is remembered, and what a second one."""
    parser = argparse.ArgumentParser(prog="benchmarks.folder", description=__doc__)
    parser.add_argument("--ranks", type=int, default=4096, help="files of the run (default 4096)")
    parser.add_argument("--runs", type=int, default=3, help="counted looks of each kind (default 3)")
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="where inputs are kept")
    chosen = parser.parse_args()
    place = write(chosen.folder / f"small-ranks-{chosen.ranks}", chosen.ranks)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_DESCRIPTORS, hard))
    command = [sys.executable, "-m", "runtriage", "diagnose", "--exit-zero", "--no-history", str(place)]
    first = [*command, "--no-cache"]
    memory = peak(first, environment())
    print(
        f"{chosen.ranks:,} files, at most {_DESCRIPTORS} open in a process: {memory.total:.0f} MB in all processes together"
    )
    print(f"first look:  {look(first, chosen.runs)}", flush=True)
    run(command)
    print(f"second look: {look(command, chosen.runs)}")


if __name__ == "__main__":
    main()
