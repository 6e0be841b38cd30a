"""Pods, nodes and accelerators, through the real kubectl."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from tests.api.workflow_runs import node, pod, row, waiting
from tests.cli.workflow.asked import Asked, named, uri
from tests.servers.kube_server import TOKEN, KubeServer
from tests.servers.workflow_sky import SkyStandIn

pytestmark = pytest.mark.server


def test_a_stalled_pull_is_read_from_the_pod_of_exactly_this_job(ask: Asked) -> None:
    stalled = pod("train-12-0a1b2c3d", **waiting("ImagePullBackOff", "Back-off pulling image: 403 Forbidden"))
    other = pod("train-12-333-0a1b2c3d", **waiting("CrashLoopBackOff", "another job"))
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "STARTING")])
    with KubeServer(objects=[named(stalled), named(other)]) as cluster:
        code, found = ask.data(
            "workflow", "diagnose", uri("live"), **(ask.sky(sky) | {"KUBECONFIG": str(cluster.kubeconfig(ask.folder))})
        )
        assert cluster.writes == []
    workflow = found["workflow"]
    assert code == 1
    assert (workflow["status"], workflow["reason_code"]) == ("STARTING", "IMAGE_PULL_AUTH")
    assert workflow["decision"]["decision"] == "FIX_CONFIG_START_FRESH"
    assert workflow["decision"]["cancel_first"]
    assert workflow["kubernetes"]["pods_for_job"] == 1
    assert all("cancel" not in call for call in sky.calls)


def test_a_cluster_that_forbids_looking_is_not_one_without_blockers(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "STARTING")])
    with KubeServer(objects=[], denied=["/pods"]) as cluster:
        _, found = ask.data(
            "workflow", "status", uri("live"), **(ask.sky(sky) | {"KUBECONFIG": str(cluster.kubeconfig(ask.folder))})
        )
    assert found["kubernetes"]["error_code"] == "KUBERNETES_RBAC"
    assert any("not the same as nothing blocking" in note for note in found["diagnostics"])


def test_accelerators_come_from_sky_and_from_the_nodes(ask: Asked) -> None:
    sky = SkyStandIn(ask.folder / "sky-bin")
    code, found = ask.data("workflow", "gpus", **ask.sky(sky))
    assert code == 0
    assert found["sky"]["accelerators"] == [
        {"name": "H100", "per_node": [1, 2, 4, 8]},
        {"name": "L40S", "per_node": [1]},
    ]
    assert found["nodes"]["state"] == "failed"


def test_the_namespace_at_hand_is_read_where_the_whole_cluster_may_not_be(ask: Asked) -> None:
    stalled = pod("train-12-0a1b2c3d", **waiting("ErrImagePull", "manifest unknown"))
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "STARTING")])
    with KubeServer(objects=[named(stalled)], denied=["/api/v1/pods", "/nodes"]) as cluster:
        _, found = ask.data(
            "workflow", "status", uri("live"), **(ask.sky(sky) | {"KUBECONFIG": str(cluster.kubeconfig(ask.folder))})
        )
    assert found["reason_code"] == "IMAGE_NOT_FOUND"


@pytest.mark.parametrize(("denied", "code"), [((), "IMAGE_PULL_AUTH"), (("/pods",), None)])
def test_where_there_is_no_kubectl_the_official_client_reads_the_pods(
    ask: Asked, monkeypatch: pytest.MonkeyPatch, denied: tuple[str, ...], code: str | None
) -> None:
    pytest.importorskip("kubernetes")
    found_by = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, **more: None if name == "kubectl" else found_by(name, **more))
    stalled = pod("train-12-0a1b2c3d", **waiting("ImagePullBackOff", "Back-off pulling image: 403 Forbidden"))
    sky = SkyStandIn(ask.folder / "sky-bin", queue=[row("12", "STARTING")])
    with KubeServer(objects=[named(stalled)], denied=denied) as cluster:
        _, found = ask.data(
            "workflow", "status", uri("live"), **(ask.sky(sky) | {"KUBECONFIG": str(cluster.kubeconfig(ask.folder))})
        )
        assert cluster.writes == []
        assert cluster.presented == {f"Bearer {TOKEN}"}
    assert found["reason_code"] == code
    assert found["kubernetes"]["error_code"] == (None if code else "KUBERNETES_RBAC")


@pytest.mark.parametrize(
    ("more", "free", "waited"),
    [
        ([], 5, 0),
        ([pod("b-9-ffffffff", gpus=2, node="n1")], 3, 0),
        ([pod("b-9-ffffffff", gpus=4, node="n1", phase="Succeeded")], 5, 0),
        ([pod("b-9-ffffffff", gpus=2)], None, 2),
    ],
)
def test_what_starts_on_a_node_is_not_free_and_what_waits_leaves_it_open(
    ask: Asked, more: list[dict[str, Any]], free: int | None, waited: int
) -> None:
    nodes = {"apiVersion": "v1", "kind": "Node", **node("n1", "NVIDIA-H100-80GB-HBM3", 8)}
    running = named(pod("a-8-ffffffff", gpus=3, node="n1", phase="Running"))
    with KubeServer(objects=[nodes, running, *(named(each) for each in more)]) as cluster:
        _, found = ask.data("workflow", "gpus", KUBECONFIG=str(cluster.kubeconfig(ask.folder)))
        assert cluster.writes == []
    (row,) = found["nodes"]["nodes"]
    assert (row["free"], found["nodes"]["gpus_waited_for"]) == (free, waited)
