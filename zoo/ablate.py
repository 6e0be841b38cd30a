"""Takes one source of evidence away from a case, to see how much an answer rests on it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from zoo.case import Case

LAST = 200
_TIME: Final = re.compile(
    rb"\[?\b\d{4}[-/]\d\d[-/]\d\d[T_ ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?"
    rb"|\[?\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b\]?"
    rb"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} "
    rb"|\b[EIWF]\d{4} (?=\d)|\[E\d{4} "
    rb"|^\[ *\d+\.\d{6}\] ?"
)
_RANK: Final = re.compile(
    rb"\[(?:rank|default)\d{1,5}\]:? ?|\[Rank \d{1,5}\] ?|\| ?rank ?\d{1,5} ?(?=\|)|\brank[ =:]?\d{1,5}\b:? ?|^\d{1,4}: ",
    re.IGNORECASE,
)
_LAUNCHER: Final = re.compile(
    rb"ChildFailedError|torch/distributed/(?:elastic|launcher|run)|failed \(exitcode|closing signal SIG|exitcode +:|error_file *:"
    rb"|Root Cause \(first observed failure\)|^ +(?:time|host|rank|traceback) +:|^Failures:|^\[\d+\]:$|^={20,}$|^-{20,}$"
    rb"|srun: error:|sigkill_handler\]|exits with return code",
)


def without_times(lines: list[bytes]) -> list[bytes]:
    """The lines with every printed time taken out."""
    return [_TIME.sub(b"", line) for line in lines]


def without_ranks(lines: list[bytes]) -> list[bytes]:
    """The lines with every prefix or mention of a rank taken out."""
    return [_RANK.sub(b"", line) for line in lines]


def without_launcher(lines: list[bytes]) -> list[bytes]:
    """The lines with those of a launcher's summary left blank."""
    return [b"" if _LAUNCHER.search(line) else line for line in lines]


def tail_only(lines: list[bytes]) -> list[bytes]:
    """The last lines alone."""
    return lines[-LAST:]


HIDES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "timestamps": without_times,
    "ranks": without_ranks,
    "launcher": without_launcher,
    "head": tail_only,
}
"""What may be hidden, by the name it is asked for."""
_TEXT = (".log", ".txt", ".out", ".err")


@contextmanager
def hidden(case: Case, kinds: Iterable[str]) -> Generator[Path]:
    """The path of a copy of the case whose text files lack what ``kinds`` name."""
    with TemporaryDirectory(prefix="zoo-hidden-") as scratch:
        folder = Path(scratch) / "run"
        shutil.copytree(case.folder, folder, ignore=lambda at, _: {"truth.json"} if Path(at) == case.folder else set())
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix in _TEXT:
                path.write_bytes(_without(path.read_bytes(), kinds))
        yield folder / case.files[0].name if len(case.files) == 1 else folder


def _without(raw: bytes, kinds: Iterable[str]) -> bytes:
    end = b"\n" if raw.endswith(b"\n") else b""
    lines = raw.removesuffix(b"\n").split(b"\n")
    for kind in kinds:
        lines = HIDES[kind](lines)
    return b"\n".join(lines) + end
