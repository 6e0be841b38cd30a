"""The report document, put together from what the pipeline learnt and concluded."""

from __future__ import annotations

from typing import Any

from runtriage.api import sections
from runtriage.api.data import data
from runtriage.api.framework import display
from runtriage.api.observed import observed
from runtriage.api.platform import platform_lines
from runtriage.api.platform_vertex import commands, framework, pipeline_state
from runtriage.model.report import HypothesisModel, Missing, Report, RootCause, RuledOutModel, Tool
from runtriage.model.verdict import Hypothesis, RuledOut, Verdict
from runtriage.pipeline import Diagnosis
from runtriage.render.level import level
from runtriage.version import __version__

_HYPOTHESES = 5
_RULES = 5


def assemble(diagnosis: Diagnosis, *, run_id: str, timestamp: str, duration: float) -> Report:
    """Return the report of one diagnosis."""
    verdict, facts, plan = diagnosis.verdict, diagnosis.facts, diagnosis.plan
    return Report(
        tool=Tool(version=__version__),
        target=diagnosis.label,
        run_id=run_id,
        timestamp=timestamp,
        duration_seconds=duration,
        run_status=verdict.run_status,
        **_conclusion(verdict),
        framework=framework(facts) or display(facts),
        platform_lines=platform_lines(facts, verdict.run_status),
        platform_state=pipeline_state(facts),
        decision=plan.decision,
        root_cause=_root_cause(verdict),
        root_evidence=sections.cite(verdict.root),
        culprit=sections.culprit(verdict),
        last_progress=sections.progress(verdict.last_progress),
        observed=observed(facts),
        attempts=verdict.attempts,
        deterministic=verdict.deterministic,
        evidence=sections.evidence(diagnosis),
        cascade=sections.cascade(verdict),
        hypotheses=[_hypothesis(item) for item in verdict.hypotheses[:_HYPOTHESES]],
        ruled_out=list(map(_ruled_out, verdict.ruled_out)),
        plan=[sections.step(item) for item in plan.steps],
        next_commands=[*commands(facts), *plan.next_commands],
        missing=[Missing(what=item.kind, why=item.reason) for item in verdict.missing],
        coverage=sections.coverage(diagnosis),
        metrics=[sections.series(item) for item in sections.telling(facts.series, verdict)],
        checkpoints=sections.checkpoints(facts, verdict),
        data=data(facts),
        extension=_extension(verdict),
    )


def _conclusion(verdict: Verdict) -> dict[str, Any]:
    """Return what the judge concluded, as members of the report that are taken over as they are."""
    return {
        "primary_cause": verdict.primary_class,
        "secondary_causes": list(verdict.secondary_classes),
        "failure_mode": verdict.mode,
        "workload_category": verdict.workload_category,
        "confidence_score": verdict.confidence,
        "confidence": level(verdict.confidence),
        "routed": verdict.routed,
        "abstained": verdict.abstained,
        "summary": verdict.summary.replace("\n", " "),
    }


def _extension(verdict: Verdict) -> dict[str, object] | None:
    if verdict.workload is None:
        return None
    from runtriage.api.workload import extension  # only workloads of platforms have it

    return extension(verdict)


def _root_cause(verdict: Verdict) -> RootCause:
    return RootCause(proximate=verdict.proximate, root=verdict.root_cause, contributing=list(verdict.contributing))


def _ruled_out(item: RuledOut) -> RuledOutModel:
    return RuledOutModel(cause=item.cause, because=item.because, citation=sections.cite(item.citation))


def _hypothesis(item: Hypothesis) -> HypothesisModel:
    return HypothesisModel(
        mode=item.incident.mode if item.incident else None,
        primary_class=item.incident.primary_class if item.incident else None,
        score=item.score,
        supports=[fact.text for fact in item.facts if fact.weight > 0],
        contradicts=[fact.text for fact in item.facts if fact.weight < 0],
        would_settle=[request.reason for request in item.settle],
        rules=list(dict.fromkeys(match.rule for match in item.incident.matches))[:_RULES] if item.incident else [],
    )
