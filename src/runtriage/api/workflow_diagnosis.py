"""A workflow run diagnosed whole: its records, its stage logs, its next move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtriage.api.diagnosis import diagnose_opened
from runtriage.api.workflow import THRESHOLD, Access, clean, evidence_of
from runtriage.api.workflow_live import Live, Nothing
from runtriage.api.workflow_reading import read_records
from runtriage.judge.workflow import assess
from runtriage.model.options import Options
from runtriage.model.report import Report
from runtriage.render.workflow_document import document
from runtriage.targets.objects_target import objects_target
from runtriage.targets.workflow_place import RunPlace


def diagnose_run(
    run: str,
    access: Access,
    *,
    options: Options | None = None,
    threshold: int = THRESHOLD,
    load_failed: bool = False,
    live: Live | None = None,
) -> Report:
    """Diagnose a run and return its report with the `workflow` field filled. Raises `TargetError`."""
    where = access.place(run)
    found = workflow_of(where, access, live or access.live(), threshold=threshold, load_failed=load_failed)
    with objects_target(where.store, where.key, where.uri) as opened:
        report = diagnose_opened(opened, options=options)
    return joined(report, found or {})


def workflow_of(
    where: RunPlace, access: Access, live: Live, *, threshold: int = THRESHOLD, load_failed: bool = False
) -> dict[str, Any] | None:
    """Return the state of the run that lies at a place, or None where no run does."""
    records = read_records(where, load_failed=load_failed)
    if not (records.manifest or records.ledger) and not any(each.state == "broken" for each in records.documents):
        return None
    evidence = evidence_of(records, where, access, live, threshold)
    return clean(document(assess(evidence, access.alias), evidence, where.checks))


def joined(report: Report, found: Mapping[str, Any]) -> Report:
    """Return the report with the state of its workflow run."""
    return report.model_copy(update={"workflow": dict(found) or None})


def offline() -> Live:
    """Return what answers live questions where none shall be asked."""
    return Nothing()
