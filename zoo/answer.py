"""What a diagnosis said about a case, whoever said it: read from a JSON report, or found in plain text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

CLASSES = (
    "nan-inf",
    "oom",
    "optimization-divergence",
    "cuda-runtime",
    "nccl-distributed",
    "data-pipeline",
    "config-error",
    "io-checkpoint",
    "stalled",
    "process-crash",
    "evaluation-mismatch",
    "pipeline-orchestration",
    "cloud-permissions-quota",
)
FINE = ("completed", "running", "recovered")
UNKNOWN = "unknown"
STATUSES = ("crashed", "hung", "degraded", "diverged", *FINE, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in an artifact: lines (1-based, inclusive) or a JSON pointer."""

    artifact: str
    first_line: int | None = None
    last_line: int | None = None
    pointer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The fields of a report that are scored; ``leading`` is the class it would have named had it not abstained."""

    primary_cause: str | None = None
    run_status: str = "unknown"
    root: Citation | None = None
    evidence: tuple[Citation, ...] = ()
    rank: int | None = None
    routed: str | None = None
    workload_category: str | None = None
    last_step: int | None = None
    last_good: str | None = None
    confidence: float = 0.0
    abstained: bool = False
    leading: str | None = None


def read_report(report: Mapping[str, Any]) -> Answer:
    """The answer in a ``runtriage.report/1`` document; absent fields count as not answered."""
    cause = report.get("primary_cause")
    status = str(report.get("run_status") or "unknown")
    guesses = [_part(one).get("primary_class") for one in report.get("hypotheses") or ()]
    return Answer(
        primary_cause=cause if cause in CLASSES else None,
        run_status=status,
        root=_citation(report.get("root_evidence")),
        evidence=tuple(
            cited
            for one in report.get("evidence") or ()
            if (cited := _citation(_part(one).get("citation"))) is not None
        ),
        rank=_part(report.get("culprit")).get("rank"),
        routed=report.get("routed"),
        workload_category=report.get("workload_category"),
        last_step=_part(report.get("last_progress")).get("step"),
        last_good=next(
            (str(one["path"]) for one in map(_part, report.get("checkpoints") or ()) if one.get("last_good")), None
        ),
        confidence=float(report.get("confidence_score") or 0.0),
        abstained=cause is None and (bool(report.get("abstained")) or status not in FINE) and not report.get("routed"),
        leading=next((guess for guess in guesses if guess in CLASSES), None),
    )


def read_text(text: str) -> Answer:
    """The answer in free text: the first class id, the first status word and the first ``file:line`` in it."""
    cause = _first_word(CLASSES, text)
    status = _first_word(STATUSES, text.lower()) or ("crashed" if cause else "unknown")
    place = re.search(r"([\w./-]+\.(?:log|txt|out|err|jsonl?|csv|ya?ml)):(\d+)", text)
    root = Citation(place[1], int(place[2]), int(place[2])) if place else None
    return Answer(
        primary_cause=cause,
        run_status=status,
        root=root,
        evidence=(root,) if root else (),
        confidence=1.0 if cause else 0.0,
        abstained=cause is None and status not in FINE,
    )


def _first_word(words: tuple[str, ...], text: str) -> str | None:
    found = re.search(r"(?<![\w-])(" + "|".join(map(re.escape, words)) + r")(?![\w-])", text)
    return found[1] if found else None


def _part(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _citation(value: object) -> Citation | None:
    part = _part(value)
    if not part.get("artifact"):
        return None
    first = part.get("first_line")
    return Citation(str(part["artifact"]), first, part.get("last_line") or first, part.get("pointer"))
