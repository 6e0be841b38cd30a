"""What live Kubernetes objects lead to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from runtriage.model.artifact import Artifact, Request
from runtriage.parse import recognise
from tests.parse.documents import Bytes
from tests.servers.kube_build import RUNNING, condition, container, ended, job, pod, reference, waiting

pytestmark = pytest.mark.usefixtures("untouched_world")


def asked(document: dict[str, Any], source: str = "k8s/pod") -> Sequence[Request]:
    content = json.dumps(document).encode()
    artifact = Artifact(path="x.json", kind="k8s", size=len(content), source=source)
    parser = recognise(artifact, content)
    assert parser is not None
    return parser.read(artifact, Bytes(content)).requests


def listed(*pods: dict[str, Any]) -> dict[str, Any]:
    items = [{key: value for key, value in each.items() if key not in ("kind", "apiVersion")} for each in pods]
    return {"apiVersion": "v1", "kind": "PodList", "items": items}


def paths(requests: Sequence[Request]) -> list[str]:
    return [request.args["path"] for request in requests]


def test_a_saved_document_leads_nowhere() -> None:
    assert asked(pod("t-0", "Failed", container(ended(1))), source="file") == []


def test_a_crash_loop_leads_to_the_log_of_the_container_that_ended() -> None:
    found = paths(asked(pod("t-0", "Running", container(waiting("CrashLoopBackOff"), ended(1), 3))))
    assert "ml/logs/t-0.main.previous.log" in found
    assert "ml/logs/t-0.main.log" not in found


def test_a_pod_leads_to_its_events_node_claims_and_owner() -> None:
    held = pod("t-0", "Failed", container(ended(1)), claims=["data"], owner=reference("batch/v1", "Job", "tr"))
    assert paths(asked(held)) == [
        "ml/events/t-0.json",
        "ml/logs/t-0.main.log",
        "nodes/gpu-1.json",
        "ml/persistentvolumeclaims/data.json",
        "ml/jobs/tr.json",
    ]


def test_container_evidence_alone_leads_to_no_node_claim_or_owner() -> None:
    held = pod("t-0", "Failed", container(ended(1)), claims=["data"], owner=reference("batch/v1", "Job", "tr"))
    assert paths(asked(held, "k8s/pod:containers")) == ["ml/events/t-0.json", "ml/logs/t-0.main.log"]


def test_a_pod_without_a_node_asks_what_all_nodes_offer() -> None:
    assert "nodes" in paths(asked(pod("t-0", "Pending", node="")))


def test_of_a_large_set_the_first_to_fail_are_read_and_two_that_did_not() -> None:
    failed = [pod(f"f-{n}", "Failed", container(ended(1, at=f"2026-05-20T11:{59 - n:02}:00Z"))) for n in range(30)]
    fine = [pod(f"r-{n}", "Running", container(RUNNING)) for n in range(30)]
    found = asked(listed(*fine, *failed), "k8s/pods")
    logs = [request.args["pod"] for request in found if request.kind == "k8s/log"]
    assert logs == [f"f-{n}" for n in range(29, 21, -1)] + ["r-0", "r-1"]
    assert [request.args["name"] for request in found if request.kind == "k8s/events"] == logs


def test_of_a_later_page_of_a_list_only_the_first_to_fail_is_read() -> None:
    failed = [pod(f"f-{n}", "Failed", container(ended(1, at=f"2026-05-20T11:{59 - n:02}:00Z"))) for n in range(9)]
    found = asked(listed(pod("r-0", "Running", container(RUNNING)), *failed), "k8s/pods:more")
    assert [request.args["pod"] for request in found if request.kind == "k8s/log"] == ["f-8"]


def test_pods_that_fail_now_leave_room_for_two_that_failed_before_and_run_again() -> None:
    now = [pod(f"f-{n}", "Failed", container(ended(1, at=f"2026-05-20T12:{n:02}:00Z"))) for n in range(9)]
    again = [
        pod(f"a-{n}", "Running", container(RUNNING, ended(1, at=f"2026-05-19T12:{n:02}:00Z"), 1)) for n in range(9)
    ]
    found = asked(listed(*again, *now), "k8s/pods")
    read = [request.args["pod"] for request in found if request.kind == "k8s/log"]
    assert list(dict.fromkeys(read)) == [f"f-{n}" for n in range(6)] + ["a-0", "a-1"]


def test_a_pod_that_was_taken_away_before_any_container_failed_is_the_first() -> None:
    gone = condition("DisruptionTarget", "EvictionByEvictionAPI") | {"lastTransitionTime": "2026-05-20T11:00:00Z"}
    evicted = pod("e-0", "Failed", conditions=[gone], reason="Evicted")
    failed = [pod(f"f-{n}", "Failed", container(ended(1))) for n in range(9)]
    found = asked(listed(*failed, evicted), "k8s/pods")
    assert next(request.args["name"] for request in found if request.kind == "k8s/events") == "e-0"


@pytest.mark.parametrize(
    ("made", "rank"),
    [
        (pod("t-0", "Failed", container(ended(1)), rank="3"), "3"),
        (pod("t-0", "Failed", container(ended(1)), rank="3", gpus=8), ""),
        (pod("t-0", "Failed", container(ended(1)), labels={"batch.kubernetes.io/job-completion-index": "5"}), "5"),
        (pod("t-0", "Failed", container(ended(1))), ""),
    ],
)
def test_a_rank_is_told_only_where_a_pod_runs_one_process(made: dict[str, Any], rank: str) -> None:
    log = next(request for request in asked(made) if request.kind == "k8s/log")
    assert log.args["rank"] == rank


def test_a_ray_job_leads_to_the_pods_of_its_cluster() -> None:
    made = job("ray.io/v1", "RayJob", "llm", status={"rayClusterName": "llm-raycluster-x"})
    assert "ml/pods?ray.io/cluster=llm-raycluster-x" in paths(asked(made, "k8s/owner"))


def test_a_search_for_a_pod_tells_where_it_lives_and_nothing_else() -> None:
    held = pod("t-0", "Failed", container(ended(137, "OOMKilled")))
    content = json.dumps({"apiVersion": "v1", "kind": "PodList", "items": [held]}).encode()
    artifact = Artifact(path="x", kind="k8s", size=len(content), source="k8s/where")
    parser = recognise(artifact, content)
    assert parser is not None
    (home,) = parser.read(artifact, Bytes(content)).events
    assert (home.name, home.captures["namespace"].raw, home.subject.pod) == ("k8s/home", "ml", "t-0")
