"""`runtriage k8s` inside a pod: no kubectl, no config file, only the service account that the cluster mounts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from runtriage.cli.app import run as command
from runtriage.targets import kube_context
from tests.servers.kube_build import container, ended, node, pod
from tests.servers.kube_mount import certificate, mount
from tests.servers.kube_server import TOKEN, KubeServer

pytest.importorskip("kubernetes")
pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed"),
]
OBJECTS = [pod("t-0", "Failed", container(ended(137, "OOMKilled"))), node()]


def asked(
    server: KubeServer, place: Path, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, Any], str]:
    """Ask as a pod would: PATH and HOME lead nowhere."""
    for name, value in (
        ("PATH", str(folder)),
        ("HOME", str(folder)),
        ("KUBERNETES_SERVICE_HOST", "127.0.0.1"),
        ("KUBERNETES_SERVICE_PORT", str(server.port)),
    ):
        patch.setenv(name, value)
    patch.delenv("KUBECONFIG", raising=False)
    patch.setattr(kube_context, "MOUNT", place)
    code = command(["k8s", "pod/t-0", "--format", "json", "--no-cache", "--no-history"])
    seen = capsys.readouterr()
    assert server.writes == []
    assert TOKEN not in seen.out + seen.err
    return code, json.loads(seen.out) if seen.out else {}, seen.err


def test_the_service_account_of_the_pod_reads_its_own_namespace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    authority = certificate(tmp_path)
    with KubeServer(objects=OBJECTS, certificate=authority) as server:
        code, told, _ = asked(server, mount(tmp_path, authority), tmp_path, monkeypatch, capsys)
    assert (code, told["workload_category"]) == (1, "OOM_KILLED")
    assert told["target"] == "k8s:/ml/pod/t-0"
    assert {header.partition(" ")[2] for header in server.presented} == {TOKEN}


def test_a_server_that_another_authority_signed_is_not_given_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    with KubeServer(objects=OBJECTS, certificate=certificate(tmp_path)) as server:
        code, _, said = asked(server, mount(tmp_path, certificate(tmp_path / "other")), tmp_path, monkeypatch, capsys)
    assert code == 4
    assert "no connection" in said
    assert server.requests == []


def test_a_token_that_the_server_does_not_take_is_a_lack_of_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    authority = certificate(tmp_path)
    with KubeServer(objects=OBJECTS, certificate=authority) as server:
        place = mount(tmp_path, authority, token="stale")
        code, _, said = asked(server, place, tmp_path, monkeypatch, capsys)
    assert code == 4
    assert "no right to read it" in said


def test_a_pod_without_a_service_account_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with KubeServer(objects=OBJECTS, certificate=certificate(tmp_path)) as server:
        code, _, said = asked(server, tmp_path / "none", tmp_path, monkeypatch, capsys)
    assert code == 4
    assert "no usable Kubernetes config" in said
