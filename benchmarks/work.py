"""What each measured process does: `python -m benchmarks.work TASK PATH...`, printed counts on standard output."""

from __future__ import annotations

import argparse
import io
import re
import sys
from pathlib import Path
from typing import cast

_BLOCK = 512 * 1024


def scan(paths: list[Path], *, metrics: bool, workers: int | None) -> None:
    """Scan files as the product does, from loading the catalogue on."""
    from runtriage.model.artifact import Artifact
    from runtriage.model.options import Options
    from runtriage.model.target import ByteStream
    from runtriage.scan import compile_rules, scan_many
    from runtriage.signatures import load
    from runtriage.targets.streams import PlainStream, encoding_of, unpacked

    cache = _own_cache()
    places = {str(path): path for path in paths}
    artifacts: list[Artifact] = []
    for name, path in places.items():
        with path.open("rb") as file:
            encoding = encoding_of(file.read(8))
        artifacts.append(Artifact(path=name, kind="log", size=path.stat().st_size, encoding=encoding))
    rules = compile_rules(load(cache=cache), cache)

    def opened(artifact: Artifact) -> ByteStream:
        return unpacked(PlainStream(io.FileIO(places[artifact.path]), bounded=True), artifact.encoding)

    events = points = size = 0
    for result in scan_many(
        opened,
        artifacts,
        rules,
        Options(metrics=metrics, workers=workers),
    ):
        events += sum(event.count for event in result.events)
        points += sum(series.total for series in result.series)
        size += result.read.bytes_read
    print(f"events={events} points={points} bytes={size}")


def search(paths: list[Path]) -> None:
    """Look for every pattern and do nothing with what is found: the least that a scan can take."""
    import hyperscan

    from runtriage.scan import compile_rules
    from runtriage.signatures import load

    cache = _own_cache()
    database = hyperscan.loadb(compile_rules(load(cache=cache), cache).compiled, hyperscan.HS_MODE_BLOCK)
    database.scratch = hyperscan.Scratch(database)
    size, buffer = 0, bytearray(_BLOCK)

    def ignore(_number: int, _start: int, _end: int, _flags: int, _context: object) -> None: ...

    for path in paths:
        with path.open("rb", buffering=0) as file, memoryview(buffer) as view:
            while count := file.readinto(buffer):
                # any buffer will do; the stub of the package knows text only
                database.scan(cast(bytes, view[:count]), match_event_handler=ignore)
                size += count
    print(f"bytes={size}")


def read(paths: list[Path]) -> None:
    """Read files block by block and do nothing else."""
    size, buffer = 0, bytearray(2 * _BLOCK)
    for path in paths:
        with path.open("rb", buffering=0) as file:
            while count := file.readinto(buffer):
                size += count
    print(f"bytes={size}")


def findall(paths: list[Path]) -> None:
    """Read every loss with `re.findall` and `float`, block by block."""
    pattern = re.compile(rb"loss:\s+(\S+)")
    count, total, rest = 0, 0.0, b""
    for path in paths:
        with path.open("rb", buffering=0) as file:
            while block := file.read(_BLOCK):
                cut = block.rfind(b"\n") + 1
                values = list(map(float, pattern.findall(rest + block[:cut])))
                rest = block[cut:]
                count, total = count + len(values), total + sum(values)
    print(f"points={count}")


def template(paths: list[Path]) -> None:
    """Read every number of the metric lines with one regular expression for their format."""
    number = rb"\s+([-+.,\deEnaif]+)"
    names = (rb"step:", rb"loss:", rb"grad_norm:", rb"lr:", rb"memory:")
    pattern = re.compile(
        rb"\s+".join(name + number for name in names) + rb"GiB\(([\d.]+)%\)\s+tps:" + number + rb"\s+mfu:" + number
    )
    count, rest = 0, b""
    for path in paths:
        with path.open("rb", buffering=0) as file:
            while block := file.read(_BLOCK):
                cut = block.rfind(b"\n") + 1
                for row in pattern.findall(rest + block[:cut]):
                    count += len([float(value.replace(b",", b"")) for value in row])
                rest = block[cut:]
    print(f"points={count}")


def _own_cache() -> _Folder:
    return _Folder(Path(sys.argv[0]).parent.parent / ".bench" / "cache")


class _Folder:
    """A cache in a folder of the benchmark's own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, name: str) -> bytes | None:
        path = self._folder / name
        return path.read_bytes() if path.exists() else None

    def save(self, name: str, content: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / name).write_bytes(content)


def main() -> None:
    """Do one task."""
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=("scan", "search", "read", "findall", "template"))
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--no-metrics", action="store_true")
    parser.add_argument("--workers", type=int)
    chosen = parser.parse_args()
    paths = [each for path in chosen.paths for each in (sorted(path.iterdir()) if path.is_dir() else [path])]
    if chosen.task == "scan":
        scan(paths, metrics=not chosen.no_metrics, workers=chosen.workers)
    else:
        {"search": search, "read": read, "findall": findall, "template": template}[chosen.task](paths)


if __name__ == "__main__":
    main()
