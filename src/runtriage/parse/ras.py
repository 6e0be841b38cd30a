"""What `ncclras` prints of a job whose ranks have launched different numbers of operations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.tables import Line, cite, lines, state

_LIMIT: Final = 16 << 20
_JOB: Final = deferred(rb"\n(?:Job summary|Communicators\.\.\.)[^\n]*\r?\n=+")
_HEADING: Final = deferred(r"\s*#\d+-\d+ \(([0-9a-f]+)\) .*")
_KIND: Final = deferred(r"\s*Communicator ranks have different (\w+) operation counts")
_MANY: Final = deferred(r"\s*(\d+) ranks have (?:launched up to operation (\d+)|not launched any operations)")
_ONE: Final = deferred(r"\s*Rank (\d+) has (?:launched up to operation (\d+)|not launched any operations)(?: -- (.*))?")
_LISTED: Final = deferred(r"\s*Rank (\d+) -- (.*)")
_NODE: Final = deferred(r"(?:on )?node (\S+)")
_FAR: Final = 2
"""Operations behind from which a single look says something: one is the everyday difference of ranks that run."""
_FEW: Final = 3


class _Rank(Struct):
    rank: int
    count: int
    where: str
    line: Line


class _Communicator(Struct):
    """Counts of one kind of operation: `total` ranks by count, and those that are listed one by one."""

    kind: str
    ranks: list[_Rank] = field(default_factory=list[_Rank])
    total: dict[int, int] = field(default_factory=dict[int, int])


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a report."""
    return artifact.kind == "recorder" and bool(_JOB.search(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return a state for each rank that is behind the others, where few are."""
    content, cut = read_all(stream, _LIMIT)
    events = [event for one in _communicators(content) for event in _behind(one, artifact)]
    return Parsed(events=events, bytes_read=len(content), cut="longer than 16 MiB" if cut else None)


def _communicators(content: bytes) -> Iterator[_Communicator]:
    held: _Communicator | None = None
    count = 0
    for line in lines(content):
        if kind := _KIND.fullmatch(line.text):
            if held is not None:
                yield held
            held = _Communicator(kind[1])
        elif held is None:
            continue
        elif many := _MANY.fullmatch(line.text):
            count = int(many[2] or 0)
            held.total[count] = int(many[1])
        elif one := _ONE.fullmatch(line.text):
            held.total.setdefault(int(one[2] or 0), 1)
            held.ranks.append(_Rank(int(one[1]), int(one[2] or 0), one[3] or "", line))
        elif listed := _LISTED.fullmatch(line.text):
            held.ranks.append(_Rank(int(listed[1]), count, listed[2], line))
        elif _HEADING.fullmatch(line.text) or not line.text.strip():
            yield held
            held = None
    if held is not None:
        yield held


def _behind(one: _Communicator, artifact: Artifact) -> Iterator[RawEvent]:
    if len(one.total) < 2:
        return
    low, high, everybody = min(one.total), max(one.total), sum(one.total.values())
    late = [rank for rank in one.ranks if rank.count == low]
    if one.total[low] > max(1, everybody // _FEW):
        return
    for rank in late:
        node = _NODE.search(rank.where)
        yield state(
            "ras/far-behind" if high - low >= _FAR else "ras/behind",
            cite(artifact.path, rank.line),
            Subject(rank=rank.rank, node=node[1] if node else artifact.node),
            numbers={"count": float(low), "highest": float(high)},
            culprit_rank=str(rank.rank),
            hang="yes",
            message=f"rank {rank.rank} has launched {low} {one.kind} operations, others up to {high}",
        )


PARSERS = (Parser(id="ras", claims=claims, read=read, scanned=True),)
