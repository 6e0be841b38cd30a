"""`runtriage runai` against a server of our own that replays workloads and watches what it is asked."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from runtriage.cli.app import run as command
from runtriage.cli.settings import config
from runtriage.judge.category import PRIMARY_CLASS
from tests.servers.runai_build import identity, one, pod, record, run
from tests.servers.runai_mcp import over_http
from tests.servers.runai_replay import CLUSTER
from tests.servers.runai_scenarios import ARGUMENTS, SCENARIOS, Scenario
from tests.servers.runai_words import OOM

pytest.importorskip("mcp")
pytestmark = pytest.mark.server
OVER_HTTP = [name for name in SCENARIOS if name != "dying"]
OVER_STREAMS = ["out of memory", "the newest that ended", "wrong cluster", "history of 230 records", "dying"]


def arguments(scenario: Scenario, server: str) -> list[str]:
    return ["runai", "--cluster-id", CLUSTER, *scenario.arguments, "--mcp", server, *ARGUMENTS]


def check(scenario: Scenario, code: int, out: str) -> None:
    assert code == scenario.code, out
    first = out.partition("\n")[0]
    if scenario.category is not None:
        assert first == f"Category: {scenario.category}", out
    else:
        assert first.endswith(f": {scenario.word}"), out
    for text in scenario.says:
        assert text in out
    for text in scenario.never:
        assert text not in out


@pytest.mark.parametrize("name", OVER_HTTP)
def test_each_workload_gets_the_one_right_answer(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = SCENARIOS[name]
    replay = scenario.replay()
    with over_http(replay) as url:
        code = command(arguments(scenario, url))
    check(scenario, code, capsys.readouterr().out)
    assert replay.faults == []
    if scenario.calls is not None:
        assert tuple(tool for tool, _ in replay.calls) == scenario.calls


@pytest.mark.parametrize("name", OVER_STREAMS)
def test_a_server_that_is_a_command_is_asked_over_its_streams(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario, journal = SCENARIOS[name], tmp_path / "journal.json"
    server = f"{sys.executable} -m tests.servers.runai_mcp '{name}' {journal}"
    check(scenario, command(arguments(scenario, server)), capsys.readouterr().out)
    assert name == "dying" or json.loads(journal.read_text(encoding="utf-8"))["faults"] == []


def test_there_are_scenarios_for_every_category_and_every_word() -> None:
    assert len(SCENARIOS) >= 40
    categories = {scenario.category for scenario in SCENARIOS.values()} - {None}
    assert categories == set(PRIMARY_CLASS)
    words = {scenario.word for scenario in SCENARIOS.values()} - {None}
    assert words >= {"preempted", "suspended", "pending", "running", "completed", "other", "unresolved", "no-access"}


def test_a_thousand_pods_and_five_thousand_records_take_one_call_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    records = [record("OOMKilled", OOM), *(record("BackOff", "Back-off restarting", n) for n in range(1, 5_000))]
    pods = [pod("OOMKilled", f"job-{n}") for n in range(1_000)]
    replay = one(run(1, "Failed", "OOMKilled", OOM, records=records, pods=pods))()
    with over_http(replay) as url:
        code = command(["runai", "--cluster-id", CLUSTER, "--workload-id", identity(1), "--mcp", url, *ARGUMENTS])
    assert (code, capsys.readouterr().out.partition("\n")[0]) == (1, "Category: OOM_KILLED")
    pages = [given["offset"] for tool, given in replay.calls if tool == "get_workload_history"]
    assert pages == list(range(0, 5_000, 50))
    assert len(replay.calls) - len(pages) == 4
    assert replay.faults == []


def test_a_target_is_read_as_the_config_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = SCENARIOS["out of memory"].replay()
    with over_http(replay, token="runai-token-77a") as url:
        path = tmp_path / "config.toml"
        path.write_text(f'[runai]\nmcp = "{url}"\ntoken_env = "VISION_TOKEN"\n', encoding="utf-8")
        monkeypatch.setenv("RUNTRIAGE_CONFIG", str(path))
        monkeypatch.setenv("VISION_TOKEN", "runai-token-77a")
        config.cache_clear()
        code = command(["diagnose", f"runai:{CLUSTER}/{identity(1)}", *ARGUMENTS])
    config.cache_clear()
    seen = capsys.readouterr()
    assert (code, seen.out.partition("\n")[0]) == (1, "Category: OOM_KILLED")
    assert "runai-token-77a" not in seen.out + seen.err


@pytest.mark.parametrize("form", ["json", "markdown", "html", "github"])
def test_every_format_tells_the_category(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = SCENARIOS["out of memory"]
    with over_http(scenario.replay()) as url:
        assert command([*arguments(scenario, url), "--format", form]) == 1
    told = capsys.readouterr().out
    assert "oom" in told
    if form in ("json", "markdown"):
        assert "OOM_KILLED" in told.replace("\\_", "_")
        assert "no peak was observed" in told
