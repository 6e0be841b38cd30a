"""What a stage printed, and which source answered: an empty tail and an object that was not read never look the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from runtriage.api.workflow import Access, Document, clean
from runtriage.api.workflow_reading import read_records
from runtriage.judge.workflow_commands import Commands
from runtriage.judge.workflow_norm import WAITING, family
from runtriage.judge.workflow_stages import stages
from runtriage.model.workflow import RunRecords
from runtriage.model.workflow_evidence import RunEvidence
from runtriage.model.workflow_state import Stage
from runtriage.parse.workflow.sky_error import sky_error
from runtriage.redact import clean as clean_text
from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, USAGE, TargetError
from runtriage.targets.objects import ObjectError
from runtriage.targets.workflow_place import LOGS, RunPlace

_TAIL: Final = 4 << 20


def logs(run: str, access: Access, stage: str | None = None, *, cached: bool = False) -> Document:
    """Return the log-source contract with the log of one stage. Live is asked first unless `cached`; storage is always looked at.

    Raises `TargetError` for an address that cannot name a run and for a stage it does not have.
    """
    where = access.place(run)
    records = read_records(where)
    chosen = _chosen(records, stage, where)
    again = Commands(records.run_id, records.prefix, access.alias).logs(chosen.key)
    found = _contract(records, chosen)
    found |= _stored(where, chosen.name)
    if not cached:
        found |= _live(access, chosen, has_stored=bool(found.get("log")))
    if found["live_log_state"] in ("unavailable", "pending"):
        found["retry_command"] = again
    return clean(found)


def follow(run: str, access: Access, stage: str | None) -> Iterator[str]:
    """Yield the lines of a live stage. Raises `TargetError` where no controller can be asked: that is never an empty log."""
    where = access.place(run)
    chosen = _chosen(read_records(where), stage, where)
    sky = access.sky()
    if not chosen.job_id:
        raise TargetError(f"{chosen.key}: no job is recorded for this stage, so there is none to follow", NO_ACCESS)
    if not sky.present:
        raise TargetError(
            "--follow needs the sky command or an API server, and neither is there; --cached reads what storage keeps",
            NO_ACCESS,
        )
    for line in sky.follow(chosen.job_id, chosen.name):
        yield clean_text(line.decode("utf-8", "replace"))


def _chosen(records: RunRecords, name: str | None, where: RunPlace) -> Stage:
    """Return the stage that is meant: the one named, else the first that failed, else the first."""
    found = stages(RunEvidence(records=records))
    if not found:
        bad = next((each for each in records.documents if each.state in ("denied", "unavailable", "broken")), None)
        if bad is not None:
            raise TargetError(
                f"{where.uri}/{bad.path}: {bad.detail or bad.state}; this does not say whether the run exists",
                NO_ACCESS,
            )
        raise TargetError(f"{where.uri}: no record of a stage is kept here", NOT_FOUND)
    if name is None:
        return next((stage for stage in found if family(stage.state) == "FAILED"), found[0])
    chosen = [stage for stage in found if name in (stage.key, stage.name)]
    if not chosen:
        raise TargetError(
            f"--stage: the run has no stage {name}; it has {', '.join(stage.key for stage in found[:20])}", USAGE
        )
    return chosen[-1]


def _contract(records: RunRecords, stage: Stage) -> dict[str, Any]:
    return {
        "run_id": records.run_id,
        "stage": stage.key,
        "attempt": stage.wave.attempt if stage.wave else None,
        "managed_job_id": stage.job_id or None,
        "manifest_state": "available" if records.manifest else "absent",
        "persisted_stages": [each.key for each in stages(RunEvidence(records=records))],
        "stage_ledger_state": "available" if stage.attempts else "manifest_only",
        "live_log_state": "not_attempted",
        "cached_log_state": "unknown",
        "provenance": None,
        "log": None,
        "retry_command": None,
    }


def _stored(where: RunPlace, stage: str) -> dict[str, Any]:
    """Return what storage keeps of a stage's log; missing and denied are told apart."""
    tried: list[str] = []
    for pattern in LOGS:
        name = pattern.format(stage)
        try:
            size = where.store.entry(where.path(name)).size
            content = where.store.read(where.path(name), max(size - _TAIL, 0), _TAIL)
        except ObjectError as error:
            if error.kind == "absent":
                tried.append(f"{where.uri}/{name}")
                continue
            return {
                "cached_log_state": "unreadable",
                "error_category": error.kind,
                "reason": f"{where.uri}/{name}: {error.detail}",
            }
        return {
            "cached_log_state": "available",
            "provenance": f"{where.uri}/{name}",
            "log": content.decode("utf-8", "replace"),
            "log_cut": size > _TAIL,
        }
    return {
        "cached_log_state": "absent",
        "reason": f"no log object is kept ({' or '.join(tried)}); this does not say the stage printed nothing",
    }


def _live(access: Access, stage: Stage, *, has_stored: bool) -> dict[str, Any]:
    if not stage.job_id:
        return {
            "live_log_state": "unavailable",
            "error_code": "STAGE_JOB_ID_UNAVAILABLE",
            "error_category": "ATTRIBUTION",
        }
    sky = access.sky()
    if not sky.present:
        return {
            "live_log_state": "unavailable",
            "error_code": "LIVE_CONTROLLER_UNREACHABLE",
            "error_category": "CONTROLLER",
            "live_reason": "neither the sky command nor an API server is there",
        }
    waits = stage.state in WAITING
    answer = sky.stage_log(stage.job_id, stage.name, waits=waits)
    if answer.problem or answer.code != 0:
        text = answer.problem or (answer.err or answer.out).decode("utf-8", "replace")
        code, category = sky_error(text)
        line = next((each.strip() for each in text.splitlines()[::-1] if each.strip()), "sky gave no reason")
        if waits and category == "TIMEOUT":
            return {"live_log_state": "pending", "live_reason": f"job {stage.job_id} has not started: {line[:300]}"}
        return {
            "live_log_state": "unavailable",
            "error_code": code,
            "error_category": category,
            "live_reason": line[:300],
        }
    if not answer.out and has_stored:
        return {"live_log_state": "available", "live_log_empty": True}
    return {
        "live_log_state": "available",
        "live_log_empty": not answer.out,
        "provenance": f"sky jobs logs {stage.job_id} {stage.name}",
        "log": answer.out[-_TAIL:].decode("utf-8", "replace"),
    }
