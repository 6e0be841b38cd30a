"""`python -m benchmarks.fleet`: a fleet of small runs against a bare loop that diagnoses the same runs, and how its memory grows.

Both use one process for the diagnoses, so that what is left between them is the fleet's own: handing out, rows, summary, results.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.__main__ import Run, run

_BAR: Final = 1.15


def log(number: int) -> str:
    """Return a small run: two of three complete, the third fails in one of a few ways."""
    steps = "".join(f"step {step}/60 loss={3 - step / 50:.4f} lr=0.001\n" for step in range(1, 41))
    if number % 3:
        return (
            steps
            + "".join(f"step {step}/60 loss=2.1{step} lr=0.001\n" for step in range(41, 61))
            + "Training completed.\n"
        )
    last = (
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB",
        f"ValueError: the widget in row {number} has no colour",
        "FileNotFoundError: [Errno 2] No such file or directory: '/data/shard-7.bin'",
    )[number // 3 % 3]
    return f'{steps}Traceback (most recent call last):\n  File "/home/ml/train.py", line 12, in <module>\n    main()\n{last}\n'


def write(folder: Path, count: int) -> Path:
    """Write the runs unless an earlier start did."""
    if not folder.exists():
        part = folder.with_suffix(".part")
        part.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            (part / f"run-{number:06}.log").write_text(log(number), encoding="utf-8")
        part.rename(folder)
    return folder


def fleet(place: Path) -> Run:
    """Measure the fleet, its results written."""
    with tempfile.TemporaryDirectory() as out:
        return run(
            [
                sys.executable,
                "-m",
                "runtriage",
                "fleet",
                str(place),
                "--workers",
                "1",
                "--no-history",
                "--exit-zero",
                "--out",
                out,
            ]
        )


def main() -> None:
    """Print the ratio and the memory."""
    parser = argparse.ArgumentParser(prog="benchmarks.fleet", description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000, metavar="N", help="runs of the fleet (default 10000)")
    parser.add_argument("--times", type=int, default=3, help="how often each is measured, in turn (default 3)")
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="where inputs are kept")
    chosen = parser.parse_args()
    place = write(chosen.folder / f"fleet-{chosen.runs}", chosen.runs)
    few = write(chosen.folder / f"fleet-{chosen.runs // 10}", chosen.runs // 10)
    small = fleet(few)
    pairs = [(fleet(place), run([sys.executable, "-m", "benchmarks.bare", str(place)])) for _ in range(chosen.times)]
    ratio = statistics.median(one.cpu / other.cpu for one, other in pairs)
    memory = statistics.median(one.memory for one, _ in pairs)
    cpu, bare = (statistics.median(pair[side].cpu for pair in pairs) for side in (0, 1))
    print(f"{chosen.runs:,} runs: fleet {cpu:.1f} CPU-s, bare loop {bare:.1f} CPU-s; ratio {ratio:.3f} (bar {_BAR})")
    print(
        f"memory of a process: {small.memory:.0f} MB with {chosen.runs // 10:,} runs, {memory:.0f} MB with {chosen.runs:,}"
    )


if __name__ == "__main__":
    main()
