"""Clusters in which something failed, or only seems to have, each with what is asked and the one right answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.servers.kube_build import (
    RUNNING,
    Object,
    condition,
    container,
    ended,
    event,
    job,
    node,
    pod,
    reference,
    waiting,
)

TRACEBACK = b'step 10 loss=1.0\nTraceback (most recent call last):\n  File "/app/train.py", line 20, in main\n    x = rows["fold"]\nKeyError: \'fold\'\n'
Logs = Mapping[tuple[str, str, str | None, bool], bytes]


@dataclass
class Case:
    """A cluster, what is asked about it, and what is right to say."""

    what: Sequence[str]
    objects: Sequence[Object]
    logs: Logs = field(default_factory=dict[tuple[str, str, str | None, bool], bytes])
    category: str | None = None
    mode: str | None = None
    routed: str | None = None
    pod: str | None = None
    rank: int | None = None
    says: Sequence[str] = ()


JOB = job(
    "batch/v1", "Job", "tr", condition("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit")
)
BY_JOB = reference("batch/v1", "Job", "tr")
PULL = 'Failed to pull image "r.test/a:1": rpc error: code = NotFound desc = failed to resolve reference "r.test/a:1": r.test/a:1: not found'
LABEL = {"job-name": "tr"}


def owned(kind: str, api: str, label: str) -> list[Object]:
    """Return a job of some kind whose second worker ran out of memory first."""
    failed = condition("Failed", f"{kind}Failed", f"{kind} ml/llm is failed because 1 Worker replica(s) failed.")
    status = (
        {"rayClusterName": "llm", "jobStatus": "FAILED", "jobDeploymentStatus": "Complete"}
        if kind == "RayJob"
        else None
    )
    by = reference(api, kind, "llm")
    workers = [
        pod(f"llm-worker-{n}", "Failed", container(ended(code, why, at)), labels={label: "llm"}, owner=by, rank=str(n))
        for n, (code, why, at) in enumerate(
            [
                (1, "Error", "2026-05-20T12:09:00Z"),
                (137, "OOMKilled", "2026-05-20T11:59:00Z"),
                (1, "Error", "2026-05-20T12:09:01Z"),
            ]
        )
    ]
    return [job(api, kind, "llm", failed, status=status), *workers, node()]


KINDS = {
    "pytorchjob": ("PyTorchJob", "kubeflow.org/v1", "training.kubeflow.org/job-name"),
    "mpijob": ("MPIJob", "kubeflow.org/v2beta1", "training.kubeflow.org/job-name"),
    "jobset": ("JobSet", "jobset.x-k8s.io/v1alpha2", "jobset.sigs.k8s.io/jobset-name"),
    "trainjob": ("TrainJob", "trainer.kubeflow.org/v1alpha1", "jobset.sigs.k8s.io/jobset-name"),
    "rayjob": ("RayJob", "ray.io/v1", "ray.io/cluster"),
}
QUEUED = job("batch/v1", "Job", "tr", labels={"kueue.x-k8s.io/queue-name": "gpus"})
BY_QUEUE = {"kueue.x-k8s.io/job-uid": "u-job-tr"}
QUOTA = 'Error creating: pods "tr-x" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=8'
MORE: dict[str, Case] = {
    "quota": Case(["job/tr"], [JOB, event(1, "tr", "FailedCreate", QUOTA, kind="Job")], mode="quota/k8s-resourcequota"),
    "liveness probe": Case(
        ["pod/t-0"],
        [
            pod("t-0", "Running", container(RUNNING, ended(137), 3)),
            event(1, "t-0", "Killing", "Container main failed liveness probe, will be restarted"),
            node(),
        ],
        {("ml", "t-0", "main", True): b"step 1 loss=2"},
        mode="cfg/liveness-probe-kill",
    ),
    "drained": Case(
        ["pod/t-0"],
        [
            pod(
                "t-0",
                "Failed",
                container(ended(143)),
                conditions=[condition("DisruptionTarget", "EvictionByEvictionAPI", "evicting")],
            ),
            node(),
        ],
        category="NODE_FAILURE",
        mode="orch/host-maintenance",
    ),
    "taken away by a taint": Case(
        ["pod/t-0"],
        [
            pod(
                "t-0",
                "Failed",
                container(ended(143)),
                conditions=[condition("DisruptionTarget", "DeletionByTaintManager", "NoExecute")],
            ),
            node(ready=False),
        ],
        category="NODE_FAILURE",
    ),
    "devices not handed out": Case(
        ["pod/t-0"],
        [
            pod(
                "t-0",
                "Failed",
                reason="UnexpectedAdmissionError",
                message="Allocate failed due to requested number of devices unavailable for nvidia.com/gpu",
            ),
            node(),
        ],
        category="NODE_FAILURE",
        mode="orch/device-plugin",
    ),
    "killed by nobody known": Case(
        ["pod/t-0"],
        [pod("t-0", "Failed", container(ended(137))), node()],
        {("ml", "t-0", "main", False): b"step 1 loss=2"},
        category="UNKNOWN",
        mode="crash/sigkill-unknown",
    ),
    "pods that are gone": Case(["job/tr"], [JOB], category="UNKNOWN", mode="orch/k8s-backoff-limit"),
    "Volcano": Case(
        ["vcjob/v"],
        [
            job(
                "batch.volcano.sh/v1alpha1",
                "VolcanoJob",
                "v",
                status={"state": {"phase": "Failed", "reason": "TaskFailed"}},
            )
        ],
        mode="crash/exit-no-error",
    ),
    "a volume that is not bound": Case(
        ["pod/t-0"],
        [
            pod(
                "t-0",
                "Pending",
                node="",
                claims=["data"],
                conditions=[
                    condition(
                        "PodScheduled", "Unschedulable", "pod has unbound immediate PersistentVolumeClaims", "False"
                    )
                ],
            ),
            node(),
        ],
        category="DATASOURCE_MOUNT_FAILED",
    ),
    "waiting in Kueue": Case(
        ["job/tr"],
        [
            QUEUED,
            job(
                "kueue.x-k8s.io/v1beta1",
                "Workload",
                "job-tr",
                condition("QuotaReserved", "Pending", "insufficient quota", "False"),
                labels=BY_QUEUE,
            ),
        ],
        routed="pending",
    ),
    "preempted by Kueue": Case(
        ["job/tr"],
        [
            QUEUED,
            job(
                "kueue.x-k8s.io/v1beta1",
                "Workload",
                "job-tr",
                condition("Evicted", "Preempted", "made room for another"),
                labels=BY_QUEUE,
            ),
        ],
        routed="preempted",
    ),
}
CASES: dict[str, Case] = {
    "crash loop with a previous log": Case(
        ["pod/t-0"],
        [pod("t-0", "Running", container(waiting("CrashLoopBackOff", "back-off 5m0s"), ended(1), 4)), node()],
        {("ml", "t-0", "main", True): TRACEBACK},
        category="CRASH_APP_ERROR",
        pod="t-0",
        says=["KeyError: 'fold'", "t-0.main.previous.log:5"],
    ),
    "out of memory": Case(
        ["pod/t-0"],
        [pod("t-0", "Failed", container(ended(137, "OOMKilled"))), node()],
        category="OOM_KILLED",
        mode="oom/k8s-oomkilled",
    ),
    "out of memory, set against limit, request and node": Case(
        ["pod/t-0"],
        [pod("t-0", "Failed", container(ended(137, "OOMKilled"))), node(memory="64Gi")],
        category="OOM_KILLED",
        says=["memory limit of 16 GiB and a request of 16 GiB; node gpu-1 can give pods 64 GiB", "main above 16 GiB"],
    ),
    "out of memory on a node that has no more": Case(
        ["pod/t-0"],
        [pod("t-0", "Failed", container(ended(137, "OOMKilled"))), node(memory="15Gi")],
        category="OOM_KILLED",
        says=["the limit is no less than all that node gpu-1 can give"],
    ),
    "evicted for disk": Case(
        ["pod/t-0"],
        [pod("t-0", "Failed", reason="Evicted", message="The node was low on resource: ephemeral-storage."), node()],
        mode="orch/evicted-disk",
    ),
    "image that is not there": Case(
        ["pod/t-0"],
        [pod("t-0", "Pending", container(waiting("ErrImagePull", PULL))), event(1, "t-0", "Failed", PULL), node()],
        category="IMAGE_PULL_FAILED",
    ),
    "image whose error is gone from the events": Case(
        ["pod/t-0"],
        [pod("t-0", "Pending", container(waiting("ImagePullBackOff", 'Back-off pulling image "r.test/a:1"'))), node()],
        category="IMAGE_PULL_FAILED",
        mode="orch/image-pull",
        says=["the registry's own answer"],
    ),
    "init container": Case(
        ["pod/t-0"],
        [
            pod(
                "t-0",
                "Pending",
                container(waiting("PodInitializing")),
                init=[container(ended(2), ended(2), 3, name="fetch")],
            ),
            node(),
        ],
        category="INIT_FAILED",
        mode="orch/init-container",
    ),
    "mount": Case(
        ["pod/t-0"],
        [
            pod("t-0", "Pending", container(waiting("ContainerCreating")), claims=["data"]),
            event(1, "t-0", "FailedMount", 'MountVolume.SetUp failed for volume "data": mount failed: exit status 32'),
            node(),
        ],
        category="DATASOURCE_MOUNT_FAILED",
        mode="orch/failed-mount",
    ),
    "lost node": Case(
        ["pod/t-0"],
        [pod("t-0", "Failed", container(ended(137, "ContainerStatusUnknown")), reason="NodeLost"), node(ready=False)],
        category="NODE_FAILURE",
    ),
    "preempted": Case(
        ["pod/t-0"],
        [
            pod(
                "t-0",
                "Failed",
                container(ended(143)),
                conditions=[condition("DisruptionTarget", "PreemptionByScheduler", "made room")],
            ),
            node(),
        ],
        routed="preempted",
    ),
    "deadline": Case(
        ["job/tr"],
        [
            job(
                "batch/v1",
                "Job",
                "tr",
                condition("Failed", "DeadlineExceeded", "Job was active longer than specified deadline"),
            ),
            event(1, "tr", "DeadlineExceeded", "Job was active longer than specified deadline", kind="Job"),
        ],
        category="SCHEDULING_POLICY_TERMINATED",
        mode="orch/time-limit",
    ),
    "no node is free": Case(
        ["pod/t-0"],
        [
            pod(
                "t-0",
                "Pending",
                node="",
                conditions=[
                    condition(
                        "PodScheduled",
                        "Unschedulable",
                        "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",
                        "False",
                    )
                ],
            ),
            node(gpus=8),
        ],
        routed="pending",
    ),
    "no node can ever take it": Case(
        ["pod/t-0"],
        [
            pod(
                "t-0",
                "Pending",
                node="",
                gpus=16,
                conditions=[
                    condition(
                        "PodScheduled",
                        "Unschedulable",
                        "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",
                        "False",
                    )
                ],
            ),
            node(gpus=8),
        ],
        mode="orch/k8s-failed-scheduling",
    ),
    "completed": Case(
        ["pod/t-0"], [pod("t-0", "Succeeded", container(ended(0, "Completed"))), node()], routed="completed"
    ),
    "the first of a gang": Case(
        ["job/tr"],
        [
            JOB,
            *(
                pod(
                    f"tr-{n}",
                    "Failed",
                    container(ended(1, at="2026-05-20T12:05:00Z")),
                    labels=LABEL,
                    owner=BY_JOB,
                    rank=str(n),
                )
                for n in (0, 1, 3)
            ),
            pod("tr-2", "Failed", container(ended(137, "OOMKilled")), labels=LABEL, owner=BY_JOB, rank="2"),
            node(),
        ],
        category="OOM_KILLED",
        pod="tr-2",
        rank=2,
    ),
    "a selection": Case(
        ["-l", "app=x"],
        [
            pod("a", "Running", container(RUNNING), labels={"app": "x"}),
            pod("b", "Failed", container(ended(137, "OOMKilled")), labels={"app": "x"}),
            node(),
        ],
        category="OOM_KILLED",
        pod="b",
    ),
    "a side-car that goes on": Case(
        ["pod/t-0"],
        [pod("t-0", "Running", container(ended(1)), container(RUNNING, name="proxy")), node()],
        {("ml", "t-0", "main", False): TRACEBACK, ("ml", "t-0", "proxy", False): b"ready\n"},
        category="CRASH_APP_ERROR",
        says=["KeyError: 'fold'"],
    ),
    **MORE,
    **{
        kind: Case([f"{kind}/llm"], owned(*KINDS[kind]), category="OOM_KILLED", pod="llm-worker-1", rank=1)
        for kind in KINDS
    },
}
