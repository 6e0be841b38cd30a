"""Lines and columns of text that tools print for people, each line with its place, and states cited by line or pointer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

from msgspec import Struct

from runtriage.model.event import STATE
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent, RawText
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant

_HEADING = deferred(r"\S+(?: \S+)*")
_AGE = deferred(r"(\d+)([ywdhms])")
_SECONDS = {"y": 31_536_000, "w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_SPENT = deferred(r"(?:(?P<days>\d{1,5})-)?(?:(?P<hours>\d{1,2}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d{2})(?:\.\d+)?")
_LINE = 8_192


class Line(Struct, frozen=True):
    """One line: 1-based `number`, its bytes, where they start, and at most 8,192 of them as text."""

    number: int
    start: int
    raw: bytes
    text: str


def lines(content: bytes) -> Iterator[Line]:
    """Yield the lines of a document."""
    start = 0
    for number, raw in enumerate(content.split(b"\n"), 1):
        yield Line(number, start, raw, raw[:_LINE].decode("utf-8", "replace").rstrip("\r"))
        start += len(raw) + 1


def cite(artifact: str, line: Line) -> Citation:
    """Return the citation of one line."""
    return Citation(
        artifact=artifact,
        first_line=line.number,
        last_line=line.number,
        byte_start=line.start,
        byte_end=line.start + len(line.raw),
        sha256=sha256(line.raw).hexdigest(),
    )


def counts(cell: str) -> bool:
    """Tell whether a cell is a whole number above 0."""
    return cell.isdecimal() and bool(cell.strip("0"))


def headings(text: str) -> dict[str, int]:
    """Return the column where each heading of an aligned table starts."""
    return {found.group(): found.start() for found in _HEADING.finditer(text)}


def cells(columns: Mapping[str, int], text: str) -> dict[str, str]:
    """Return the cells of one line of an aligned table; the last column takes the rest of the line."""
    starts = list(columns.items())
    ends = [start for _, start in starts[1:]] + [len(text)]
    return {name: text[start:end].strip() for (name, start), end in zip(starts, ends, strict=True)}


def age(text: str) -> float | None:
    """Return the seconds an age such as `4m50s` or `22m (x6 over 132m)` stands for."""
    found = _AGE.findall(text.partition("(")[0])
    return float(sum(int(count) * _SECONDS[unit] for count, unit in found)) if found else None


def spent(text: str) -> float | None:
    """Return the seconds that a time used stands for as Slurm prints it: `[days-][hours:]minutes:seconds`; of days alone hours follow."""
    found = _SPENT.fullmatch(text.strip())
    if found is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)


def state(
    name: str,
    where: Citation,
    subject: Subject = NOBODY,
    *,
    when: Instant | None = None,
    numbers: Mapping[str, float | None] | None = None,
    **captures: str,
) -> RawEvent:
    """Return the event of a state; empty captures and absent numbers are left out."""
    told = ("message", "reason", "state", "limit", "request", "amount", "type", "status")
    shown = next((captures[name] for name in told if captures.get(name)), "")
    return RawEvent(
        kind=STATE,
        name=name,
        citation=where,
        excerpt=RawText(shown),
        captures={key: RawText(value) for key, value in captures.items() if value},
        numbers={key: value for key, value in (numbers or {}).items() if value is not None},
        when=when,
        subject=subject,
    )
