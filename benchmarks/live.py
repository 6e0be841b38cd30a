"""`python -m benchmarks.live`: what `runtriage run` costs a run, and how dumps of 1,024 ranks are judged when every fifth is lost.

CPU seconds are compared, not the clock, so that other work on the machine hardly counts.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.detect.cluster import job, kept
from tests.parse.dumps import pickled

from benchmarks.__main__ import environment

_RANKS = 1024
_LOST = 0.2
_KINDS = ("tp", "dp", "0")
_WORK = """
import sys, time
until, step = time.monotonic() + float(sys.argv[1]), 0
while time.monotonic() < until:
    step += 1
    sum(range(20_000))
    if step % 20 == 0: print(f"step {step}/900000 loss={3 / step:.6f} grad_norm=0.41 lr=3e-4", flush=True)
open(sys.argv[2], "w").write(str(time.process_time()))
"""


def extra(seconds: float, folder: Path) -> float:
    """Return the CPU seconds that a wrapped program of so many seconds costs beyond its own."""
    told = folder / "own"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "runtriage", "run", "--", sys.executable, "-c", _WORK, str(seconds), str(told)]
    variables = environment() | {"RUNTRIAGE_RUNS": str(folder / "runs")}
    subprocess.run(command, stdout=subprocess.DEVNULL, env=variables, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used - float(told.read_text())


def overhead(short: float, long: float) -> None:
    """Print the once-only cost of wrapping, and its share of a CPU while the run goes on."""
    with tempfile.TemporaryDirectory() as name:
        first, second = extra(short, Path(name)), extra(long, Path(name))
    share = max(second - first, 0.0) / (long - short)
    print(
        f"runtriage run: {100 * share:.2f} % of one CPU while the run goes on, {max(first - share * short, 0.0):.2f} s once"
    )


def write(folder: Path, culprit: int, at: str, lost: set[int]) -> None:
    """Write the dumps of one job."""
    for rank, one in kept(job(_RANKS, culprit, at), lost).items():
        (folder / f"nccl_trace_rank_{rank}").write_bytes(pickled(one))


def recorders(trials: int, *, own_lost: bool) -> None:
    """Print how often the culprit comes first, and how long one diagnosis takes at most. A culprit without a dump often cannot be told."""
    import runtriage

    chance, hits, named, clock, cpu = random.Random(_RANKS), 0, 0, 0.0, 0.0
    for trial in range(trials):
        culprit = chance.randrange(_RANKS)
        others = [rank for rank in range(_RANKS) if rank != culprit]
        lost = set(chance.sample(others, int(_LOST * _RANKS) - own_lost)) | ({culprit} if own_lost else set())
        with tempfile.TemporaryDirectory() as name:
            write(Path(name), culprit, _KINDS[trial % len(_KINDS)], lost)
            began, used = time.monotonic(), time.process_time()
            report = runtriage.diagnose(name)
            clock, cpu = max(clock, time.monotonic() - began), max(cpu, time.process_time() - used)
        rank = report.culprit.rank if report.culprit else None
        hits += rank == culprit
        named += rank is not None
    whose = "the culprit's among them" if own_lost else "not the culprit's"
    print(
        f"flight recorder, {_RANKS:,} ranks, {_LOST:.0%} of dumps lost, {whose}: culprit first in {hits} of {trials}, "
        f"another one named in {named - hits}, at most {clock:.1f} s ({cpu:.1f} s of CPU)"
    )


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(prog="benchmarks.live", description=__doc__)
    parser.add_argument("--trials", type=int, default=30, help="jobs of 1,024 ranks (default 30)")
    parser.add_argument("--short", type=float, default=5.0, metavar="SECONDS")
    parser.add_argument("--long", type=float, default=65.0, metavar="SECONDS")
    chosen = parser.parse_args()
    overhead(chosen.short, chosen.long)
    recorders(chosen.trials, own_lost=False)
    recorders(max(chosen.trials // 3, 1), own_lost=True)


if __name__ == "__main__":
    main()
