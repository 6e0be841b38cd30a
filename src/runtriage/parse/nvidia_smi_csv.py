"""What `nvidia-smi --query-gpu=... --format=csv` keeps writing: GPUs that slowed down or lost memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import Line, cite, counts, lines, state

_LIMIT: Final = 32 << 20
_HEAD: Final = deferred(
    rb"\A(?:[\w.]+(?: \[[^\]\n]{1,20}\])?, ?){1,60}?"
    rb"(?:clocks_(?:throttle|event)_reasons\.hw_|ecc\.errors\.uncorrected\.volatile\.)[^\n]{0,2000}\n"
)
_SLOWED: Final = ("hw_thermal_slowdown", "hw_power_brake_slowdown")
_LOST: Final = "ecc.errors.uncorrected.volatile."
_LEAST: Final = 3
"""So many samples of a GPU must show a slowdown, or all it has: a short one is ordinary."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text is such a table with a column that tells of trouble."""
    return bool(_HEAD.match(head[:4096]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each GPU that kept slowing down, where it began, and for each that counts lost memory."""
    content, cut = read_all(stream, _LIMIT)
    seen: dict[tuple[str, str], list[Line]] = {}
    samples: dict[str, int] = {}
    for gpu, told, line in _told(content):
        samples[gpu] = samples.get(gpu, 0) + (not told)
        if told:
            seen.setdefault((gpu, told), []).append(line)
    events = [
        _state(artifact, gpu, told, found[0])
        for (gpu, told), found in seen.items()
        if len(found) >= min(_LEAST, samples[gpu]) or told.startswith(_LOST)
    ]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 32 MiB" if cut else None)


def _told(content: bytes) -> Iterator[tuple[str, str, Line]]:
    """Yield each sample of a GPU with nothing, then once with each column of it that tells of trouble."""
    names: list[str] = []
    for line in lines(content):
        cells = [cell.strip() for cell in line.text.split(",")]
        if not names:
            names = [cell.partition(" [")[0] for cell in cells]
            continue
        row = dict(zip(names, cells, strict=False))
        gpu = row.get("index") or row.get("gpu_bus_id") or row.get("pci.bus_id") or row.get("uuid") or ""
        yield gpu, "", line
        for name, value in row.items():
            slowed = name.endswith(_SLOWED) and value == "Active"
            if slowed or (name.startswith(_LOST) and counts(value)):
                yield gpu, name, line


def _state(artifact: Artifact, gpu: str, column: str, line: Line) -> RawEvent:
    lost = column.startswith(_LOST)
    words = "counts uncorrectable memory errors" if lost else "runs at a lowered clock"
    return state(
        "gpu/ecc" if lost else "gpu/throttle",
        cite(artifact.path, line),
        Subject(gpu=gpu if gpu.isdigit() else None, node=artifact.node),
        message=f"GPU {gpu or '?'} {words} ({column})",
    )


PARSERS = (Parser(id="nvidia-smi-csv", claims=claims, read=read),)
