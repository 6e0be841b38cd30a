"""What is concluded about a workflow run from its records and from what was seen live."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from runtriage.judge.workflow_cause import ended_cause, event_of, of_event, outputs_state
from runtriage.judge.workflow_commands import Commands
from runtriage.judge.workflow_decision import Situation, decide
from runtriage.judge.workflow_lifecycle import lifecycle
from runtriage.judge.workflow_norm import WAITING, family, live_word
from runtriage.judge.workflow_pending import blockers_of, refined, request_of, telling
from runtriage.judge.workflow_plan import plan_differences
from runtriage.judge.workflow_stages import SKIPPED, stages, unrecorded
from runtriage.judge.workflow_status import Told, active, jobs_of, told
from runtriage.model.workflow_evidence import Blocker, RunEvidence
from runtriage.model.workflow_state import Assessment, Cause, Lifecycle, Source, Stage
from runtriage.model.workflow_words import CONFIGURATION, NONE, PAYLOAD, TRANSIENT, UNKNOWN, class_of


def assess(evidence: RunEvidence, project: str = "") -> Assessment:
    """Return the state, the class of failure and the one next move of a run."""
    life = lifecycle(evidence.records)
    found, startup = _started(stages(evidence), life, evidence)
    current = startup or active(found)
    words = told(evidence, life, found, startup)
    blockers, pods = _blockers(current, evidence)
    failing, cause = _cause(words, life, found, current, startup, blockers, evidence)
    situation = Situation(
        evidence=evidence,
        told=words,
        life=life,
        stages=found,
        active=current,
        failing=failing,
        cause=cause,
        startup=startup,
        commands=Commands(evidence.records.run_id, evidence.records.prefix, project),
    )
    return _assessed(situation, blockers, pods)


def _assessed(now: Situation, blockers: tuple[Blocker, ...], pods: int | None) -> Assessment:
    evidence, words, life, found = now.evidence, now.told, now.life, tuple(now.stages)
    current, failing, cause, decision = now.active, now.failing, now.cause, decide(now)
    said_of = failing or current
    return Assessment(
        status=words.status,
        known=words.known,
        known_source=_source(life, evidence),
        lifecycle=life,
        stages=found,
        active=current,
        failing=failing,
        without_outputs=_without_outputs(found),
        cause=cause,
        decision=decision,
        verification=words.verification,
        reason=words.reason,
        code=words.code,
        category=words.category,
        event=event_of(said_of.wave if said_of else None, evidence.records.supervisor),
        blockers=blockers,
        pods_for_job=pods,
        controller_word=live_word([stage.job_word for stage in found]),
        startup_failures=max((log.failures for log in evidence.controllers), default=0),
        running_work=_running_work(found),
        not_run=_not_run(found, failing, life, evidence),
        plan_differences=plan_differences(evidence.records),
        look_again=now.commands.status(),
        diagnostics=tuple(_diagnostics(words, life, found, current, blockers, pods, evidence)),
    )


def _started(
    found: tuple[Stage, ...], life: Lifecycle | None, evidence: RunEvidence
) -> tuple[tuple[Stage, ...], Stage | None]:
    """Return the stages with the one that never started marked as such, and that stage."""
    failed = _startup(found, evidence) if life is None or not life.terminal else None
    if failed is None:
        return found, None
    marked = replace(failed, state="FAILED_STARTUP")
    return tuple(marked if each is failed else each for each in found), marked


def _startup(found: Sequence[Stage], evidence: RunEvidence) -> Stage | None:
    """Return the stage that the controller failed to start as often as the threshold asks for."""
    open_stages = [stage for stage in found if not family(stage.state) and stage.state not in ("UNKNOWN", SKIPPED)]
    for log in evidence.controllers:
        if log.failures >= evidence.threshold:
            for stage in open_stages:
                if stage.job_id == log.job_id:
                    return stage
    return None


def _blockers(current: Stage | None, evidence: RunEvidence) -> tuple[tuple[Blocker, ...], int | None]:
    cluster = evidence.cluster
    if current is None or cluster is None or cluster.error:
        return (), None
    found, pods = blockers_of(current.job_id, cluster)
    spec = evidence.records.spec
    planned = next((stage for stage in spec.stages if stage.name == current.name), None) if spec else None
    request = request_of(current.accelerators, planned, current.job_id, cluster)
    return tuple(refined(found, request, planned.nodes if planned else 1, cluster)), pods


def _cause(
    words: Told,
    life: Lifecycle | None,
    found: Sequence[Stage],
    current: Stage | None,
    startup: Stage | None,
    blockers: Sequence[Blocker],
    evidence: RunEvidence,
) -> tuple[Stage | None, Cause]:
    """Return the stage that failed, if one did, and the class of failure."""
    if life is None:
        return None, Cause(kind=UNKNOWN if words.reason else NONE, text=words.reason)
    if life.problem:
        return None, Cause(kind=UNKNOWN, text=life.problem, source=_record(evidence), blocked=True)
    if words.code and words.verification != "CACHED":
        return _failing(found, evidence), Cause(kind=UNKNOWN, code=words.code, text=words.reason, blocked=True)
    if startup is not None:
        text = (
            f"the controller failed {evidence.threshold} times or more to start {startup.key}, before any payload ran; an image without "
            "python3, rsync and ssh, or whose entrypoint does not run its arguments, ends like this every time"
        )
        return startup, Cause(
            kind=TRANSIENT, code="FAILED_STARTUP", text=text, source=Source(artifact="controller log")
        )
    if not life.terminal and current is not None and not any(stage.conflict for stage in found):
        return None, _live_cause(current, blockers, evidence)
    failing = _failing(found, evidence)
    if failing is None:
        return _succeeded(found, life)
    return _root(failing, found, evidence)


def _succeeded(found: Sequence[Stage], life: Lifecycle) -> tuple[Stage | None, Cause]:
    stage = _without_outputs(found)
    if stage is None or not life.terminal:
        if life.terminal and life.word not in ("SUCCEEDED", "CANCELLED"):
            return None, Cause(kind=UNKNOWN, text=f"the run is {life.word}, no stage tells why")
        return None, Cause(kind=NONE)
    return stage, _missing_output(stage)


def _root(failing: Stage, found: Sequence[Stage], evidence: RunEvidence) -> tuple[Stage, Cause]:
    """Return the failed stage, or an earlier one that ended well without the outputs it declares."""
    cause = ended_cause(failing, evidence)
    earlier = _without_outputs(found)
    if cause.kind == PAYLOAD and earlier is not None and earlier.index < failing.index and earlier.state == "SUCCEEDED":
        return earlier, _missing_output(earlier)
    return failing, cause


def _missing_output(stage: Stage) -> Cause:
    bad = next(check for check in stage.outputs if check.state in ("missing", "empty"))
    text = f"{stage.key} ended with success, but its declared output {bad.uri} is {bad.state}"
    return Cause(kind=PAYLOAD, code="DECLARED_OUTPUT_MISSING", text=text, source=Source(artifact=bad.uri))


def _live_cause(current: Stage, blockers: Sequence[Blocker], evidence: RunEvidence) -> Cause:
    event = event_of(current.wave, evidence.records.supervisor)
    if event is not None and event.action == "block_relaunch":
        return of_event(event)
    pinned = next((log for log in evidence.controllers if log.pinned_client and log.job_id == current.job_id), None)
    if pinned is not None:
        text = "the kubernetes client beside the controller is a version that SkyPilot cannot read (it needs kubernetes>=20,!=32.0.0,<36)"
        return Cause(kind=CONFIGURATION, code="PINNED_CLIENT", text=text, source=Source(artifact="controller log"))
    blocker = telling(blockers) if current.state in WAITING or current.job_word in WAITING else None
    if blocker is not None:
        text = f"pod {blocker.pod}: {blocker.reason}: {blocker.message}"
        at = Source(artifact=f"k8s pod {blocker.namespace}/{blocker.pod}", pointer=f"/{blocker.source}")
        return Cause(kind=class_of(blocker.code) or NONE, code=blocker.code, text=text, source=at)
    if event is not None and event.classification in (CONFIGURATION, TRANSIENT, PAYLOAD) and event.phase == "decision":
        return of_event(event)
    return _nodes(current, evidence)


def _nodes(current: Stage, evidence: RunEvidence) -> Cause:
    cluster = evidence.cluster
    if current.state in WAITING and cluster is not None and not cluster.error:
        lost = [node.name for node in cluster.nodes if not node.ready]
        own = {pod.node for pod in cluster.pods if pod.job_id == current.job_id and pod.node}
        if lost and (not own or own & set(lost)):
            text = f"node {lost[0]} is not ready"
            return Cause(
                kind=TRANSIENT, code="NODE_NOT_READY", text=text, source=Source(artifact=f"k8s node {lost[0]}")
            )
    return Cause(kind=NONE)


def _failing(found: Sequence[Stage], evidence: RunEvidence) -> Stage | None:
    for stage in found:
        if stage.conflict or family(stage.state) == "FAILED":
            return stage
    cancelled = next((stage for stage in found if stage.state == "CANCELLED"), None)
    return cancelled or unrecorded(found, evidence)


def _without_outputs(found: Sequence[Stage]) -> Stage | None:
    """Return the first stage that ran and lacks an output it declares."""
    ran = (stage for stage in found if family(stage.state) in ("SUCCEEDED", "FAILED"))
    return next((stage for stage in ran if any(check.state in ("missing", "empty") for check in stage.outputs)), None)


def _not_run(
    found: Sequence[Stage], failing: Stage | None, life: Lifecycle | None, evidence: RunEvidence
) -> tuple[str, ...]:
    names = [stage.key for stage in found if stage.state == SKIPPED]
    spec = evidence.records.spec
    if failing is not None and life is not None and life.terminal and spec is not None:
        seen = {stage.name for stage in found} | {failing.name}
        names += [stage.name for stage in spec.stages if stage.name not in seen]
    return tuple(names)


def _running_work(found: Sequence[Stage]) -> int:
    """Return how many jobs are working now; what is left of a broken-off launch is no work."""
    live = {
        stage.job_id
        for stage in found
        if stage.job_word
        and not family(stage.job_word)
        and not (stage.wave and (stage.wave.partial or family(stage.wave.status)))
    }
    return len(live)


def _diagnostics(
    words: Told,
    life: Lifecycle | None,
    found: Sequence[Stage],
    current: Stage | None,
    blockers: Sequence[Blocker],
    pods: int | None,
    evidence: RunEvidence,
) -> list[str]:
    notes: list[str] = []
    handoff = life is not None and life.word == "RUNNING" and current is None and words.known == "RUNNING"
    if handoff and found:
        notes.append(
            "every recorded stage succeeded and the run is not recorded as complete: it is between two waves, keep its driver running"
        )
    if current is not None and current.state in WAITING:
        cluster = evidence.cluster
        if cluster is None:
            notes.append(f"{current.key} waits, and no cluster was asked why")
        elif cluster.error:
            notes.append(
                f"{current.key} waits; why could not be read ({cluster.error}), which is not the same as nothing blocking it"
            )
        elif not blockers:
            notes.append(f"{current.key} waits with {pods or 0} pods and no reason on any of them")
    damaged = [event.path for event in evidence.records.supervisor if not event.intact]
    if damaged:
        notes.append(f"{len(damaged)} supervisor events do not fit the hash in their name and were not used")
    notes += [
        f"{stage.key}: {check.uri} has bytes, but its first key is empty"
        for stage in found
        for check in stage.outputs
        if check.first_key_empty and check.state == "valid"
    ]
    notes += [f"the plan changed: {each.text}" for each in plan_differences(evidence.records)]
    missing = _without_outputs(found)
    if missing is not None and outputs_state(missing) != "indeterminate":
        notes.append(f"first stage without all its outputs: {missing.key}")
    return notes


def _source(life: Lifecycle | None, evidence: RunEvidence) -> str:
    if life is not None:
        return life.source
    if jobs_of(evidence.records.run_id, evidence):
        return "managed_job"
    return "project_run_terminal_ledger" if evidence.records.first_run else "resolution_checks"


def _record(evidence: RunEvidence) -> Source | None:
    document = evidence.records.ledger or evidence.records.manifest
    return Source(artifact=document.path, pointer="/status") if document else None
