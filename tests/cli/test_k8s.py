"""`runtriage k8s`, through the real kubectl against an API server that only reads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from runtriage.cli.app import run as command
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
from tests.servers.kube_server import TOKEN, KubeServer

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed"),
]
TRACEBACK = b'step 10 loss=1.0\nTraceback (most recent call last):\n  File "/app/train.py", line 20, in main\n    x = rows["fold"]\nKeyError: \'fold\'\n'
Logs = Mapping[tuple[str, str, str | None, bool], bytes]


@dataclass
class Case:
    """A cluster, what is asked about it, and what is right to say."""

    what: Sequence[str]
    objects: Sequence[Object]
    logs: Logs = field(default_factory=dict)
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
    **{
        kind: Case([f"{kind}/llm"], owned(*KINDS[kind]), category="OOM_KILLED", pod="llm-worker-1", rank=1)
        for kind in KINDS
    },
}


def report(
    what: Sequence[str],
    server: KubeServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[int, dict[str, Any]]:
    monkeypatch.setenv("KUBECONFIG", str(server.kubeconfig(folder)))
    monkeypatch.setenv("HOME", str(folder))
    code = command(["k8s", *what, "-n", "ml", "--format", "json", "--no-cache", "--no-history"])
    seen = capsys.readouterr()
    assert server.writes == []
    assert not any("secret" in path for path in server.requests)
    assert TOKEN not in seen.out + seen.err
    return code, json.loads(seen.out) if seen.out else {"error": seen.err}


@pytest.mark.parametrize("name", CASES)
def test_each_object_gets_the_one_right_answer(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    with KubeServer(objects=case.objects, logs=case.logs) as server:
        code, told = report(case.what, server, tmp_path, monkeypatch, capsys)
    assert told["routed"] == case.routed
    assert code == (0 if case.routed else 1)
    if case.category:
        assert told["workload_category"] == case.category
    if case.mode:
        assert told["failure_mode"] == case.mode
    if case.pod:
        assert (told["culprit"]["pod"], told["culprit"]["rank"]) == (case.pod, case.rank)
    assert all(text in json.dumps(told, ensure_ascii=False) for text in case.says)


def test_an_owner_of_an_owner_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    above = reference("jobset.x-k8s.io/v1alpha2", "JobSet", "set")
    objects = [
        pod("tr-0", "Failed", container(ended(1)), owner=BY_JOB),
        job("batch/v1", "Job", "tr", owner=above),
        job("jobset.x-k8s.io/v1alpha2", "JobSet", "set", condition("Failed", "FailedJobs")),
        node(),
    ]
    with KubeServer(objects=objects) as server:
        report(["pod/tr-0"], server, tmp_path, monkeypatch, capsys)
    assert any("/jobsets/set" in path for path in server.requests)


def test_what_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    objects = [pod("t-0", "Failed", container(ended(137, "OOMKilled"))), node()]
    with KubeServer(objects=objects, denied=["/nodes/", "/events"]) as server:
        code, told = report(["pod/t-0"], server, tmp_path, monkeypatch, capsys)
    assert (code, told["workload_category"]) == (1, "OOM_KILLED")
    assert [text for text in told["coverage"]["not_seen"] if "no right" in text and "nodes/gpu-1" in text]
    assert [text for text in told["coverage"]["not_seen"] if "no right" in text and "events/t-0" in text]


@pytest.mark.parametrize(("denied", "code"), [((), 3), (("/pods/",), 4)])
def test_an_object_that_is_not_there_differs_from_one_that_may_not_be_read(
    denied: Sequence[str],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with KubeServer(denied=denied) as server:
        assert report(["pod/none"], server, tmp_path, monkeypatch, capsys)[0] == code


def test_an_unknown_kind_is_answered_with_a_near_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["k8s", "pytorchjbo/x", "-n", "ml"]) == 2
    assert "pytorchjob" in capsys.readouterr().err


def test_a_target_names_context_namespace_kind_and_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with KubeServer(objects=[pod("t-0", "Failed", container(ended(137, "OOMKilled"))), node()]) as server:
        monkeypatch.setenv("KUBECONFIG", str(server.kubeconfig(tmp_path)))
        monkeypatch.setenv("HOME", str(tmp_path))
        assert command(["diagnose", "k8s:test/ml/pod/t-0", "--no-cache", "--no-history"]) == 1
    assert "OOMKilled" in capsys.readouterr().out
