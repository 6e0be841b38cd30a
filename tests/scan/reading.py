"""Small catalogues and a slow reading of the same bytes, for tests of the engine."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from runtriage.model.artifact import Artifact
from runtriage.model.catalogue import Catalogue, Pattern, Signature
from runtriage.model.options import Options
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent
from runtriage.scan import Rules, ScanResult, compile_rules, scan
from runtriage.scan.ansi import CODES
from runtriage.scan.find import Engine
from runtriage.scan.tail import Memory

PATTERNS = {
    "oom": r"CUDA out of memory\. Tried to allocate (?P<asked>[\d.]+ [KMGT]iB)",
    "disk": r"No space left on device(?:: '(?P<path>[^']{1,200})')?",
    "watchdog": r"Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(?P<sequence>\d+)",
    "worker": r"DataLoader worker \(pid(?:\(s\))? (?P<pid>\d+)\)",
    "overflow": r"gradient overflow",
}


def catalogue(patterns: dict[str, str] = PATTERNS) -> Catalogue:
    """Make a catalogue of one signature a pattern."""
    signatures = {
        name: Signature(
            id=name,
            title=name,
            mode="oom/gpu-alloc",
            role="cause",
            maturity="stable",
            patterns=(Pattern(name="p", regex=regex),),
            explain="",
            fixes=(),
        )
        for name, regex in patterns.items()
    }
    return Catalogue(signatures, {}, hashlib.sha256(repr(patterns).encode()).hexdigest())


def rules(patterns: dict[str, str] = PATTERNS, engine: Engine | None = None) -> Rules:
    """Compile patterns and all cues."""
    return compile_rules(catalogue(patterns), None, engine=engine)


RULES = rules()


def read(
    data: bytes, *, using: Rules = RULES, block: int | None = None, path: str = "train.log", **options: object
) -> ScanResult:
    """Scan bytes as a plain file."""
    artifact = Artifact(path=path, kind="log", size=len(data))
    return scan(Memory(data), artifact, using, Options(**options), block=block)  # pyright: ignore[reportArgumentType]


def found(result: ScanResult, name: str) -> list[RawEvent]:
    """Return the events of one signature."""
    return [event for event in result.events if event.name == f"{name}#p"]


def lines_of(result: ScanResult, name: str) -> list[int | None]:
    """Return the first lines of one signature's events."""
    return [event.citation.first_line for event in found(result, name)]


def slow(data: bytes, patterns: dict[str, str] = PATTERNS) -> dict[str, int]:
    """Count the segments in which each pattern is found, with `re` alone."""
    counts: dict[str, int] = {}
    for segment in segments(data):
        for name, regex in patterns.items():
            if re.search(regex.encode(), segment):
                counts[name] = counts.get(name, 0) + 1
    return counts


def segments(data: bytes) -> Iterable[bytes]:
    """Split into what stands between line breaks and carriage returns, without codes."""
    return re.split(rb"[\r\n]", CODES.sub(b"", data))


def counted(result: ScanResult) -> dict[str, int]:
    """Count the occurrences of each signature that a scan found."""
    counts: dict[str, int] = {}
    for event in result.events:
        if event.kind == "signature":
            name = event.name.partition("#")[0]
            counts[name] = counts.get(name, 0) + event.count
    return counts


def holds(data: bytes, citation: Citation) -> bool:
    """Tell whether a citation's bytes, hash and lines agree with the data."""
    start, end = citation.byte_start, citation.byte_end
    if start is None or end is None or citation.first_line is None:
        return False
    same = hashlib.sha256(data[start:end]).hexdigest() == citation.sha256
    first = data.count(b"\n", 0, start) + 1
    return same and first == citation.first_line and first + data.count(b"\n", start, end) == citation.last_line
