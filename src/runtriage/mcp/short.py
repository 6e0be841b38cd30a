"""A report made short enough for an agent's context, with nothing in it that a run could use to give orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.mcp.answers import Diagnosis, EvidenceLine, Order, Other, Step
from runtriage.mcp.orders import orders, withheld
from runtriage.model.place import where
from runtriage.model.report import CitationModel, Report

_EVIDENCE: Final = 5
_OTHERS: Final = 4
_STEPS: Final = 4
_MISSING: Final = 3
_ORDERS: Final = 5
_LONG: Final = 400
_SHORT: Final = 180


def short(report: Report, report_id: str) -> Diagnosis:
    """Return the answer to `diagnose`."""
    who = report.culprit
    culprit = {"rank": who.rank, "node": who.node, "pod": who.pod, "gpu": who.gpu}
    good = next((item.path for item in report.checkpoints if item.last_good), None)
    return Diagnosis(
        report_id=report_id,
        status=report.run_status,
        framework=report.framework,
        primary_cause=report.primary_cause,
        failure_mode=report.failure_mode,
        confidence=report.confidence_score,
        decision=report.decision,
        summary=told(report.summary, _LONG),
        root_cause=told(report.root_cause.root, _LONG),
        culprit={
            name: told(value, _SHORT) if isinstance(value, str) else value
            for name, value in culprit.items()
            if value is not None
        },
        last_step=report.last_progress.step,
        attempts=report.attempts,
        abstained=report.abstained,
        routed=report.routed,
        evidence=_evidence(report),
        evidence_total=len(report.evidence),
        ruled_out=[Other(cause=item.cause, because=told(item.because, _SHORT)) for item in report.ruled_out[:_OTHERS]],
        plan=_plan(report),
        missing=[told(f"{item.what}: {item.why}", _SHORT) for item in report.missing[:_MISSING]],
        last_good_checkpoint=None if good is None else told(good, _SHORT),
        read=_read(report),
        orders_in_run_text=[
            Order(where=place, untrusted_text=sentence[:_SHORT]) for place, sentence in list(found(report))[:_ORDERS]
        ],
    )


def _evidence(report: Report) -> list[EvidenceLine]:
    return [
        EvidenceLine(id=item.id, claim=told(item.claim, _SHORT), cite=cite(item.citation), rank=item.rank)
        for item in report.evidence[:_EVIDENCE]
    ]


def _plan(report: Report) -> list[Step]:
    return [
        Step(
            action=told(item.action, _SHORT),
            risk=item.risk,
            command=None if item.command is None else told(item.command, _LONG),
            validate_by=told(item.validate_, _SHORT),
        )
        for item in report.plan[:_STEPS]
    ]


def told(text: str, length: int) -> str:
    """Return a text of this program that may quote the run: without orders, on one line, cut."""
    line = " ".join(withheld(text).split())
    return line if len(line) <= length else line[: length - 1] + "…"


def cite(citation: CitationModel) -> str:
    """Return a citation as `file:line`."""
    return told(where(citation), _SHORT)


def found(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the sentences that give orders, with where they stand: in the evidence, or in a name or value a claim quotes."""
    seen: set[str] = set()
    for place, text in _texts(report):
        for sentence in orders(text):
            if sentence not in seen:
                seen.add(sentence)
                yield place, sentence


def _texts(report: Report) -> Iterator[tuple[str, str]]:
    for item in report.evidence:
        yield item.id, item.excerpt
        yield item.id, item.claim
        yield f"name of the file of {item.id}", _words(item.citation.artifact)
        yield f"lines around {item.id}", "\n".join(item.context)
    yield "summary", report.summary
    yield "root cause", report.root_cause.root
    for name in (report.target, *(each.artifact for each in report.coverage.artifacts)):
        yield "name of a file", _words(name)
    for step in report.plan:
        yield "plan", step.action
        yield "plan", step.command or ""
    for checkpoint in report.checkpoints:
        yield "name of a checkpoint", _words(checkpoint.path)


def _words(name: str) -> str:
    """Return a file name with the marks that stand for spaces in names as spaces."""
    return name.replace("_", " ").replace("-", " ").replace("/", "\n")


def _read(report: Report) -> str:
    seen = report.coverage
    whole = "all of it" if seen.complete else f"not all: {len(seen.not_seen)} not seen"
    return f"{seen.files} files, {seen.bytes:,} bytes, {whole}"
