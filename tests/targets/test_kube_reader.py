"""The two ways to read a cluster, and the namespace that is meant where none is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from runtriage.targets.errors import TargetError
from runtriage.targets.kube_context import namespace_of
from runtriage.targets.kube_reader import Kubectl, KubeError, KubeReader, OfficialClient
from tests.servers.kube_build import container, ended, pod
from tests.servers.kube_server import TOKEN, KubeServer

WAYS = [
    pytest.param(Kubectl, marks=pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")),
    OfficialClient,
]
OBJECTS = [pod("t-0", "Failed", container(ended(1)), labels={"app": "x"})]


def opened(
    way: type[Kubectl] | type[OfficialClient], server: KubeServer, folder: Path, patch: pytest.MonkeyPatch
) -> KubeReader:
    if way is OfficialClient:
        pytest.importorskip("kubernetes")
    patch.setenv("KUBECONFIG", str(server.kubeconfig(folder)))
    patch.setenv("HOME", str(folder))
    return way("test")


@pytest.mark.server
@pytest.mark.parametrize("way", WAYS)
def test_both_ways_read_objects_lists_and_logs(
    way: type[Kubectl] | type[OfficialClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with KubeServer(objects=OBJECTS, logs={("ml", "t-0", "main", True): b"one\ntwo\n"}) as server:
        reads = opened(way, server, tmp_path, monkeypatch)
        assert json.loads(reads.get("/api/v1/namespaces/ml/pods/t-0"))["kind"] == "Pod"
        assert json.loads(reads.get("/api/v1/namespaces/ml/pods?limit=5&labelSelector=app%3Dx"))["items"]
        assert reads.get("/api/v1/namespaces/ml/pods/t-0/log?container=main&previous=true&tailLines=1") == b"two\n"
        assert server.writes == []
        assert way is Kubectl or server.presented == {f"Bearer {TOKEN}"}


@pytest.mark.server
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("path", "status"), [("/api/v1/namespaces/ml/pods/none", 404), ("/api/v1/nodes/gpu-1", 403)])
def test_both_ways_tell_absence_from_a_lack_of_rights(
    path: str, status: int, way: type[Kubectl] | type[OfficialClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with KubeServer(objects=OBJECTS, denied=["/nodes"]) as server:
        with pytest.raises(KubeError) as refused:
            opened(way, server, tmp_path, monkeypatch).get(path)
        assert refused.value.status == status


@pytest.mark.server
@pytest.mark.parametrize("way", WAYS)
def test_both_ways_say_that_nobody_answers(
    way: type[Kubectl] | type[OfficialClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with KubeServer() as server:
        reads = opened(way, server, tmp_path, monkeypatch)
    with pytest.raises(KubeError) as refused:
        reads.get("/api/v1/nodes")
    assert refused.value.status is None


def test_the_namespace_of_the_context_is_meant_where_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    contexts = [{"name": "a", "context": {"namespace": "vision"}}, {"name": "b", "context": {}}]
    path = tmp_path / "config"
    path.write_text(json.dumps({"current-context": "b", "contexts": contexts}), encoding="utf-8")
    monkeypatch.setenv("KUBECONFIG", str(path))
    assert [namespace_of(name) for name in ("a", "b", None)] == ["vision", "default", "default"]
    with pytest.raises(TargetError, match="known are a, b"):
        namespace_of("c")
