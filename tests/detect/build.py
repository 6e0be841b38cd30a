"""Events and facts as literals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXCEPTION, SIGNATURE, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.options import Options
from runtriage.model.place import Citation
from runtriage.model.series import Point, Series
from runtriage.model.subject import Subject
from runtriage.signatures.check import read_entries

CATALOGUE = Catalogue({entry.signature.id: entry.signature for entry in read_entries()[0]}, fixes={}, digest="")


def at(line: int, artifact: str = "train.log") -> Citation:
    return Citation(artifact=artifact, first_line=line, last_line=line, byte_start=line * 100, byte_end=line * 100 + 99)


def event(
    kind: str,
    name: str,
    line: int,
    *,
    excerpt: str = "",
    rank: int | None = None,
    step: int | None = None,
    captures: Mapping[str, str] | None = None,
    numbers: Mapping[str, float] | None = None,
    artifact: str = "train.log",
) -> Event:
    return Event(
        kind=kind,
        name=name,
        citation=at(line, artifact),
        excerpt=excerpt,
        captures=captures or {},
        numbers=numbers or {},
        step=step,
        subject=Subject(rank=rank),
    )


def signature(name: str, line: int, excerpt: str = "", rank: int | None = None) -> Event:
    return event(SIGNATURE, name, line, excerpt=excerpt, rank=rank)


def raised(name: str, message: str, line: int, first_line: int | None = None) -> Event:
    begin = float(line if first_line is None else first_line)
    numbers = {"first_line": begin, "last_line": float(line)}
    return event(EXCEPTION, name, line, excerpt=f"{name}: {message}", captures={"message": message}, numbers=numbers)


def series(
    name: str, role: str, values: Sequence[float], *, rank: int | None = None, every: int = 1, line: int = 1
) -> Series:
    points = tuple(
        Point(step=float(index * every), value=value, line=line + index, byte=(line + index) * 100, time=None)
        for index, value in enumerate(values, start=1)
    )
    return Series(
        name=name, role=role, artifact="train.log", subject=Subject(rank=rank), points=points, total=len(points)
    )


def facts(
    *, events: Sequence[Event] = (), curves: Sequence[Series] = (), progress: Sequence[RankProgress] = ()
) -> Facts:
    return Facts(target="run", options=Options(), events=tuple(events), series=tuple(curves), progress=tuple(progress))
