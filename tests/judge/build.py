"""Findings and facts as literals."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.model.event import FINISH, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Evidence, Match
from runtriage.model.options import Options
from runtriage.model.place import Citation
from runtriage.model.subject import Subject
from runtriage.model.time import Instant


def at(artifact: str, line: int) -> Citation:
    return Citation(
        artifact=artifact, first_line=line, last_line=line, byte_start=line * 100, byte_end=line * 100 + 99, sha256="0"
    )


def when(seconds: float, clock: str = "") -> Instant:
    return Instant(text=f"t{seconds}", seconds=seconds, clock=clock)


def match(
    mode: str,
    line: int,
    *,
    artifact: str = "train.log",
    role: str = "cause",
    tier: str = "exception",
    rank: int | None = None,
    attempt: int = 0,
    step: int | None = None,
    seconds: float | None = None,
    maturity: str = "stable",
    scope: str = "rank",
    captures: dict[str, str] | None = None,
    numbers: dict[str, float] | None = None,
    subject: Subject | None = None,
) -> Match:
    return Match(
        rule=f"{mode}.test",
        mode=mode,
        role=role,
        maturity=maturity,
        tier=tier,
        evidence=(Evidence(claim=f"{mode} at line {line}", citation=at(artifact, line)),),
        subject=subject or Subject(attempt=attempt, rank=rank),
        scope=scope,
        start=None if seconds is None else when(seconds),
        step=step,
        captures=captures or {},
        numbers=numbers or {},
        title=mode,
    )


def progress(
    last_step: int,
    line: int,
    *,
    artifact: str = "train.log",
    rank: int | None = None,
    attempt: int = 0,
    total: int | None = None,
) -> RankProgress:
    return RankProgress(
        artifact=artifact,
        subject=Subject(attempt=attempt, rank=rank),
        first_step=0,
        last_step=last_step,
        total_steps=total,
        progress_lines=last_step,
        last_progress=at(artifact, line),
    )


def finish(line: int, artifact: str = "train.log", attempt: int = 0) -> Event:
    return Event(
        kind=FINISH,
        name="finish",
        citation=at(artifact, line),
        excerpt="training finished",
        subject=Subject(attempt=attempt),
    )


def facts(
    *, entries: Sequence[RankProgress] = (), events: Sequence[Event] = (), world_size: int | None = None
) -> Facts:
    return Facts(target="run", options=Options(), progress=tuple(entries), events=tuple(events), world_size=world_size)
