"""What is asked live about a workflow run: the queue, controller logs, pods and nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec.structs import replace

from runtriage.judge.workflow_norm import WAITING, family
from runtriage.judge.workflow_stages import stages
from runtriage.model.workflow import RunRecords
from runtriage.model.workflow_evidence import ClusterAnswer, ControllerLog, QueueAnswer, RunEvidence
from runtriage.model.workflow_state import Stage
from runtriage.parse.workflow.pods import cluster_answer, merged
from runtriage.parse.workflow.queue import NOTHING_HELD, controller_log, is_empty_queue, queue_rows
from runtriage.parse.workflow.sky_error import sky_error
from runtriage.targets.sky import Answer
from runtriage.targets.sky_reads import SkyReads
from runtriage.targets.workflow_kube import Kube

_PROBES: Final = 4
"""Controllers asked at most; a run waits on one stage, or on the members of one group."""
_ACCELERATOR_WORDS: Final = ("FAILED_PRECHECKS", "FAILED_NO_RESOURCE")


class Live(Protocol):
    """What answers live questions."""

    def queue(self) -> QueueAnswer:
        """Return the queue of jobs."""
        ...

    def controller(self, job_id: str) -> ControllerLog:
        """Return what the controller's log of one job says."""
        ...

    def cluster(self, job_id: str) -> ClusterAnswer:
        """Return pods and nodes."""
        ...


class Commands:
    """Answers from `sky` and `kubectl`."""

    def __init__(self, sky: SkyReads, kube: Kube) -> None:
        self._sky = sky
        self._kube = kube

    def queue(self) -> QueueAnswer:
        """Return the queue; a machine without `sky` is one that was not asked, any other fault is a failed question."""
        if not self._sky.present:
            return QueueAnswer(
                state="not-attempted",
                reason="neither the sky command nor an API server is there, so the queue was not asked",
            )
        answer = self._sky.queue()
        rows = queue_rows(_text(answer.out)) if not answer.problem and answer.code == 0 else None
        if rows is None and not answer.problem and is_empty_queue(_text(answer.err or answer.out)):
            rows = ()
        if isinstance(rows, tuple):
            return QueueAnswer(state="live", rows=rows)
        return _failed(answer, rows or "")

    def controller(self, job_id: str) -> ControllerLog:
        """Return what the controller's log of one job says."""
        answer = (
            self._sky.controller_log(job_id)
            if self._sky.present
            else Answer(127, b"", b"", "neither the sky command nor an API server is there")
        )
        if answer.problem:
            return ControllerLog(job_id=job_id, detail=answer.problem)
        return controller_log(_text(answer.out) + _text(answer.err), job_id)

    def cluster(self, job_id: str) -> ClusterAnswer:
        """Return pods and nodes; events only where a pod of the job says nothing itself."""
        pods = self._kube.pods()
        if pods.refused:
            return ClusterAnswer(error=pods.refused, detail=pods.err[:300])
        nodes = self._kube.nodes()
        answer = cluster_answer(pods.out, nodes.out if not nodes.refused else None, None)
        silent = {pod.namespace for pod in answer.pods if pod.job_id == job_id and not pod.blockers}
        for namespace in sorted(silent)[:1]:
            events = self._kube.events(namespace)
            if not events.refused:
                answer = cluster_answer(pods.out, nodes.out if not nodes.refused else None, events.out)
        active = self._kube.active_pods()
        return merged(answer, active.out) if not active.refused else answer


def ask(records: RunRecords, live: Live, threshold: int) -> RunEvidence:
    """Return the evidence with everything that is worth asking live: pods and controllers only of stages that wait."""
    evidence = RunEvidence(records=records, queue=live.queue(), threshold=threshold)
    if records.manifest is None and records.ledger is None:
        return evidence
    found = stages(evidence)
    if evidence.queue.tasks is None and any(_ended_early(stage) for stage in found):
        evidence = replace(evidence, queue=_again(evidence.queue, live))
        found = stages(evidence)
    waiting = [stage for stage in found if _waits(stage)]
    refused = [stage for stage in found if stage.wave and stage.wave.sky_status in _ACCELERATOR_WORDS]
    controllers = _controllers(waiting, live)
    asked = [*waiting, *refused]
    cluster = live.cluster(asked[0].job_id) if asked else None
    return RunEvidence(
        records=records, queue=evidence.queue, cluster=cluster, controllers=controllers, threshold=threshold
    )


def _ended_early(stage: Stage) -> bool:
    """Tell whether a job has ended in the queue of which nothing that is kept says so."""
    return bool(family(stage.job_word)) and not family(stage.record) and not (stage.wave and family(stage.wave.status))


def _again(queue: QueueAnswer, live: Live) -> QueueAnswer:
    """Return the queue with what its tasks say in a second look, since an end that only one look shows is no proof."""
    second = live.queue()
    return replace(queue, tasks=second.rows) if second.state == "live" else queue


def _controllers(waiting: Sequence[Stage], live: Live) -> tuple[ControllerLog, ...]:
    jobs = list(dict.fromkeys(stage.job_id for stage in waiting if stage.job_id.isdecimal()))[:_PROBES]
    return tuple(live.controller(job) for job in jobs)


def _waits(stage: Stage) -> bool:
    return not family(stage.state) and bool({stage.state, stage.job_word} & WAITING)


def _failed(answer: Answer, reason: str) -> QueueAnswer:
    text = answer.problem or "\n".join(part for part in (_text(answer.err), _text(answer.out)[:4000], reason) if part)
    code, category = sky_error(text)
    if reason.startswith(NOTHING_HELD) and category == "PROVIDER":
        code, category = "LIVE_RESPONSE_UNPARSEABLE", "RESPONSE"
    line = next((each.strip() for each in text.splitlines()[::-1] if each.strip()), "the queue could not be read")
    return QueueAnswer(state="failed", code=code, category=category, reason=answer.problem or reason or line[:300])


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


class Nothing:
    """Answers nothing: for records that are far from where their run was."""

    def queue(self) -> QueueAnswer:
        """Tell that the queue was not asked."""
        return QueueAnswer(state="not-attempted", reason="the queue of jobs was not asked")

    def controller(self, job_id: str) -> ControllerLog:
        """Tell nothing."""
        return ControllerLog(job_id=job_id)

    def cluster(self, job_id: str) -> ClusterAnswer:
        """Tell that no cluster was asked."""
        return ClusterAnswer(
            error="KUBERNETES_DIAGNOSTICS_UNAVAILABLE", detail=f"no cluster was asked about job {job_id}"
        )
