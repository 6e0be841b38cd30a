"""What a run declared and what it really produced."""

from __future__ import annotations

from typing import Any, Final

from runtriage.api.workflow import Access, Document, clean, evidence_of
from runtriage.api.workflow_reading import read_records
from runtriage.judge.workflow_stages import stages
from runtriage.judge.workflow_status import unreadable
from runtriage.model.workflow_evidence import OutputCheck
from runtriage.render.workflow_document_stage import output
from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.objects import ObjectError
from runtriage.targets.workflow_place import RunPlace

_LISTED: Final = 1000
_OWN: Final = ("npa-workflow/", "workflow.yaml", "manifest.json")


def artifacts(run: str, access: Access, stage: str | None = None) -> Document:
    """Return the declared outputs of each stage, verified, and the objects under the run prefix. Needs storage only.

    Raises `TargetError` for an address that cannot name a run, or for a stage the run does not have.
    """
    where = access.place(run)
    records = read_records(where)
    evidence = evidence_of(records, where, access, None)
    found = {each.key: (each.state, each.outputs) for each in stages(evidence)}
    for planned in records.spec.stages if records.spec else ():
        if not any(key.partition("#")[0] == planned.name for key in found):
            found[planned.name] = (
                "NOT_REACHED",
                tuple(evidence.outputs[uri] for uri in planned.outputs if uri in evidence.outputs),
            )
    names = list(found)[:20]
    if stage is not None:
        found = {key: value for key, value in found.items() if stage in (key, key.partition("#")[0])}
    rows = [_stage(key, state, outputs) for key, (state, outputs) in found.items()]
    closed = unreadable(records)
    objects, truncated, problem = _objects(where, stage)
    if stage is not None and names and not (rows or objects or closed or problem):
        raise TargetError(f"--stage: the run has no stage {stage}; it has {', '.join(names)}", USAGE)
    lacking = next((row["stage"] for row in rows if row["state"] != "NOT_REACHED" and row["missing"]), None)
    exists = bool(records.manifest or records.ledger or records.spec or objects)
    return clean(
        {
            "run_id": records.run_id,
            "run_prefix_uri": records.prefix,
            **_resolution(where),
            "manifest_pending": records.manifest is None and records.ledger is not None,
            "state": "VERIFICATION_UNAVAILABLE" if closed or problem else "AVAILABLE" if exists else "NOT_FOUND",
            "reason": closed or problem or None,
            "first_stage_without_outputs": lacking,
            "stages": rows,
            "artifacts": objects,
            "artifacts_cut": truncated,
        }
    )


def _resolution(where: RunPlace) -> dict[str, Any]:
    """Return how the place of a run was found."""
    checks = [{"source": source, "outcome": outcome, "detail": detail} for source, outcome, detail in where.checks]
    return {"resolution_source": where.source, "resolution_checks": checks}


def _stage(key: str, state: str, outputs: tuple[OutputCheck, ...]) -> dict[str, Any]:
    bad = [check.uri for check in outputs if check.state in ("missing", "empty")]
    unknown = [check.uri for check in outputs if check.state == "indeterminate"]
    return {
        "stage": key,
        "state": state,
        "declared": [output(check) for check in outputs],
        "missing": bad,
        "indeterminate": unknown,
    }


def _objects(where: RunPlace, stage: str | None) -> tuple[list[dict[str, Any]], bool, str]:
    """Return objects of the run other than its records, whether there are more, and why they could not be listed."""
    found: list[dict[str, Any]] = []
    try:
        for entry in where.store.entries(where.key):
            name = entry.key[len(where.key) :].lstrip("/")
            if name.startswith(_OWN) or (stage is not None and stage not in name.split("/")):
                continue
            if len(found) >= _LISTED:
                return found, True, ""
            found.append({"uri": f"{where.uri}/{name}", "size": entry.size})
    except ObjectError as error:
        return found, False, "" if error.kind == "absent" else error.detail
    return sorted(found, key=lambda row: row["uri"]), False, ""
