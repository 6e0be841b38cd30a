"""Container evidence for Run:ai workloads: the real kubectl, against an API server that only reads."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from runtriage.cli.app import run as command
from tests.servers.kube_build import container, ended, event, node, pod
from tests.servers.kube_server import TOKEN, KubeServer
from tests.servers.runai_build import identity, one, record, run
from tests.servers.runai_build import phase as changed
from tests.servers.runai_build import pod as listed
from tests.servers.runai_mcp import over_http
from tests.servers.runai_replay import CLUSTER, Replay
from tests.servers.runai_scenarios import ARGUMENTS
from tests.servers.runai_words import CRASH, KILLED, NODE, OOM

pytest.importorskip("mcp")
pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed"),
]
TRACEBACK = b"""\
step 40 loss=0.9
Traceback (most recent call last):
  File "/app/fit.py", line 12, in <module>
    fit(table)
  File "/app/fit.py", line 7, in fit
    rows = table["fold"]
KeyError: 'fold'
"""


def diagnosed(
    replay: Replay,
    server: KubeServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[int, str]:
    monkeypatch.setenv("KUBECONFIG", str(server.kubeconfig(folder)))
    monkeypatch.setenv("HOME", str(folder))
    with over_http(replay) as url:
        asked = ["runai", "--cluster-id", CLUSTER, "--workload-id", identity(1), "--mcp", url, "--context", "test"]
        code = command([*asked, *ARGUMENTS])
    seen = capsys.readouterr()
    assert replay.faults == []
    assert server.writes == []
    assert not any("secrets" in path for path in server.requests)
    assert TOKEN not in seen.out + seen.err
    return code, seen.out


def in_namespace(made: dict[str, Any], name: str) -> dict[str, Any]:
    made["metadata"]["namespace"] = name
    return made


def test_the_kubelets_word_settles_who_killed_the_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = one(run(1, "Failed", "ContainerExit", KILLED))()
    held = in_namespace(pod("job-0", "Failed", container(ended(137, "OOMKilled"))), "runai-vision")
    with KubeServer(objects=[held]) as server:
        code, out = diagnosed(replay, server, tmp_path, monkeypatch, capsys)
    assert (code, out.partition("\n")[0]) == (1, "Category: OOM_KILLED")
    assert "(source: kubectl get pod job-0, namespace runai-vision)" in out
    assert not any("/nodes" in path for path in server.requests)


def test_the_previous_log_names_the_failing_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = one(run(1, "Failed", "ContainerExit", CRASH))()
    held = in_namespace(pod("job-0", "Running", container(ended(3), ended(3), 2)), "runai-vision")
    logs = {("runai-vision", "job-0", "main", True): TRACEBACK}
    with KubeServer(objects=[held], logs=logs) as server:
        code, out = diagnosed(replay, server, tmp_path, monkeypatch, capsys)
    assert (code, out.partition("\n")[0]) == (1, "Category: CRASH_APP_ERROR")
    assert "kubectl logs job-0 --previous, namespace runai-vision" in out
    assert "job-0.main.previous.log:7" in out
    assert any("previous=true" in path for path in server.requests)


def test_a_namespace_with_another_name_is_found_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = one(run(1, "Failed", "ContainerExit", KILLED))()
    held = in_namespace(pod("job-0", "Failed", container(ended(137, "OOMKilled"))), "team-vision")
    with KubeServer(objects=[held]) as server:
        _, out = diagnosed(replay, server, tmp_path, monkeypatch, capsys)
    assert out.startswith("Category: OOM_KILLED")
    assert "namespace team-vision" in out


def test_two_pods_of_that_name_in_other_namespaces_are_not_chosen_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = one(run(1, "Failed", "ContainerExit", KILLED))()
    held = [in_namespace(pod("job-0", "Failed", container(ended(137, "OOMKilled"))), home) for home in ("a", "b")]
    with KubeServer(objects=held) as server:
        code, out = diagnosed(replay, server, tmp_path, monkeypatch, capsys)
    assert (code, out.partition("\n")[0]) == (5, "Category: UNKNOWN")


def test_without_rights_the_category_stays_open_and_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = one(run(1, "Failed", "ContainerExit", KILLED))()
    with KubeServer(denied=["/api/v1"]) as server:
        code, out = diagnosed(replay, server, tmp_path, monkeypatch, capsys)
    assert (code, out.partition("\n")[0]) == (5, "Category: UNKNOWN")
    assert "no right to read it" in out


def test_a_lost_node_is_looked_at_and_no_other_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [record("NodeNotReady", NODE), changed("Failed", NODE)]
    replay = one(run(1, "Failed", "NodeNotReady", NODE, records=records, pods=[listed("Error", node="gpu-b")]))()
    with KubeServer(objects=[node("gpu-b", ready=False)]) as server:
        _, out = diagnosed(replay, server, tmp_path, monkeypatch, capsys)
    assert out.startswith("Category: NODE_FAILURE")
    assert "(source: kubectl get node gpu-b)" in out
    assert [path for path in server.requests if "/api/v1" in path and "/nodes/" not in path] == []


def test_nothing_is_asked_of_kubernetes_where_the_platform_proved_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = one(run(1, "Failed", "OOMKilled", OOM, pods=[listed("OOMKilled")]))()
    with KubeServer(objects=[event(1, "job-0", "BackOff", "x")]) as server:
        diagnosed(replay, server, tmp_path, monkeypatch, capsys)
    assert server.requests == []
