"""`nvidia-smi -q -x`: the same report of each GPU's health as XML, read tag by tag so that nothing in it is expanded."""

from __future__ import annotations

import re
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
_ROOT: Final = b"<nvidia_smi_log"
_TAG: Final = deferred(r"<(?P<end>/?)(?P<name>\w{1,80})(?P<attributes>[^<>]{0,200})>(?P<text>[^<>]{0,200})")
_ID: Final = deferred(r'\bid="(?P<pci>[0-9A-Fa-f:.]{4,20})"')
_LOST: Final = deferred(r"ERR!|GPU is lost|Unknown Error", re.IGNORECASE)
_DEEP: Final = 24
_GPUS: Final = 4096
"""GPUs that are read: no node has as many, and a document may name any number."""
_SLOWED: Final = ("hw_thermal_slowdown", "hw_power_brake_slowdown")


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a report."""
    return _ROOT in head[:2000]


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each thing that is wrong with a GPU, and the number of each GPU of a node that is listed whole."""
    content, cut = read_all(stream, _LIMIT)
    return Parsed(
        events=list(_events(content, artifact)),
        bytes_read=len(content),
        cut="longer than 16 MiB" if cut else None,
    )


def _events(content: bytes, artifact: Artifact) -> Iterator[RawEvent]:
    above: list[str] = []
    pci, number, told = "", -1, set[tuple[str, str]]()
    for line in lines(content):
        for tag in _TAG.finditer(line.text):
            name, value = tag["name"], tag["text"].strip()
            if tag["end"]:
                above = above[: _last(above, name)]
                continue
            if name == "gpu" and (found := _ID.search(tag["attributes"])):
                pci, number = found["pci"], number + 1
                if number >= _GPUS:
                    return
                yield _listed(artifact, line, pci, number)
            what = _told(above, name, value) if pci else None
            if what is not None and (pci, what[0]) not in told:
                told.add((pci, what[0]))
                yield _state(artifact, line, what, pci, number)
            if not tag["attributes"].endswith("/") and len(above) < _DEEP:
                above.append(name)


def _last(above: list[str], name: str) -> int:
    """Return how many tags stay open once the innermost of a name is closed."""
    return next((at for at in range(len(above) - 1, -1, -1) if above[at] == name), len(above))


def _told(above: list[str], name: str, value: str) -> tuple[str, str] | None:
    """Return the name of a state and its words, or None for what is in order."""
    if _LOST.fullmatch(value):
        return "gpu/lost", f"answers {value} for its {name}"
    if value == "Active" and name.endswith(_SLOWED):
        return "gpu/throttle", f"runs at a lowered clock: {name}"
    if (
        "ecc_errors" in above
        and "volatile" in above
        and any("uncorrectable" in tag for tag in (*above, name))
        and counts(value)
    ):
        return "gpu/ecc", f"counts {value} uncorrectable memory errors since its driver was loaded ({name})"
    if "remapped_rows" in above and name == "remapped_row_pending" and value == "Yes":
        return "gpu/remap", "waits for a reset to replace damaged memory rows"
    if "remapped_rows" in above and name == "remapped_row_failure" and value == "Yes":
        return "gpu/remap", "has no spare memory rows left"
    if "retired_pages" in above and name.startswith("pending") and value == "Yes":
        return "gpu/remap", "waits for a reset to retire damaged memory pages"
    return None


def _listed(artifact: Artifact, line: Line, pci: str, number: int) -> RawEvent:
    subject = Subject(gpu=str(number), node=artifact.node)
    return state("gpu/listed", cite(artifact.path, line), subject, numbers={"index": float(number)}, pci=pci)


def _state(artifact: Artifact, line: Line, told: tuple[str, str], pci: str, number: int) -> RawEvent:
    return state(
        told[0],
        cite(artifact.path, line),
        Subject(gpu=str(number), node=artifact.node),
        message=f"GPU {number} ({pci}) {told[1]}",
        pci=pci,
    )


PARSERS = (Parser(id="nvidia-smi-xml", claims=claims, read=read),)
