"""`runtriage k8s`, through the real kubectl against an API server that only reads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from runtriage.cli.app import run as command
from runtriage.targets import k8s, kube_reader
from tests.servers.kube_build import (
    condition,
    container,
    ended,
    job,
    node,
    pod,
    reference,
)
from tests.servers.kube_cases import BY_JOB, CASES, JOB, LABEL, TRACEBACK
from tests.servers.kube_server import TOKEN, KubeServer

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed"),
]


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


def test_a_server_that_stops_answering_is_given_up_and_what_it_said_before_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(k8s, "reader", lambda context: kube_reader.reader(context, seconds=1))
    objects = [pod("t-0", "Failed", container(ended(137, "OOMKilled")), claims=["a", "b", "c"]), node()]
    with KubeServer(objects=objects, hangs=["/events", "/log", "/nodes", "/persistentvolumeclaims"]) as server:
        code, told = report(["pod/t-0"], server, tmp_path, monkeypatch, capsys)
        asked = [path for path in server.requests if any(piece in path for piece in server.hangs)]
    assert (code, told["workload_category"]) == (1, "OOM_KILLED")
    assert len(asked) == 2
    unread = told["coverage"]["not_seen"]
    assert sum("no longer answered" in text for text in unread) == 4


def test_an_unknown_kind_is_answered_with_a_near_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["k8s", "pytorchjbo/x", "-n", "ml"]) == 2
    assert "pytorchjob" in capsys.readouterr().err


def test_kind_and_name_may_be_two_words_and_the_category_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with KubeServer(objects=[pod("t-0", "Failed", container(ended(137, "OOMKilled"))), node()]) as server:
        monkeypatch.setenv("KUBECONFIG", str(server.kubeconfig(tmp_path)))
        monkeypatch.setenv("HOME", str(tmp_path))
        assert command(["k8s", "pod", "t-0", "--no-cache", "--no-history"]) == 1
    assert "\nCategory: OOM_KILLED\n" in capsys.readouterr().out


def test_a_target_names_context_namespace_kind_and_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with KubeServer(objects=[pod("t-0", "Failed", container(ended(137, "OOMKilled"))), node()]) as server:
        monkeypatch.setenv("KUBECONFIG", str(server.kubeconfig(tmp_path)))
        monkeypatch.setenv("HOME", str(tmp_path))
        assert command(["diagnose", "k8s:test/ml/pod/t-0", "--no-cache", "--no-history"]) == 1
    assert "OOMKilled" in capsys.readouterr().out


GANG = 1000


@pytest.mark.parametrize(
    ("end", "log", "category"),
    [(ended(137, "OOMKilled"), b"step 1 loss=1.9\n", "OOM_KILLED"), (ended(1), TRACEBACK, "CRASH_APP_ERROR")],
)
def test_of_a_thousand_pods_the_first_that_failed_is_named_and_few_are_read(
    end: dict[str, Any],
    log: bytes,
    category: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    followed = [pod(f"tr-{n:03}", "Failed", container(ended(1, at="2026-05-20T12:05:00Z"))) for n in range(GANG)]
    first = pod("tr-700", "Failed", container(end), node="gpu-88", rank="700")
    followed[700] = first
    for each in followed:
        each["metadata"]["labels"] = LABEL
    logs = {("ml", "tr-700", "main", False): log}
    with KubeServer(objects=[JOB, *followed, node("gpu-88"), node()], logs=logs) as server:
        code, told = report(["job/tr"], server, tmp_path, monkeypatch, capsys)
        asked = len(server.requests)
    assert (code, told["workload_category"]) == (1, category)
    assert (told["culprit"]["pod"], told["culprit"]["rank"], told["culprit"]["node"]) == ("tr-700", 700, "gpu-88")
    assert asked <= 40
