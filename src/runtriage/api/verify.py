"""verify(): reads every citation of a report again and says whether it still holds."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, cast

from msgspec import Struct
from msgspec.structs import astuple

from runtriage.api.carried import Inside, inside
from runtriage.api.moved import moved
from runtriage.model.artifact import Artifact, Collected, Empty, Request
from runtriage.model.exit_code import NOT_FOUND
from runtriage.model.place import byte_of
from runtriage.model.report import CitationModel, Report
from runtriage.model.target import ByteStream, Target
from runtriage.redact import MARKER
from runtriage.targets import TargetError, resolve

State = Literal["holds", "changed", "gone", "not re-readable"]

_CHUNK: Final = 1 << 20
_HIDDEN: Final = re.compile(rf"(?:^|/)(?:path|file|host|user|bucket)-\d+(?:[./]|$)|{re.escape(MARKER)}")


class ReportError(Exception):
    """The document to verify is missing, unreadable or no report; one line."""


class Check(Struct, frozen=True):
    """What became of one citation. `of` names the parts of the report that rest on it, `why` explains what is not plain."""

    of: str
    citation: CitationModel
    state: State
    why: str = ""


def read_report(path: Path) -> Report:
    """Return a report that was written as JSON. Raises `ReportError`."""
    try:
        return Report.from_json(path.read_bytes())
    except FileNotFoundError:
        raise ReportError(f"{path}: no such file; give the JSON that runtriage --format json wrote") from None
    except OSError as error:
        raise ReportError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None
    except ValueError:
        raise ReportError(
            f"{path}: not a runtriage report with citations; give the JSON that -o or --format json wrote"
        ) from None


def verify(report: Report, target: str | None = None) -> list[Check]:
    """Return a check for each different citation, in the report's order. `target` says where the run lies now."""
    cited = _citations(report)
    if target is None and (report.target == "-" or _HIDDEN.search(report.target)):
        why = "it came through a pipe" if report.target == "-" else "the report hides where the run lies"
        return [Check(of, citation, "not re-readable", why) for citation, of in cited]
    try:
        opened = resolve([target] if target is not None else _targets(report.target))
    except TargetError as error:
        state: State = "gone" if error.code == NOT_FOUND else "not re-readable"
        return [Check(of, citation, state, str(error)) for citation, of in cited]
    with opened:
        states = _states([citation for citation, _ in cited], opened)
    return [Check(of, citation, *states[_place(citation)]) for citation, of in cited]


def _targets(label: str) -> list[str]:
    return [label] if Path(label).exists() else shlex.split(label)


def _citations(report: Report) -> list[tuple[CitationModel, str]]:
    found: dict[tuple[object, ...], tuple[CitationModel, list[str]]] = {}
    for of, citation in _all(report):
        if citation is not None:
            found.setdefault(_place(citation), (citation, []))[1].append(of)
    return [(citation, ", ".join(dict.fromkeys(of))) for citation, of in found.values()]


def _all(report: Report) -> Iterator[tuple[str, CitationModel | None]]:
    yield "root", report.root_evidence
    for item in report.evidence:
        yield item.id, item.citation
    for item in report.cascade:
        yield f"cascade {item.mode}", item.citation
    for item in report.ruled_out:
        yield f"ruled out {item.cause}", item.citation


def _place(citation: CitationModel) -> tuple[object, ...]:
    return astuple(citation)


def _states(citations: Sequence[CitationModel], target: Target) -> dict[tuple[object, ...], tuple[State, str]]:
    states: dict[tuple[object, ...], tuple[State, str]] = {}
    for artifact in dict.fromkeys(citation.artifact for citation in citations):
        own = [citation for citation in citations if citation.artifact == artifact]
        states.update(zip(map(_place, own), _read_again(own, artifact, target), strict=True))
    return states


def _read_again(citations: Sequence[CitationModel], name: str, target: Target) -> list[tuple[State, str]]:
    if _HIDDEN.search(name):
        return [("not re-readable", "the report hides the name of the file")] * len(citations)
    try:
        found = inside(name, target)
        if found is not None:
            return _compare(citations, found.artifact, found)
    except OSError as error:
        return [("not re-readable", (error.strerror or str(error)).lower())] * len(citations)
    outcome = target.collect(Request(kind="file", args={"path": name}, reason="a report cites it"))
    if isinstance(outcome, Empty):
        return [("gone", "no such file")] * len(citations)
    if not isinstance(outcome, Collected):
        why = getattr(outcome, "reason", None) or getattr(outcome, "error", "")
        return [("not re-readable", str(why))] * len(citations)
    try:
        return _compare(citations, outcome.artifacts[0], target)
    except OSError as error:
        return [("not re-readable", (error.strerror or str(error)).lower())] * len(citations)


def _compare(
    citations: Sequence[CitationModel], artifact: Artifact, target: Target | Inside
) -> list[tuple[State, str]]:
    size = 0
    if any(byte_of(citation) < 0 for citation in citations):
        with target.open(artifact) as stream:
            size = _length(stream)
    ranges = [_range(citation, size) for citation in citations]
    with target.open(artifact) as stream:
        digests = _digests(stream, [each for each in ranges if each is not None])
    states: list[tuple[State, str]] = [
        _state(citation, digests[each]) if each is not None else ("not re-readable", "it names no bytes")
        for citation, each in zip(citations, ranges, strict=True)
    ]
    other = [at for at, (state, _) in enumerate(states) if state in ("changed", "gone")]
    if other:
        with target.open(artifact) as stream:
            lines = moved(stream, [citations[at] for at in other])
        for at, line in zip(other, lines, strict=True):
            if line is not None:
                states[at] = ("changed", f"moved to line {line}: exactly this text stands there now")
    return states


def _state(citation: CitationModel, digest: str | None) -> tuple[State, str]:
    if digest is None:
        return "gone", "the file ends before it"
    return ("holds", "") if digest == citation.sha256 else ("changed", "other bytes stand there now")


def _range(citation: CitationModel, size: int) -> tuple[int, int] | None:
    if citation.byte_start is None or citation.byte_end is None or citation.sha256 is None:
        return None
    return (
        (citation.byte_start + size, citation.byte_end + size)
        if citation.byte_start < 0
        else (citation.byte_start, citation.byte_end)
    )


def _length(stream: ByteStream) -> int:
    known = cast("int | None", getattr(stream, "size", None))
    if known is not None:
        return known
    buffer = memoryview(bytearray(_CHUNK))
    size = 0
    while count := stream.readinto(buffer):
        size += count
    return size


def _digests(stream: ByteStream, ranges: Sequence[tuple[int, int]]) -> dict[tuple[int, int], str | None]:
    """Return the SHA-256 of each range of a stream, None where the stream ends before the range does."""
    hashes = {each: hashlib.sha256() for each in ranges}
    last = max((end for _, end in ranges), default=0)
    buffer = memoryview(bytearray(_CHUNK))
    at = 0
    while at < last and (count := stream.readinto(buffer)):
        for start, end in hashes:
            if start < at + count and end > at:
                hashes[start, end].update(buffer[max(start - at, 0) : min(end - at, count)])
        at += count
    return {each: hashes[each].hexdigest() if each[0] >= 0 and each[1] <= at else None for each in hashes}
