"""What the history keeps of a diagnosis."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Final

from runtriage.api.recurrence_fingerprint import entities, fingerprint, mechanism, run_key
from runtriage.model.facts import Facts
from runtriage.model.place import Citation
from runtriage.model.report import CitationModel, Report
from runtriage.pipeline import Diagnosis
from runtriage.redact import clean
from runtriage.store.history_entry import Entry

_WENT_ON: Final = frozenset({"diverged", "degraded"})
_SETTINGS: Final = 2_000
_METRICS: Final = 500
_LONGEST: Final = 1_000
_NAME: Final = 200
_PATH: Final = 4_096


def entry_of(report: Report, diagnosis: Diagnosis) -> Entry:
    """Return the entry of a diagnosis, all its values clean."""
    facts, who = diagnosis.facts, report.culprit
    words = mechanism(report, diagnosis.verdict.values)
    return Entry(
        id=_text(report.run_id),
        seen_at=report.timestamp,
        happened_at=_happened(report, diagnosis) or report.timestamp,
        target=_text(report.target),
        place=_place(facts.target),
        run_key=run_key(report),
        bytes=report.coverage.bytes,
        mtime=max((read.artifact.mtime for read in facts.reads if read.artifact.mtime is not None), default=None),
        run_status=report.run_status,
        primary_cause=report.primary_cause,
        failure_mode=report.failure_mode,
        framework=report.framework,
        confidence=report.confidence_score,
        decision=report.decision,
        fingerprint=fingerprint(words),
        mechanism=_text(words),
        node=_text(who.node or who.pod or "", _NAME) or None,
        rank=who.rank,
        step=_failed_at(report),
        hours=report.observed.hours,
        summary=_text(report.summary),
        version=report.tool.version,
        said=fingerprint(report.evidence[0].claim if words and report.evidence else ""),
        printed=_printed(report),
    )


def _failed_at(report: Report) -> int | None:
    """Return the step at which it failed: where its curve shows that first, else the last step, unless the run went on after its failure."""
    root = report.root_evidence
    if root is not None and root.series is not None and root.first_step is not None and isfinite(root.first_step):
        return int(root.first_step)
    return None if report.run_status in _WENT_ON else report.last_progress.step


def _printed(report: Report) -> str | None:
    """Return the first and the last time that the run prints, as it prints them."""
    known = [time for time in (report.observed.first_time, report.observed.last_time) if time]
    return _text(" | ".join(known), _NAME) or None


def things(report: Report, diagnosis: Diagnosis) -> list[tuple[str, str]]:
    """Return what the failure happened to, as (kind, name)."""
    return [(kind, _text(name)) for kind, name in entities(report, diagnosis.verdict.values)]


def hidden(entry: Entry, report: Report) -> Entry:
    """Return the entry of a report that hides who and where: ordinals of one report mean nothing in another."""
    return entry._replace(
        target=_text(report.target), place=None, mechanism="", node=None, summary=_text(report.summary), said=None
    )


def settings(report: Report, facts: Facts) -> bytes:
    """Return the run's settings and surroundings as JSON."""
    return json.dumps(
        {
            "settings": {item.name: item.value for item in facts.settings[:_SETTINGS]},
            "frameworks": list(facts.frameworks),
            "world_size": facts.world_size,
            "hours": report.observed.hours,
            "metrics": sorted({item.name for item in report.metrics})[:_METRICS],
        }
    ).encode()


def _text(value: str, most: int = _LONGEST) -> str:
    """Return text that every database takes, and no more of it than a list can show."""
    return value[:most].replace("\0", "").encode("utf-8", "replace").decode()


def _place(target: str) -> str | None:
    """Return where the run lies; nothing for a pipe or for several places together."""
    if target == "-":
        return None
    path = Path(target)
    try:
        local = path.exists()
    except (OSError, ValueError):
        local = False
    return _text(clean(str(path.absolute()) if local else target), _PATH)


def _happened(report: Report, diagnosis: Diagnosis) -> str | None:
    """Return when the run failed: as the root says in UTC, else when its file was written last."""
    root = report.root_evidence
    if root is None:
        mtimes = [read.artifact.mtime for read in diagnosis.facts.reads if read.artifact.mtime is not None]
        return iso(max(mtimes)) if mtimes else None
    place = _cited(root)
    for event in diagnosis.facts.events:
        if _cited(event.citation) == place:
            if event.when and event.when.utc is not None:
                return iso(event.when.utc)
            break
    named = [read.artifact.mtime for read in diagnosis.facts.reads if read.artifact.path == root.artifact]
    return iso(named[0]) if named and named[0] is not None else None


def _cited(citation: Citation | CitationModel) -> tuple[str, str | int | None]:
    """Return where a citation points: a pointer says it where there is one, the bytes are then those of the whole document."""
    return citation.artifact, citation.byte_start if citation.pointer is None else citation.pointer


def iso(seconds: float) -> str | None:
    """Return seconds since 1970 as ISO 8601 in UTC, None for a time that no calendar holds."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (OverflowError, OSError, ValueError):
        return None
