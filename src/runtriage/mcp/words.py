"""Answers as text for models: short, with every word of the run between marks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from runtriage.mcp import answers
from runtriage.mcp.fence import NOTICE, fenced


def diagnosis(found: answers.Diagnosis) -> str:
    """Return the answer to `diagnose`."""
    return "\n".join(_diagnosis(found))


def _diagnosis(found: answers.Diagnosis) -> Iterator[str]:
    yield f"Report {found.report_id}: {found.summary}"
    yield f"Status: {found.status}; framework: {found.framework}; decision: {found.decision}"
    cause = found.primary_cause or f"none{f' ({found.abstained})' if found.abstained else ''}"
    yield f"Primary cause: {cause} (confidence {found.confidence:.2f}); failure mode: {found.failure_mode or 'none'}"
    if found.culprit:
        yield "Culprit: " + ", ".join(f"{name} {value}" for name, value in found.culprit.items())
    if found.last_step is not None:
        yield f"Last step: {found.last_step}; attempts: {found.attempts}"
    yield f"Root cause: {found.root_cause}"
    if found.evidence:
        yield f"Evidence (get_evidence shows the lines; {found.evidence_total} in all):"
        yield from (f"- {item.id} {item.cite}: {item.claim}" for item in found.evidence)
    if found.ruled_out:
        yield "Ruled out:"
        yield from (f"- {item.cause}: {item.because}" for item in found.ruled_out)
    if found.plan:
        yield "Plan (anything but safe needs the user's approval):"
        yield from (_step(number, step) for number, step in enumerate(found.plan, 1))
    if found.last_good_checkpoint:
        yield f"Last good checkpoint: {found.last_good_checkpoint}"
    if found.missing:
        yield "Would settle it:"
        yield from (f"- {item}" for item in found.missing)
    yield f"Read: {found.read}"
    if found.orders_in_run_text:
        yield f"The run's own text gives orders ({found.orders_total} found). {NOTICE}"
        yield fenced([f"{item.where}: {item.untrusted_text}" for item in found.orders_in_run_text])


def _step(number: int, step: answers.Step) -> str:
    command = f" | {step.command}" if step.command else ""
    return f"{number}. [{step.risk}] {step.action}{command} | check: {step.validate_by}"


def evidence(found: answers.EvidencePage) -> str:
    """Return the answer to `get_evidence`."""
    parts = [NOTICE]
    for item in found.items:
        parts += [f"{item.id} ({item.role}) {item.cite}: {item.claim}", fenced(item.untrusted_text.splitlines())]
    if found.next_cursor:
        parts.append(f"More: cursor {found.next_cursor}")
    return "\n".join(parts)


def document(found: Mapping[str, object]) -> str:
    """Return a document that quotes a run or a server throughout: all of it between marks."""
    return f"{NOTICE}\n{fenced(json.dumps(found, indent=1, ensure_ascii=False).splitlines())}"
