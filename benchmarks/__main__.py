"""`python -m benchmarks`: speed and memory of whole processes against public tools on the same files, in one run.

Every case is run in turn with its rival, so that a machine whose speed drifts slows both; medians are printed.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import inputs

_MB = 1_000_000
_NAMED = re.compile(r"\(\?P<\w+>")
"""ripgrep joins all patterns into one, in which a group name may stand only once."""


@dataclass(frozen=True, slots=True)
class Run:
    """One finished process: seconds on the clock, seconds of CPU with its children, peak memory in MB."""

    wall: float
    cpu: float
    memory: float


@dataclass(frozen=True, slots=True)
class Case:
    """A measured command and, where there is one, its rival on the same file."""

    name: str
    command: Sequence[str]
    rival: Sequence[str] | None = None
    rival_name: str = ""


def run(command: Sequence[str]) -> Run:
    """Run a command to its end, its output thrown away; its files are new to it, whatever an earlier run remembers of them."""
    for word in command[1:]:
        if Path(word).is_file():
            os.utime(word)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    child = subprocess.Popen(list(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall, cpu, usage.ru_maxrss / 1000)


def environment() -> dict[str, str]:
    """Return the variables of a measured process.

    What is measured stays out of the user's history, and its modules are compiled once, as those of an installed program are: without
    that, each run would compile all of them anew.
    """
    return {**os.environ, "RUNTRIAGE_HISTORY": "off", "PYTHONDONTWRITEBYTECODE": ""}


def median(runs: Sequence[Run]) -> Run:
    """Return the median of each figure."""
    return Run(*(statistics.median(getattr(one, part) for one in runs) for part in ("wall", "cpu", "memory")))


def cases(folder: Path, size: int) -> list[Case]:
    """Return the cases, their inputs written on first use."""
    own = [sys.executable, "-m", "runtriage", "diagnose", "--exit-zero"]
    mixed = inputs.write(folder / f"mixed-{size}.log", inputs.mixed(size * _MB))
    cascade = inputs.write(folder / "cascade-200.log", inputs.cascade(200 * _MB))
    small = inputs.write(folder / "small-100kB.log", inputs.mixed(100_000))
    found = [
        Case("start-up: runtriage --version", [sys.executable, "-m", "runtriage", "--version"]),
        Case("100 kB log", [*own, str(small)]),
        Case("200 MB, half cascade frames of 64 ranks", [*own, str(cascade)]),
    ]
    rg = shutil.which("rg") or str(Path(sys.executable).with_name("rg"))
    if Path(rg).exists():
        listed = patterns(folder / "patterns.txt")
        grep = [rg, "--no-unicode", "-a", "-c", "-f", str(listed), str(mixed)]
        found.append(Case(f"{size} MB mixed, signatures and loss series", [*own, str(mixed)], grep, "ripgrep"))
    else:
        print("ripgrep is not installed: its comparison is left out", file=sys.stderr)
        found.append(Case(f"{size} MB mixed, signatures and loss series", [*own, str(mixed)]))
    found.append(Case(f"{size} MB mixed, against reading it", [*own, str(mixed)], ["wc", "-l", str(mixed)], "wc -l"))
    return found


def patterns(path: Path) -> Path:
    """Write every signature's patterns as ripgrep takes them."""
    from runtriage.signatures import load

    lines = [
        _NAMED.sub("(?:", f"(?i:{pattern.regex})" if pattern.ignore_case else pattern.regex)
        for signature in load().signatures.values()
        for pattern in signature.patterns
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--size", type=int, default=1000, metavar="MB", help="size of the mixed log (default 1000)")
    parser.add_argument(
        "--runs", type=int, default=3, help="counted runs of each command, after one warm-up (default 3)"
    )
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="where inputs are kept")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    print(f"{'case':<46}{'wall s':>9}{'cpu s':>9}{'MB':>8}   rival")
    for case in cases(chosen.folder, chosen.size):
        print(row(case, chosen.runs), flush=True)


def row(case: Case, count: int) -> str:
    """Measure one case, alternating with its rival, and return its line of the table."""
    run(case.command)
    mine: list[Run] = []
    theirs: list[Run] = []
    for _ in range(count):
        mine.append(run(case.command))
        if case.rival is not None:
            theirs.append(run(case.rival))
    own = median(mine)
    line = f"{case.name:<46}{own.wall:>9.2f}{own.cpu:>9.2f}{own.memory:>8.0f}"
    if not theirs:
        return line
    other = median(theirs)
    ratio = statistics.median(a.wall / b.wall for a, b in zip(mine, theirs, strict=True))
    return f"{line}   {case.rival_name}: {other.wall:.2f} s; ratio {ratio:.2f}"


if __name__ == "__main__":
    main()
