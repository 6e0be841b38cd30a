"""What the page shows, as names the templates know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from runtriage.model.place import where
from runtriage.model.report import PlanStep, Report
from runtriage.render import extras, html_source, svg_curve, svg_timeline, workflow_stages, workload
from runtriage.render.svg_scale import number

_TONES: Final = {
    "completed": "good",
    "recovered": "good",
    "running": "live",
    "pending": "live",
    "unknown": "warn",
    "degraded": "warn",
}
RISKS: Final = (
    ("safe", "Safe", "good", "Changes nothing, or nothing that cannot be taken back."),
    ("needs-approval", "Needs approval", "warn", "Changes the run or its resources: somebody has to agree."),
    ("dangerous", "Dangerous", "bad", "Can lose work: read it twice."),
)


def content(whole: Report, shown: Report) -> dict[str, Any]:
    """Return the variables of the page; `whole` only tells how much `shown` leaves out."""
    return {
        "report": shown,
        "tone": _TONES.get(shown.run_status, "bad"),
        "facts": _facts(shown),
        "timeline": svg_timeline.timeline(shown),
        "charts": svg_curve.charts(shown),
        "proofs": html_source.proofs(shown),
        "plan": _plan(shown),
        "rivals": _rivals(shown),
        "checkpoints": html_source.checkpoints(shown),
        "root_place": where(shown.root_evidence) if shown.root_evidence else "",
        "coverage": extras.coverage(shown),
        "stages": workflow_stages.stages(shown.workflow),
        "workflow": _plain([(k, v) for k, v in (shown.workflow or {}).items() if not isinstance(v, dict | list)]),
        "extra": _platform(shown),
        **_workload(shown),
        "cut": {
            name: html_source.left_out(getattr(whole, name), getattr(shown, name))
            for name in ("evidence", "cascade", "ruled_out", "plan", "next_commands", "checkpoints", "missing")
        }
        | {"artifacts": html_source.left_out(whole.coverage.artifacts, shown.coverage.artifacts)},
        "size": extras.size,
        "number": number,
    }


def _facts(report: Report) -> list[tuple[str, str]]:
    """Return label and value of what is known about the run, for a grid."""
    who, last = report.culprit, report.last_progress
    named = [f"rank {who.rank}"] if who.rank is not None else []
    named += [text for text in (who.pod, f"GPU {who.gpu}" if who.gpu else None, who.node) if text]
    step = [f"step {last.step:,}"] if last.step is not None else []
    step += [f"epoch {last.epoch:g}"] if last.epoch is not None else []
    failed = report.primary_cause is not None
    pairs = [
        ("Failed first", " · ".join(named) or ("no single rank" if failed else "")),
        ("Last progress", " · ".join(step)),
        ("Last sign of it", last.time or ""),
        ("Framework", report.framework if report.framework != "unknown" else ""),
        ("Attempts", str(report.attempts) if report.attempts > 1 else ""),
        ("Also", ", ".join(report.secondary_causes)),
        ("Category", report.workload_category or ""),
        ("Happens again", {True: "every time", False: "not every time"}.get(cast("bool", report.deterministic), "")),
        ("Routed", report.routed if report.routed and report.routed != report.run_status else ""),
    ]
    return [(label, value) for label, value in pairs if value]


def _plan(report: Report) -> list[tuple[str, str, str, str, list[tuple[int, PlanStep]]]]:
    """Return the steps by risk, each with its place in the plan as a whole."""
    numbered = list(enumerate(report.plan, 1))
    groups = [
        (name, title, tone, text, [pair for pair in numbered if pair[1].risk == name])
        for name, title, tone, text in RISKS
    ]
    return [group for group in groups if group[4]]


def _rivals(report: Report) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each cause that is not the root, with the reasons and where they are printed."""
    found: dict[str, list[tuple[str, str]]] = {}
    for item in extras.others(report):
        place = where(item.citation) if item.citation else ""
        found.setdefault(item.cause, []).append((item.because, place))
    return list(found.items())


def _workload(report: Report) -> dict[str, Any]:
    """Return the workload of a platform with its history in words, None where the report tells of none."""
    if not workload.has(report):
        return {"workload": None}
    found = workload.of(report)
    return {"workload": found, "workload_history": workload.history(found)}


def _plain(pairs: Sequence[tuple[str, object]]) -> list[tuple[str, str]]:
    """Return label and text of what is said at all."""
    found: list[tuple[str, str]] = []
    for name, value in pairs:
        if value not in (None, "", [], {}):
            items = cast("list[object]", value) if isinstance(value, list) else [value]
            found.append((name.replace("_", " "), "; ".join(map(str, items))))
    return found


def _platform(report: Report) -> list[tuple[str, str]]:
    """Return what a workflow or a platform adds, as label and text."""
    pairs = [(name, value) for name, value in (report.extension or {}).items() if name != "workload"]
    lines = [tuple(map(str.strip, line.partition(":")[::2])) for line in report.platform_lines]
    plain = _plain(pairs)
    return [*plain, *((label, text) for label, text in lines if label != "Workflow stages")]
