"""A report made short enough for an agent's context, with nothing in it that a run could use to give orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.api.orders import orders
from runtriage.api.orders_search import MOST, Orders, words
from runtriage.mcp.answers import Diagnosis, EvidenceLine, Order, Other, Step
from runtriage.mcp.quote import Quotes, one_line, quotes
from runtriage.model.place import where
from runtriage.model.report import CitationModel, Report
from runtriage.render.extras import others

_EVIDENCE: Final = 5
_OTHERS: Final = 4
_STEPS: Final = 4
_MISSING: Final = 3
_ORDERS: Final = 5
_LONG: Final = 400
_SHORT: Final = 180


def short(report: Report, report_id: str, given: Orders) -> Diagnosis:
    """Return the answer to `diagnose`; `given` are orders in the run's text, cited or not."""
    quote = quotes(report)
    for place, sentence in found(report):
        given.add(place, sentence)
    good = next((item.path for item in report.checkpoints if item.last_good), None)
    return Diagnosis(
        report_id=report_id,
        status=report.run_status,
        framework=report.framework,
        primary_cause=report.primary_cause,
        failure_mode=report.failure_mode,
        confidence=report.confidence_score,
        decision=report.decision,
        summary=quote.told(report.summary, _LONG),
        root_cause=quote.told(report.root_cause.root, _LONG),
        culprit=_culprit(report, quote),
        last_step=report.last_progress.step,
        attempts=report.attempts,
        abstained=report.abstained,
        routed=report.routed,
        evidence=_evidence(report, quote),
        evidence_total=len(report.evidence),
        ruled_out=[
            Other(cause=item.cause, because=quote.told(item.because, _SHORT)) for item in others(report)[:_OTHERS]
        ],
        plan=_plan(report, quote),
        missing=[quote.told(f"{item.what}: {item.why}", _SHORT) for item in report.missing[:_MISSING]],
        last_good_checkpoint=None if good is None else quote.name(good, _SHORT),
        read=_read(report, given),
        orders_in_run_text=[
            Order(where=quote.name(place, _SHORT), untrusted_text=sentence[:_SHORT])
            for place, sentence in given.found[:_ORDERS]
        ],
        orders_total=len(given.found),
    )


def _culprit(report: Report, quote: Quotes) -> dict[str, int | str]:
    who = report.culprit
    named = {"rank": who.rank, "node": who.node, "pod": who.pod, "gpu": who.gpu}
    return {
        name: quote.name(value, _SHORT) if isinstance(value, str) else value
        for name, value in named.items()
        if value is not None
    }


def _evidence(report: Report, quote: Quotes) -> list[EvidenceLine]:
    return [
        EvidenceLine(id=item.id, claim=quote.told(item.claim, _SHORT), cite=cite(item.citation, quote), rank=item.rank)
        for item in report.evidence[:_EVIDENCE]
    ]


def _plan(report: Report, quote: Quotes) -> list[Step]:
    return [
        Step(
            action=quote.told(item.action, _SHORT),
            risk=item.risk,
            command=None if item.command is None else one_line(item.command, _LONG),
            validate_by=quote.told(item.validate_, _SHORT),
        )
        for item in report.plan[:_STEPS]
    ]


def cite(citation: CitationModel, quote: Quotes) -> str:
    """Return a citation as `file:line`."""
    return quote.name(where(citation), _SHORT)


def found(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the sentences that give orders, with where they stand: in the evidence, or in a name or value a claim quotes."""
    for place, text in _texts(report):
        yield from ((place, sentence) for sentence in orders(text))


def _texts(report: Report) -> Iterator[tuple[str, str]]:
    for item in report.evidence:
        yield item.id, item.excerpt
        yield item.id, item.claim
        yield f"name of the file of {item.id}", words(item.citation.artifact)
        yield f"lines around {item.id}", "\n".join(item.context)
    yield "summary", report.summary
    yield "root cause", report.root_cause.root
    for name in (report.target, *(each.artifact for each in report.coverage.artifacts)):
        yield "name of a file", words(name)
    for step in report.plan:
        yield "plan", step.action
        yield "plan", step.command or ""
    for checkpoint in report.checkpoints:
        yield "name of a checkpoint", words(checkpoint.path)


def _read(report: Report, given: Orders) -> str:
    seen = report.coverage
    whole = "all of it" if seen.complete else f"not all: {len(seen.not_seen)} not seen"
    searched = "" if given.whole else f"; orders were looked for in the first {MOST >> 20} MB"
    return f"{seen.files} files, {seen.bytes:,} bytes, {whole}{searched}"
