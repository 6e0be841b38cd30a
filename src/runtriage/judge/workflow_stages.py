"""The stages of a run, each with what its records, its attempts and the scheduler say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from runtriage.judge.workflow_norm import family, job_word, stage_word, tasks_conflict
from runtriage.model.workflow import PlannedStage, RunRecords, Step, Task, Wave
from runtriage.model.workflow_evidence import OutputCheck, RunEvidence
from runtriage.model.workflow_state import Source, Stage

SKIPPED = "SKIPPED"
Key = tuple[str, str]
"""A stage: name and iteration."""

_SKIPPED_ERROR = "skipped after"


class _Live(Struct, frozen=True):
    """What the queue says about one job: its word, the word of this stage's task, and whether they contradict."""

    job: str = ""
    task: str = ""
    conflict: bool = False
    recoveries: int = 0
    task_id: str = ""


def stages(evidence: RunEvidence) -> tuple[Stage, ...]:
    """Return the stages that have any record, in the order of the plan."""
    index = _Index(evidence)
    keys = sorted(index.seen, key=lambda key: (index.order.get(key[0], len(index.order)), index.seen[key]))
    return tuple(_stage(key, number, index) for number, key in enumerate(keys, 1))


class _Index:
    """Records and rows by stage and by job, so that each is looked at once."""

    def __init__(self, evidence: RunEvidence) -> None:
        records = evidence.records
        self.evidence = evidence
        self.records = records
        self.attempts: dict[Key, list[Wave]] = {}
        self.steps: dict[Key, Step] = {}
        self.planned: dict[str, PlannedStage] = {}
        for wave in records.ledger.waves if records.ledger else ():
            for member in wave.members:
                self.attempts.setdefault(member, []).append(wave)
        for step in records.manifest.steps if records.manifest else ():
            self.steps[step.state, step.iteration] = step
        for stage in records.spec.stages if records.spec else ():
            self.planned[stage.name] = stage
        self.order = {name: number for number, name in enumerate(self.planned)}
        self.seen = {key: number for number, key in enumerate([*self.attempts, *self.steps])}
        self.rows = _by_job(evidence.queue.rows)
        self.tasks = self.rows if evidence.queue.tasks is None else _by_job(evidence.queue.tasks)

    def waves(self, key: Key) -> tuple[Wave, ...]:
        """Return all attempts of a stage, the current one last."""
        return tuple(sorted(self.attempts.get(key, ()), key=lambda wave: (wave.attempt, wave.position)))


def declared_outputs(records: RunRecords) -> tuple[str, ...]:
    """Return every output that a stage declares, reached or not, once each."""
    index = _Index(RunEvidence(records=records))
    found: dict[str, None] = {}
    for key in index.seen:
        attempts = index.waves(key)
        found.update(dict.fromkeys(_declared(key[0], index.steps.get(key), attempts[-1] if attempts else None, index)))
    reached = {name for name, _ in index.seen}
    for stage in index.planned.values():
        found.update(dict.fromkeys(stage.outputs if stage.name not in reached else ()))
    return tuple(found)


def _by_job(rows: Sequence[Task]) -> dict[str, list[Task]]:
    found: dict[str, list[Task]] = {}
    for row in rows:
        found.setdefault(row.job_id, []).append(row)
    return found


def is_skipped(step: Step) -> bool:
    """Tell whether a step never ran, although it may be recorded as failed."""
    return step.status.strip().lower() == "skipped" or step.error.strip().lower().startswith(_SKIPPED_ERROR)


def _stage(key: Key, number: int, index: _Index) -> Stage:
    name, iteration = key
    attempts, step, records = index.waves(key), index.steps.get(key), index.records
    job_id, attribution = _job(attempts, step, records)
    live = _live(job_id, name, index, attempts[-1] if attempts else None)
    record = _record(step)
    state, provenance, conflict = _state(record, attempts, live)
    wave = attempts[-1] if attempts else None
    return Stage(
        key=f"{name}#{iteration}" if iteration else name,
        name=name,
        iteration=iteration,
        index=number,
        state=state,
        record=record,
        job_id=job_id,
        attribution=attribution,
        job_word=live.job,
        task_word=live.task,
        provenance=provenance,
        conflict=conflict,
        retries=max((wave.attempt if wave else step.attempt if step else 1) - 1, 0),
        recovery_count=live.recoveries,
        heartbeat=records.ledger.heartbeats.get(name, "") if records.ledger else "",
        observed_at=wave.last_observed_at if wave else "",
        started_at=wave.started_at if wave else "",
        ended_at=wave.ended_at if wave else "",
        accelerators=_accelerators(name, step, index),
        attempts=attempts,
        outputs=_outputs(name, step, wave, index),
        source=_source(step, wave, records),
        error=(wave.error if wave else "") or (step.error if step else ""),
        scheduler_word=stage_word(live.job) if live.job else "",
        task_ended=bool(family(live.task)),
        task_id=live.task_id or _recorded_task(name, wave),
        profile=_profile(name, step, index),
    )


def _job(attempts: Sequence[Wave], step: Step | None, records: RunRecords) -> tuple[str, str]:
    """Return the one job that belongs to a stage, and by which record; the run's own job is never handed to a stage of a wave."""
    if attempts:
        final = {wave.job_id for wave in attempts if wave.attempt == attempts[-1].attempt and wave.job_id}
        if len(final) > 1:
            return "", "ambiguous"
        return (next(iter(final)), "runtime_wave") if final else ("", "unknown")
    if step is not None and step.job_id:
        return step.job_id, "manifest_step"
    whole = records.manifest.job_id if records.manifest else ""
    if whole and not (records.ledger and records.ledger.waves):
        return whole, "legacy_single_managed_job"
    return "", "unknown"


def _live(job_id: str, name: str, index: _Index, wave: Wave | None) -> _Live:
    rows = index.rows.get(job_id, []) if job_id else []
    if not rows:
        return _Live()
    tasks = index.tasks.get(job_id, [])
    recorded = [task.status for task in wave.tasks if task.job_id == job_id] if wave else []
    job = job_word([row.status for row in rows])
    own = _own(tasks, name)
    whole = "" if wave and wave.parallel else job_word([row.status for row in tasks])
    return _Live(
        job=job,
        task=own.status.upper() if own is not None else whole,
        conflict=tasks_conflict(job, [row.status for row in tasks]) or tasks_conflict(job, recorded),
        recoveries=max(row.recoveries for row in rows),
        task_id=own.task_id if own is not None else "",
    )


def _own(tasks: Sequence[Task], name: str) -> Task | None:
    return next((row for row in tasks if row.name == name), tasks[0] if len(tasks) == 1 else None)


def _recorded_task(name: str, wave: Wave | None) -> str:
    own = _own([task for task in wave.tasks if task.job_id == wave.job_id], name) if wave else None
    return own.task_id if own is not None else ""


def _record(step: Step | None) -> str:
    if step is None:
        return ""
    return SKIPPED if is_skipped(step) else stage_word(step.status) if step.status else ""


def _state(record: str, attempts: Sequence[Wave], live: _Live) -> tuple[str, str, bool]:
    """Return a stage's state, by which evidence, and whether evidence contradicts."""
    wave = attempts[-1] if attempts else None
    if record == SKIPPED:
        return SKIPPED, "authoritative_stage_record", False
    if live.conflict:
        return "UNKNOWN", "conflicting_scheduler_job_and_tasks", True
    attempt = _attempt_word(wave)
    parallel = wave is not None and wave.parallel
    scheduler = stage_word(live.task if parallel and live.task else live.job) if live.job else ""
    if parallel and family(live.job) == "FAILED" and family(scheduler) == "SUCCEEDED":
        return "SUCCEEDED", "scheduler_final_attempt", False
    if record == "FAILED_STARTUP" and scheduler in ("SUCCEEDED", "CANCELLED"):
        return scheduler, "scheduler_final_attempt", False
    durable = record if family(record) else attempt
    if family(scheduler) and family(durable) and family(scheduler) != family(durable) and not _explained(wave, live):
        return "UNKNOWN", "conflicting_durable_and_scheduler_evidence", True
    if family(record):
        return record, "authoritative_stage_record", False
    if family(attempt):
        return attempt, "durable_runtime_attempt", False
    if scheduler:
        return scheduler, "scheduler_final_attempt", False
    return (
        (attempt, "durable_runtime_attempt", False) if attempt else (record or "UNKNOWN", "durable_stage_record", False)
    )


def _attempt_word(wave: Wave | None) -> str:
    """Return the word of one attempt: of an ended one the outcome, of a live one what the scheduler last said."""
    if wave is None or not wave.status:
        return ""
    outcome = stage_word(wave.status)
    if family(outcome) == "FAILED" and family(wave.sky_status) == "FAILED":
        return stage_word(wave.sky_status)
    return outcome if family(outcome) or not wave.sky_status or family(wave.sky_status) else stage_word(wave.sky_status)


def _explained(wave: Wave | None, live: _Live) -> bool:
    """Tell whether record and queue differ for a reason that is itself recorded."""
    if wave is None:
        return False
    if family(wave.sky_status) and family(wave.sky_status) == family(live.job):
        return True
    return family(wave.status) == "FAILED" and wave.cancellation == "verified" and family(live.job) == "CANCELLED"


def _accelerators(name: str, step: Step | None, index: _Index) -> str:
    if step is not None and step.accelerators:
        return step.accelerators
    return index.planned[name].accelerators if name in index.planned else ""


def _profile(name: str, step: Step | None, index: _Index) -> Mapping[str, str]:
    if step is not None and step.profile:
        return step.profile
    return index.planned[name].profile if name in index.planned else {}


def _declared(name: str, step: Step | None, wave: Wave | None, index: _Index) -> tuple[str, ...]:
    """Return the outputs a stage declares: those resolved in its own records, else those of the spec."""
    planned = index.planned[name].outputs if name in index.planned else ()
    if step is not None and step.outputs:
        return step.outputs
    if wave is None or not wave.outputs:
        return planned
    if len(wave.members) == 1:
        return wave.outputs
    own = tuple(uri for uri in planned if uri in wave.outputs)
    return own or tuple(uri for uri in wave.outputs if f"/{name}/" in uri)


def _outputs(name: str, step: Step | None, wave: Wave | None, index: _Index) -> tuple[OutputCheck, ...]:
    known = index.evidence.outputs
    return tuple(known[uri] for uri in _declared(name, step, wave, index) if uri in known)


def _source(step: Step | None, wave: Wave | None, records: RunRecords) -> Source | None:
    if wave is not None and records.ledger is not None:
        return Source(artifact=records.ledger.path, pointer=f"{wave.place}/status")
    if step is not None and records.manifest is not None:
        return Source(artifact=records.manifest.path, pointer=f"{step.place}/status")
    return None


def unrecorded(found: Sequence[Stage], evidence: RunEvidence) -> Stage | None:
    """Return the first planned stage of a failed run that left no record: a stage that fails alone is never written down."""
    manifest, spec = evidence.records.manifest, evidence.records.spec
    if manifest is None or spec is None or stage_word(manifest.status) not in ("FAILED", "FAILED_STARTUP"):
        return None
    seen = {stage.name for stage in found}
    planned = next((stage for stage in spec.stages if stage.name not in seen), None)
    if planned is None:
        return None
    alone = not (evidence.records.ledger and evidence.records.ledger.waves)
    index = _Index(evidence)
    job_id = manifest.job_id if alone else ""
    live = _live(job_id, planned.name, index, None)
    return Stage(
        key=planned.name,
        name=planned.name,
        iteration="",
        index=index.order[planned.name] + 1,
        state="FAILED",
        record="",
        job_id=job_id,
        attribution="legacy_single_managed_job" if job_id else "unknown",
        job_word=live.job,
        task_word=live.task,
        provenance="first_planned_stage_without_record",
        conflict=False,
        retries=0,
        recovery_count=live.recoveries,
        heartbeat="",
        observed_at="",
        started_at="",
        ended_at="",
        accelerators=planned.accelerators,
        profile=planned.profile,
        outputs=tuple(evidence.outputs[uri] for uri in planned.outputs if uri in evidence.outputs),
        source=Source(artifact=manifest.path, pointer="/status"),
    )
