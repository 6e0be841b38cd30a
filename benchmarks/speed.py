"""`python -m benchmarks.speed`: each kind of work of the log engine against its rival, with the bar it should keep.

Rates count the bytes of the log, unpacked, by the clock. `of read` is the rate as a share of the limit: what one core reads from
memory and does nothing with. A case whose rival is not installed is left out, with the reason.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import inputs, speed_inputs
from benchmarks.__main__ import environment, patterns, run
from benchmarks.memory import peak

_MB = 1_000_000
_WORK = (sys.executable, "-m", "benchmarks.work")


@dataclass(frozen=True, slots=True)
class Case:
    """A command, its rival, and the most it may take of the rival's time; `part` says which time, of the clock or the CPU.

    `missing` says why a case cannot be measured here.
    """

    name: str
    size: int
    command: Sequence[str]
    rival: Sequence[str] = ()
    rival_name: str = ""
    bar: float = 0.0
    part: str = "wall"
    missing: str = ""


def cases(folder: Path, size: int) -> Iterator[Case]:
    """Yield the cases of logs of so many MB, their inputs written on first use."""
    total = size * _MB
    mixed = str(inputs.write(folder / f"mixed-{size}.log", inputs.mixed(total)))
    metric = str(inputs.write(folder / f"metrics-{size}.log", speed_inputs.metrics(total)))
    off, on = (*_WORK, "scan", "--no-metrics"), (*_WORK, "scan")
    rg = _tool("rg")
    grep = (rg, "--no-unicode", "-a", "-c", "-f", str(patterns(folder / "patterns.txt")), mixed) if rg else ()
    absent = "" if rg else "ripgrep is not installed"
    yield Case("mixed, metrics off", total, (*off, mixed), grep, "ripgrep", 0.35, missing=absent)
    yield Case("mixed, metrics off", total, (*off, mixed), ("wc", "-l", mixed), "wc -l", 2.5)
    yield Case("mixed, every metric", total, (*on, mixed), grep, "ripgrep", 0.65, missing=absent)
    findall, template = (*_WORK, "findall", metric), (*_WORK, "template", metric)
    alone = (*on, "--workers", "1", metric)
    yield Case("metric lines, loss by re.findall", total, alone, findall, "re.findall", 1 / 1.2, "cpu")
    yield Case("metric lines, every role", total, alone, template, "template", 1 / 2, "cpu")
    ranks = str(speed_inputs.ranks(folder / f"ranks-{size}", total))
    yield Case("512 rank files", total, (*on, ranks), (*on, "--workers", "1", ranks), "serial", 0.6)
    gz = str(inputs.write(folder / f"mixed-{size}.log.gz", inputs.mixed(total)))
    igzip = _tool("igzip")
    unpack = (igzip, "-dc", gz) if igzip else (sys.executable, "-m", "isal.igzip", "-dc", gz)
    yield Case("gz", total, (*on, gz), unpack, "igzip" if igzip else "isal.igzip", 1.3)
    zstd = _tool("zstd")
    if not zstd:
        yield Case("zst", total, (), missing="zstd is not installed")
        return
    zst = str(speed_inputs.zst(folder / f"mixed-{size}.log.zst", Path(mixed), zstd))
    yield Case("zst", total, (*on, zst), (zstd, "-dc", zst), "zstd", 1.3)


def _tool(name: str) -> str:
    """Return the path of a program, or nothing; one that a package installed beside Python counts."""
    beside = Path(sys.executable).with_name(name)
    return shutil.which(name) or (str(beside) if beside.exists() else "")


def row(case: Case, count: int, limit: float) -> str:
    """Measure a case in turn with its rival; return its line of the table. `limit` is the rate of reading, in MB/s."""
    if case.missing:
        return f"{case.name:<34}   left out: {case.missing}"
    run(case.command)
    pairs = [(run(case.command), run(case.rival)) for _ in range(count)]
    wall, cpu = (statistics.median(getattr(mine, part) for mine, _ in pairs) for part in ("wall", "cpu"))
    ratio = statistics.median(getattr(mine, case.part) / getattr(theirs, case.part) for mine, theirs in pairs)
    rate = case.size / _MB / wall
    verdict = "kept" if ratio <= case.bar else "missed"
    return (
        f"{case.name:<34}{wall:>8.2f}{cpu:>8.2f}{rate:>8.0f}{rate / limit:>9.0%}   "
        f"{ratio:.2f} of {case.rival_name} ({case.part}), bar {case.bar:.2f}: {verdict}"
    )


def growth(folder: Path, size: int) -> Iterator[str]:
    """Yield how time and memory grow from a log to one eight times as long."""
    paths = [inputs.write(folder / f"mixed-{each}.log", inputs.mixed(each * _MB)) for each in (size, 8 * size)]
    commands = [(*_WORK, "scan", str(path)) for path in paths]
    small, large = (run(command) for command in commands)
    one, eight = (peak(command, environment()) for command in commands)
    yield f"growth {size} to {8 * size} MB: time {large.wall / small.wall / 8:.2f} of linear, bar 1.10"
    yield f"growth {size} to {8 * size} MB: memory x {eight.total / one.total:.2f}, bar 1.10"


def memory(folder: Path, size: int) -> str:
    """Return what a scan on all cores holds, workers included."""
    path = inputs.write(folder / f"mixed-{size}.log", inputs.mixed(size * _MB))
    found = peak((*_WORK, "scan", str(path)), environment())
    return f"memory: {found.single:.0f} MB the largest process, bar 64; {found.total:.0f} MB all together, bar 150"


def rate(task: str, path: Path, count: int) -> float:
    """Return the MB a task does in a CPU second, its start left out."""
    busy = [run((*_WORK, task, str(path))).cpu for _ in range(count + 1)]
    idle = [run((*_WORK, task, "/dev/null")).cpu for _ in range(count + 1)]
    return path.stat().st_size / _MB / max(min(busy) - min(idle), 1e-3)


def least(path: Path, count: int) -> str:
    """Return how fast the search for patterns alone is, and how much of what `wc -l` takes if all cores share it and nothing has to start.

    CPU seconds stand for time: on a machine that others use, the clock of so short a run tells nothing.
    """
    searching = rate("search", path, count)
    lines = min(run(("wc", "-l", str(path))).cpu for _ in range(count + 1))
    best = path.stat().st_size / _MB / searching / (os.cpu_count() or 1) / lines
    return f"search for all patterns, nothing done with finds: {searching:.0f} MB/s a core, at best {best:.1f} x wc -l"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.speed", description=__doc__)
    parser.add_argument("--size", type=int, default=200, metavar="MB", help="size of each log (default 200)")
    parser.add_argument("--runs", type=int, default=3, help="counted runs of each command (default 3)")
    parser.add_argument("--growth", action="store_true", help="also scan a log eight times as long")
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="where inputs are kept")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    mixed = inputs.write(chosen.folder / f"mixed-{chosen.size}.log", inputs.mixed(chosen.size * _MB))
    limit = rate("read", mixed, chosen.runs)
    print(f"reading from memory: {limit:.0f} MB/s a core; {least(mixed, chosen.runs)}")
    print(f"{'case':<34}{'wall s':>8}{'cpu s':>8}{'MB/s':>8}{'of read':>9}   rival")
    for case in cases(chosen.folder, chosen.size):
        print(row(case, chosen.runs, limit), flush=True)
    print(memory(chosen.folder, chosen.size), flush=True)
    if chosen.growth:
        print(*growth(chosen.folder, chosen.size), sep="\n")


if __name__ == "__main__":
    main()
