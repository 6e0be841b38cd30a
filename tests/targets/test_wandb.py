"""A run of W&B through its API, asked only with three stored queries; and an offline run by its id."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest

import runtriage
from runtriage.targets.errors import TargetError
from runtriage.targets.grammar import parse
from runtriage.targets.wandb import open_target
from tests.parse import tracker_files as made
from tests.servers.answering import Answering, Asked, Status, answering

GROUP = "ablation"
LOG = (
    b'step 30 loss 1.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nValueError: bad label\n'
)


def run(state: str, url: str = "") -> dict[str, Any]:
    files = [{"node": {"name": "output.log", "sizeBytes": str(len(LOG)), "directUrl": f"{url}/files/output.log?sig=1"}}]
    return {
        "name": "abc123",
        "displayName": "bold-owl",
        "state": state,
        "heartbeatAt": "2026-01-01T00:00:00Z",
        "createdAt": "2026-01-01T00:00:00Z",
        "sweepName": "lr-search",
        "group": GROUP,
        "config": json.dumps({"lr": {"value": 0.5}, "api_key": {"value": "hunter2hunter2"}}),
        "summaryMetrics": json.dumps({"_step": 30}),
        "historyLineCount": 31,
        "historyKeys": {"keys": {"train/loss": {}, "_step": {}}},
        "files": {"edges": files if url else []},
    }


def graphql(server: list[Answering], state: str, *, log: bool = True):
    def reply(asked: Asked) -> dict[str, Any]:
        if asked.body["query"].startswith("query Run("):
            found = run(state, server[0].url if log else "")
            return {"data": {"project": {"run": found if asked.body["variables"]["run"] == "abc123" else None}}}
        if asked.body["query"].startswith("query System("):
            memory = [{"_timestamp": 1_767_225_600 + at, "system.memory_percent": 40 + at} for at in range(5)]
            return {"data": {"project": {"run": {"events": [json.dumps(each) for each in memory]}}}}
        rows = [{"_step": step, "train/loss": 2 - step / 30} for step in range(31)]
        return {"data": {"project": {"run": {"sampledHistory": [rows]}}}}

    return reply


def diagnose(monkeypatch: pytest.MonkeyPatch, state: str, *, log: bool = True):
    held: list[Answering] = []
    routes = {("POST", "/graphql"): graphql(held, state, log=log), ("GET", "/files/output.log"): lambda _: LOG}
    with answering(routes) as server:
        held.append(server)
        monkeypatch.setenv("WANDB_BASE_URL", server.url)
        monkeypatch.setenv("WANDB_API_KEY", "hunter2hunter2")
        report = runtriage.diagnose("wandb:team/heron/abc123")
    assert not server.refused
    return report, server


def test_a_failed_run_is_read_with_its_output_and_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    report, server = diagnose(monkeypatch, "failed")
    assert (report.run_status, report.last_progress.step) == ("crashed", 30)
    assert report.root_evidence is not None and report.root_evidence.artifact == "files/output.log"
    assert "hunter2" not in report.to_json()
    assert "system.json" in {read.artifact for read in report.coverage.artifacts}
    (fetched,) = [asked for asked in server.asked if asked.method == "GET"]
    assert "authorization" not in fetched.headers


def test_histories_of_many_metrics_come_in_several_answers_none_of_which_is_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    specs: list[list[str]] = []

    def reply(asked: Asked) -> dict[str, Any]:
        found = run("finished")
        found |= {"historyLineCount": 100_000, "historyKeys": {"keys": {f"layer{at}/norm": {} for at in range(60)}}}
        if asked.body["query"].startswith("query History("):
            specs.append(asked.body["variables"]["specs"])
            names = [json.loads(spec)["keys"][-1] for spec in specs[-1]]
            found = {"sampledHistory": [[{"_step": at, name: 0.5} for at in range(9)] for name in names]}
        return {"data": {"project": {"run": found}}}

    with answering({("POST", "/graphql"): reply}) as server:
        monkeypatch.setenv("WANDB_BASE_URL", server.url)
        report = runtriage.diagnose("wandb:team/heron/abc123")
    assert [len(each) for each in specs] == [25, 25, 10]
    assert {json.loads(spec)["samples"] for each in specs for spec in each} == {2_000}
    assert {"history.json", "history-2.json", "history-3.json"} <= {read.artifact for read in report.coverage.artifacts}
    assert any("sampled at 2,000 steps" in str(each) for each in report.coverage.not_seen)


def test_a_run_that_says_finished_while_its_output_ends_in_an_error_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    report, _ = diagnose(monkeypatch, "finished")
    assert report.run_status == "crashed"
    assert report.platform_lines == [
        "Belongs to: sweep lr-search, group ablation",
        "Artifacts: output.log",
        "Records disagree: W&B says finished; what was read shows the run crashed",
    ]
    assert any("contradicted" in text for text in report.hypotheses[0].contradicts)


@pytest.mark.parametrize(
    ("state", "status", "mode"),
    [
        ("finished", "completed", None),
        ("running", "crashed", "crash/sigkill-unknown"),
        ("crashed", "crashed", "crash/sigkill-unknown"),
        ("killed", "crashed", "orch/user-cancel"),
        ("preempted", "unknown", None),
    ],
)
def test_states_of_the_service_mean_what_they_say(
    monkeypatch: pytest.MonkeyPatch, state: str, status: str, mode: str | None
) -> None:
    report, _ = diagnose(monkeypatch, state, log=False)
    assert (report.run_status, report.failure_mode) == (status, mode)


def test_a_run_nobody_may_see_and_a_key_that_is_refused_have_their_exit_codes() -> None:
    def refuse(_: Asked) -> None:
        raise Status(401)

    for reply, code in ((graphql([], "failed", log=False), 3), (refuse, 4)):
        with answering({("POST", "/graphql"): reply}) as server, pytest.raises(TargetError) as error:
            open_target(
                parse("wandb:team/heron/other"), {"WANDB_BASE_URL": server.url, "WANDB_API_KEY": "hunter2hunter2"}
            )
        assert error.value.code == code
        assert "hunter2" not in str(error.value)


@pytest.mark.parametrize(
    "target", ["wandb:team/Fog Harbour, 2/abc123", "wandb:https://wandb.ai/team/Fog%20Harbour%2C%202/runs/abc123?nw=1"]
)
def test_a_project_may_have_a_name_with_blanks(target: str) -> None:
    with answering({("POST", "/graphql"): graphql([], "failed", log=False)}) as server:
        variables = {"WANDB_BASE_URL": server.url, "WANDB_API_KEY": "hunter2hunter2"}
        with open_target(parse(target), variables) as found:
            assert list(found.first_requests())
    assert {asked.body["variables"]["project"] for asked in server.asked} == {"Fog Harbour, 2"}


@pytest.mark.parametrize("target", ["wandb:team/he#ron/abc", "wandb:team/he\nron/abc", "wandb:team/a/b/c"])
def test_a_name_that_no_project_can_have_is_wrong_usage(target: str) -> None:
    with pytest.raises(TargetError, match="ENTITY/PROJECT/RUN") as error:
        open_target(parse(target), {})
    assert error.value.code == 2


def test_an_answer_that_is_no_object_names_the_service() -> None:
    with answering({("POST", "/graphql"): lambda _: []}) as server, pytest.raises(TargetError) as error:
        open_target(parse("wandb:team/heron/abc123"), {"WANDB_BASE_URL": server.url, "WANDB_API_KEY": "hunter2hunter2"})
    assert f"W&B at {server.url} answers with JSON that is no object" in str(error.value)


def test_an_offline_run_is_found_by_its_id(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "wandb" / "offline-run-20260101_000000-abc123"
    folder.mkdir(parents=True)
    (folder / "run-abc123.wandb").write_bytes(
        made.offline_run([made.history(3, loss="1"), made.field(18, made.field(1, 1))])
    )
    monkeypatch.chdir(tmp_path)
    assert runtriage.diagnose("wandb:abc123").run_status == "crashed"


def test_a_run_without_a_place_is_wrong_usage(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TargetError, match="ENTITY/PROJECT/RUN") as error:
        open_target(parse("wandb:abc"), {})
    assert error.value.code == 2


def test_a_name_of_several_lines_cannot_add_a_line_to_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "GROUP", "ablation\nDecision: GO")
    report, _ = diagnose(monkeypatch, "failed")
    assert "Belongs to: sweep lr-search, group ablation Decision: GO" in report.platform_lines
    assert not any("\n" in line for line in report.platform_lines)


def test_files_beyond_the_first_page_are_found_and_one_that_is_gone_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held: list[Answering] = []
    stood_in = graphql(held, "failed")
    asked_after: list[str] = []

    def reply(asked: Asked) -> dict[str, Any]:
        log = run("failed", held[0].url)["files"]["edges"]
        gone = [{"node": {"name": "config.yaml", "sizeBytes": "word", "directUrl": f"{held[0].url}/files/gone"}}]
        if asked.body["query"].startswith("query Files("):
            asked_after.append(asked.body["variables"]["after"])
            page = {"edges": log, "pageInfo": {"endCursor": "second", "hasNextPage": True}}
            return {"data": {"project": {"run": {"files": page}}}}
        answer = stood_in(asked)
        if asked.body["query"].startswith("query Run("):
            first = {"edges": gone, "pageInfo": {"endCursor": "first", "hasNextPage": True}}
            answer["data"]["project"]["run"] |= {"files": first, "historyLineCount": "many"}
        return answer

    routes = {("POST", "/graphql"): reply, ("GET", "/files/output.log"): lambda _: LOG}
    with answering(routes) as server:
        held.append(server)
        monkeypatch.setenv("WANDB_BASE_URL", server.url)
        report = runtriage.diagnose("wandb:team/heron/abc123")
    assert asked_after == ["first", "second"]
    assert report.root_evidence is not None and report.root_evidence.artifact == "files/output.log"
    assert any("1 of its files could not be had: W&B's files at" in item for item in report.coverage.not_seen)
    assert any("only 3 of its files were looked at" in item for item in report.coverage.not_seen)


def test_metrics_beyond_those_that_are_asked_for_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def reply(asked: Asked) -> dict[str, Any]:
        found = run("finished") | {"historyKeys": {"keys": {f"m{at}": {} for at in range(230)}}}
        if asked.body["query"].startswith("query History("):
            if '"m0"' in asked.body["variables"]["specs"][0]:
                raise Status(400)
            found = {"sampledHistory": [[{"_step": at, "m1": 0.5} for at in range(9)]]}
        return {"data": {"project": {"run": found}}}

    with answering({("POST", "/graphql"): reply}) as server:
        monkeypatch.setenv("WANDB_BASE_URL", server.url)
        report = runtriage.diagnose("wandb:team/heron/abc123")
    assert any("30 more metrics were left out" in item for item in report.coverage.not_seen)
    assert any("1 of the answers with 200 metrics could not be had" in item for item in report.coverage.not_seen)
    assert "history-2.json" in {read.artifact for read in report.coverage.artifacts}


@pytest.mark.parametrize(("ago", "status"), [(60, "running"), (7_260, "crashed")])
def test_a_run_that_is_still_called_running_is_judged_by_the_age_of_its_heartbeat(
    monkeypatch: pytest.MonkeyPatch, ago: int, status: str
) -> None:
    beat = datetime.fromtimestamp(time.time() - ago, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def reply(asked: Asked) -> dict[str, Any]:
        found = run("running") | {"heartbeatAt": beat}
        return {"data": {"project": {"run": found if asked.body["query"].startswith("query Run(") else {}}}}

    with answering({("POST", "/graphql"): reply}) as server:
        monkeypatch.setenv("WANDB_BASE_URL", server.url)
        report = runtriage.diagnose("wandb:team/heron/abc123")
    assert report.run_status == status
    assert ("2 h 1 min before it was looked at" in report.root_cause.root) == (status == "crashed")
