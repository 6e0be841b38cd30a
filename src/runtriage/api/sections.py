"""Parts of the report document, one function each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import overload

from msgspec import to_builtins

from runtriage.judge.several_runs import different_runs
from runtriage.model.artifact import Collected, Failed, Request, Skipped, Unavailable
from runtriage.model.facts import Checkpoint, Facts, RankProgress
from runtriage.model.finding import Broken
from runtriage.model.place import Citation
from runtriage.model.plan import Step
from runtriage.model.report import (
    CascadeModel,
    CheckpointModel,
    CitationModel,
    Coverage,
    Culprit,
    EvidenceModel,
    LastProgress,
    PlanStep,
    ReadModel,
    SeriesSummary,
)
from runtriage.model.series import Point, Series
from runtriage.model.verdict import Verdict
from runtriage.pipeline import Diagnosis, request_key
from runtriage.plan.resume import last_good

_READS = 200
_SERIES = 8
_CURVE = 120


@overload
def cite(citation: Citation) -> CitationModel: ...
@overload
def cite(citation: None) -> None: ...
def cite(citation: Citation | None) -> CitationModel | None:
    """Return a citation as the document writes it."""
    return None if citation is None else CitationModel(**to_builtins(citation))


def culprit(verdict: Verdict) -> Culprit:
    """Return who failed first, all null when nobody in particular did."""
    who = verdict.culprit
    return Culprit() if who is None else Culprit(rank=who.rank, node=who.node, pod=who.pod, gpu=who.gpu)


def progress(entry: RankProgress | None) -> LastProgress:
    """Return the last sign of progress."""
    if entry is None:
        return LastProgress()
    when = entry.last_progress_time.text if entry.last_progress_time else None
    return LastProgress(step=entry.last_step, epoch=entry.last_epoch, time=when)


def evidence(diagnosis: Diagnosis) -> list[EvidenceModel]:
    """Return the cited claims, the root first, with their time and rank where the same event carries them."""
    by_place = {_place(event.citation): event for event in diagnosis.facts.events}
    found: list[EvidenceModel] = []
    for number, item in enumerate(diagnosis.verdict.evidence, 1):
        event = by_place.get(_place(item.citation))
        is_root = number == 1 and diagnosis.verdict.root is not None
        found.append(
            EvidenceModel(
                id=f"e{number}",
                claim=item.claim,
                citation=cite(item.citation),
                excerpt=item.excerpt,
                quantity=item.quantity,
                role="root" if is_root else "support",
                time=event.when.text if event and event.when else None,
                rank=event.subject.rank if event else None,
            )
        )
    return found


def _place(citation: Citation) -> tuple[str, int | None, str | None]:
    return citation.artifact, citation.byte_start, citation.pointer


def cascade(verdict: Verdict) -> list[CascadeModel]:
    """Return what the root explains."""
    return [
        CascadeModel(
            mode=item.mode,
            text=item.text,
            citation=cite(item.citation),
            ranks=sorted({subject.rank for subject in item.subjects if subject.rank is not None}),
        )
        for item in verdict.cascade
    ]


def step(item: Step) -> PlanStep:
    """Return one step of the plan."""
    return PlanStep(
        action=item.action,
        risk=item.risk,
        expected_impact=item.expected_impact,
        time_to_try=item.time_to_try,
        reversible=item.reversible,
        validate_=item.validate,
        command=item.command,
        origin=item.origin,
        proceeds=item.proceeds,
        fix=item.fix,
    )


def coverage(diagnosis: Diagnosis) -> Coverage:
    """Return what was read, what was cut, and what could not be seen."""
    reads = diagnosis.facts.reads
    wished = set(map(request_key, diagnosis.verdict.missing))
    unseen = _folded(
        (item.request, item.error if isinstance(item, Failed) else item.reason)
        for item in diagnosis.facts.outcomes
        if isinstance(item, (Unavailable, Failed, Skipped)) and request_key(item.request) not in wished
    )
    unseen += _folded(
        (item.request, item.cut) for item in diagnosis.facts.outcomes if isinstance(item, Collected) and item.cut
    )
    return Coverage(
        files=len(reads),
        bytes=sum(read.bytes_read for read in reads),
        complete=not unseen and all(read.cut is None for read in reads),
        artifacts=[
            ReadModel(
                artifact=read.artifact.path,
                kind=read.artifact.kind,
                bytes=read.bytes_read,
                lines=read.lines,
                cut=read.cut,
            )
            for read in reads[:_READS]
        ],
        not_seen=unseen,
        denied=sum(
            isinstance(item, Unavailable) and request_key(item.request) not in wished
            for item in diagnosis.facts.outcomes
        ),
        rules=diagnosis.rules,
        rules_broken=[f"{item.rule}: {item.error}" for item in diagnosis.findings if isinstance(item, Broken)],
        dropped_events=sum(read.dropped for read in reads),
        different_runs=list(different_runs(diagnosis.facts)),
        beside=[name for item in diagnosis.facts.outcomes if isinstance(item, Collected) for name in item.beside],
    )


def _folded(told: Iterable[tuple[Request, str]]) -> list[str]:
    """Return what was not read and why, once where the same is true of several processes."""
    pids: dict[tuple[str, str], list[str]] = {}
    for request, reason in told:
        pids.setdefault((request.args.get("path") or request.kind, reason), []).extend(
            filter(None, [request.args.get("pid")])
        )
    return [f"{name}{_of(numbers)} ({reason})" for (name, reason), numbers in pids.items()]


def _of(pids: Sequence[str]) -> str:
    if not pids:
        return ""
    return f" of process {pids[0]}" if len(pids) == 1 else f" of {len(pids)} processes"


def telling(found: Sequence[Series], verdict: Verdict) -> list[Series]:
    """Return the series worth showing: those with a role, the culprit's rank first, at most eight."""
    rank = verdict.culprit.rank if verdict.culprit else None
    known = [item for item in found if item.role is not None]
    known.sort(key=lambda item: (item.role != "loss", item.subject.rank != rank, -item.total, item.name, item.artifact))
    return known[:_SERIES]


def series(item: Series) -> SeriesSummary:
    """Return the numbers of one series and a curve of at most 120 points."""
    stride = max(len(item.points) // _CURVE, 1)
    points = item.points[::stride]
    if (len(item.points) - 1) % stride:
        points = (*points, item.points[-1])
    return SeriesSummary(
        name=item.name,
        role=item.role,
        artifact=item.artifact,
        rank=item.subject.rank,
        total=item.total,
        first=_value(item.points[0]) if item.points else None,
        last=_value(item.points[-1]) if item.points else None,
        minimum=_value(item.minimum) if item.minimum else None,
        maximum=_value(item.maximum) if item.maximum else None,
        nonfinite=item.nonfinite,
        curve=[(point.step, _value(point)) for point in points],
    )


def _value(point: Point) -> float | None:
    return point.value if math.isfinite(point.value) else None


def checkpoints(facts: Facts, verdict: Verdict) -> list[CheckpointModel]:
    """Return the checkpoints of the run, the last good one marked."""
    return listed(facts.checkpoints, last_good(facts, verdict))


def listed(found: Sequence[Checkpoint], good: Checkpoint | None) -> list[CheckpointModel]:
    """Return checkpoints as the report lists them, the good one marked."""
    return [
        CheckpointModel(
            path=item.path,
            step=item.step,
            time=None if item.mtime is None else datetime.fromtimestamp(item.mtime, UTC).isoformat(timespec="seconds"),
            size=item.size,
            format=item.format,
            valid=item.valid,
            problem=item.problem,
            optimizer=item.optimizer,
            rng=item.rng,
            last_good=item is good,
        )
        for item in found
    ]
