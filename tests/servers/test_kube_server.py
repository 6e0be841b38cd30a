"""The read-only API server, read by the real kubectl."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.servers.kube_server import KubeServer

pytestmark = pytest.mark.server

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "train-0", "namespace": "ml", "labels": {"job-name": "train"}},
    "spec": {"nodeName": "gpu-1", "containers": [{"name": "main", "image": "img"}]},
    "status": {"phase": "Failed"},
}


def kubectl(config: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["kubectl", "--kubeconfig", str(config), "--cache-dir", str(config.parent / "cache"), *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)


def test_kubectl_reads_objects_lists_and_logs(tmp_path: Path) -> None:
    with KubeServer(objects=[POD], logs={("ml", "train-0", "main", True): b"one\ntwo\n"}) as server:
        config = server.kubeconfig(tmp_path)
        assert json.loads(kubectl(config, "get", "pod", "train-0", "-o", "json").stdout)["kind"] == "Pod"
        assert json.loads(kubectl(config, "get", "pods", "-l", "job-name=train", "-o", "json").stdout)["items"]
        assert kubectl(config, "logs", "train-0", "-c", "main", "--previous", "--tail=1").stdout == "two\n"
        raw = kubectl(config, "get", "--raw", "/api/v1/namespaces/ml/pods/train-0")
        assert json.loads(raw.stdout)["status"]["phase"] == "Failed"
        assert server.writes == []


def test_every_write_is_refused_and_recorded(tmp_path: Path) -> None:
    with KubeServer(objects=[POD]) as server:
        done = kubectl(server.kubeconfig(tmp_path), "delete", "pod", "train-0", "--wait=false")
        assert "Forbidden" in done.stderr
        assert len(server.writes) == 1
        assert server.writes[0].startswith("DELETE /api/v1/namespaces/ml/pods/train-0")


def test_what_may_not_be_read_is_denied(tmp_path: Path) -> None:
    with KubeServer(objects=[POD], denied=["/nodes"]) as server:
        assert "Forbidden" in kubectl(server.kubeconfig(tmp_path), "get", "--raw", "/api/v1/nodes/gpu-1").stderr
