"""`nvidia-smi -q`: what each GPU reports about its own health."""

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

_LIMIT: Final = 16 << 20
_HEAD: Final = deferred(rb"=+NVSMI LOG=+|^Attached GPUs\s+: \d{1,4}\s*$", 8)
_GPU: Final = deferred(r"GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)")
_ATTACHED: Final = deferred(rb"^Attached GPUs\s+: (\d{1,4})", 8)
_PAIR: Final = deferred(r"(\s*)(\S.*?)\s*(?::\s(.*)|:|)")
_LOST: Final = deferred(r"ERR!|GPU is lost|Unknown Error", 2)
_DEEP: Final = 12
_SLOWED: Final = frozenset({"HW Thermal Slowdown", "HW Power Brake Slowdown"})
"""Reasons that are no part of normal work; a power cap and the software's own slowdown are."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a listing."""
    return bool(_HEAD.search(head[:2000]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each thing that is wrong with a GPU."""
    content, cut = read_all(stream, _LIMIT)
    cards = [found[1] for line in lines(content) if (found := _GPU.fullmatch(line.text.rstrip()))]
    attached = _ATTACHED.search(content)
    whole = attached is None or int(attached[1]) == len(cards)
    events = [*(_listed(content, artifact) if whole and not cut else ()), *_events(content, artifact, whole=whole)]
    if attached is not None and not whole:
        first = next(line for line in lines(content) if line.text.startswith("Attached GPUs"))
        count = {"count": float(attached[1])}
        events.append(state("gpu/attached", cite(artifact.path, first), Subject(node=artifact.node), numbers=count))
    return Parsed(events=events, bytes_read=len(content), cut="longer than 16 MiB" if cut else None)


def _listed(content: bytes, artifact: Artifact) -> Iterator[RawEvent]:
    """Yield which number each GPU of the node has."""
    number = 0
    for line in lines(content):
        if found := _GPU.fullmatch(line.text.rstrip()):
            told, place = {"index": float(number)}, cite(artifact.path, line)
            yield state("gpu/listed", place, Subject(gpu=str(number), node=artifact.node), numbers=told, pci=found[1])
            number += 1


def _events(content: bytes, artifact: Artifact, *, whole: bool) -> Iterator[RawEvent]:
    gpu, number = "", -1
    above: list[tuple[int, str]] = []
    lost = ""
    for line in lines(content):
        if found := _GPU.fullmatch(line.text.rstrip()):
            gpu, number, above = found[1], number + 1, []
            continue
        pair = _PAIR.fullmatch(line.text) if gpu and len(line.text) < 400 else None
        if pair is None:
            continue
        depth, key, value = len(pair[1]), pair[2], (pair[3] or "").strip()
        above = [(at, name) for at, name in above if at < depth][:_DEEP]
        subject = Subject(gpu=str(number) if whole else gpu, node=artifact.node)
        told = _told([name for _, name in above], key, value)
        if told is not None and not (told[0] == "gpu/lost" and lost == gpu):
            lost = gpu if told[0] == "gpu/lost" else lost
            yield _state(told, line, artifact, subject, gpu)
        if not value:
            above.append((depth, key))


def _told(above: list[str], key: str, value: str) -> tuple[str, str] | None:
    """Return the name of a state and its words, or None for what is in order."""
    if _LOST.fullmatch(value):
        return "gpu/lost", f"answers {value} for its {key}"
    if value == "Active" and key in _SLOWED:
        return "gpu/throttle", f"runs at a lowered clock: {key}"
    if above[:1] == ["ECC Errors"] and "Volatile" in above and "Uncorrectable" in f"{above} {key}" and counts(value):
        return "gpu/ecc", f"counts {value} uncorrectable memory errors since its driver was loaded ({key})"
    if above[:1] == ["Remapped Rows"] and key == "Pending" and value == "Yes":
        return "gpu/remap", "waits for a reset to replace damaged memory rows"
    if above[:1] == ["Remapped Rows"] and key == "Remapping Failure Occurred" and value == "Yes":
        return "gpu/remap", "has no spare memory rows left"
    if above[:1] == ["Retired Pages"] and key.startswith("Pending") and value == "Yes":
        return "gpu/remap", "waits for a reset to retire damaged memory pages"
    return None


def _state(told: tuple[str, str], line: Line, artifact: Artifact, subject: Subject, pci: str) -> RawEvent:
    return state(
        told[0],
        cite(artifact.path, line),
        subject,
        message=f"GPU {subject.gpu} ({pci}) {told[1]}" if subject.gpu != pci else f"GPU {pci} {told[1]}",
        pci=pci,
    )


PARSERS = (Parser(id="nvidia-smi", claims=claims, read=read, scanned=True),)
