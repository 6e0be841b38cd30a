"""`runtriage runai --api`: the same answers over the REST API, and its ways to refuse."""

from __future__ import annotations

import pytest

from runtriage.cli.app import run as command
from tests.servers.runai_build import identity
from tests.servers.runai_replay import CLUSTER
from tests.servers.runai_rest import ACCESS, SECRET, Api, over_rest
from tests.servers.runai_scenarios import ARGUMENTS, SCENARIOS, Scenario

pytest.importorskip("httpx2")
pytestmark = pytest.mark.server
SAME = [
    "application",
    "out of memory",
    "out of memory with a peak",
    "image",
    "init",
    "mount",
    "node",
    "longest duration",
    "unknown",
    "recurring",
    "crash loop",
    "the newest that ended",
    "the first active one that shows the symptom",
    "preempted",
    "waiting for a GPU",
    "completed",
    "suspended",
    "wrong cluster",
    "no such workload",
    "history of 230 records",
]


def diagnosed(api: Api, scenario: Scenario, monkeypatch: pytest.MonkeyPatch, secret: str = SECRET) -> int:
    monkeypatch.setenv("RUNAI_CLIENT_ID", "reader")
    monkeypatch.setenv("RUNAI_CLIENT_SECRET", secret)
    monkeypatch.delenv("RUNAI_TOKEN", raising=False)
    with over_rest(api) as url:
        return command(["runai", "--cluster-id", CLUSTER, *scenario.arguments, "--api", url, *ARGUMENTS])


@pytest.mark.parametrize("name", SAME)
def test_the_rest_api_leads_to_the_same_answer(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = SCENARIOS[name]
    api = Api(scenario.replay())
    code = diagnosed(api, scenario, monkeypatch)
    seen = capsys.readouterr()
    assert code == scenario.code, seen.out
    first = seen.out.partition("\n")[0]
    assert first == f"Category: {scenario.category}" if scenario.category else first.endswith(f": {scenario.word}")
    assert api.writes == []
    assert api.replay.faults == []
    assert not any(word in seen.out + seen.err for word in (SECRET, ACCESS))


def test_what_passes_is_asked_again(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = SCENARIOS["out of memory"]
    assert diagnosed(Api(scenario.replay(), failing=[503, 429]), scenario, monkeypatch) == 1
    assert capsys.readouterr().out.startswith("Category: OOM_KILLED")


def test_what_does_not_pass_is_cited(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = SCENARIOS["out of memory"]
    code = diagnosed(
        Api(scenario.replay(), refused={f"{identity(1)}/pods": 403, f"{identity(1)}/history": 401}),
        scenario,
        monkeypatch,
    )
    out = capsys.readouterr().out
    assert code == 1
    assert "get_workload_pods: HTTP 403" in out
    assert "get_workload_history: HTTP 401" in out


def test_events_that_may_not_be_read_are_no_absence_of_events(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = SCENARIOS["out of memory"]
    diagnosed(Api(scenario.replay(), refused={"/events": 403}), scenario, monkeypatch)
    assert "null" in capsys.readouterr().out


def test_a_wrong_secret_is_refused_and_never_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = SCENARIOS["out of memory"]
    code = diagnosed(Api(scenario.replay()), scenario, monkeypatch, secret="wrong-secret-55")
    seen = capsys.readouterr()
    assert code == 4
    assert "wrong-secret-55" not in seen.out + seen.err
    assert "HTTP 401" in seen.err


def test_a_token_does_not_follow_to_another_host(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = SCENARIOS["out of memory"]
    with over_rest(Api(scenario.replay())) as other:
        api = Api(scenario.replay(), elsewhere=f"{other}/api/v1/workloads")
        assert diagnosed(api, scenario, monkeypatch) == 4
    assert "HTTP 302" in capsys.readouterr().out


def test_the_grant_of_older_control_planes_is_tried_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = SCENARIOS["out of memory"]
    assert diagnosed(Api(scenario.replay(), older=True), scenario, monkeypatch) == 1
    assert capsys.readouterr().out.startswith("Category: OOM_KILLED")
