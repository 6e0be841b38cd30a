"""The course of a Run:ai diagnosis, with answers that come from memory: nothing is started, written or connected to."""

from __future__ import annotations

import json
from datetime import datetime
from types import TracebackType
from typing import Self

import pytest
from msgspec.structs import replace

from runtriage.api.diagnosis import diagnose_opened
from runtriage.judge.category import PRIMARY_CLASS
from runtriage.model.report import Report
from runtriage.model.taxonomy import PRIMARY_CLASSES, WORKLOAD_CATEGORIES, modes
from runtriage.targets.runai import RunAiTarget, Wanted
from runtriage.targets.runai_reads import Arguments, ReadError
from tests.servers.runai_build import AS_OF, identity
from tests.servers.runai_replay import CLUSTER, Refused, Replay
from tests.servers.runai_scenarios import SCENARIOS, Scenario


class Remembered:
    """Answers out of a replay."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    def call(self, tool: str, arguments: Arguments) -> bytes:
        try:
            return json.dumps(self._replay.call(tool, dict(arguments))).encode()
        except Refused as error:
            text = str(error)
            raise ReadError(f"no such workload ({text})" if "not found" in text else text) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        return


def wanted(scenario: Scenario) -> Wanted:
    given = dict(zip(scenario.arguments[::2], scenario.arguments[1::2], strict=True))
    return Wanted(
        cluster=CLUSTER,
        workload=given.get("--workload-id", ""),
        name=given.get("--workload-name", ""),
        project=given.get("--project", ""),
        intent=given.get("--intent", "terminal"),
        lookback=604_800.0 if given.get("--lookback") == "7d" else 86_400.0,
        as_of=datetime.fromisoformat(AS_OF).timestamp(),
    )


def judged(scenario: Scenario, replay: Replay) -> Report:
    with RunAiTarget(wanted(scenario), Remembered(replay)) as target:
        return diagnose_opened(target, run_id="r")


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name != "dying"])
@pytest.mark.usefixtures("untouched_world")
def test_each_workload_gets_the_one_right_answer_by_the_right_questions(name: str) -> None:
    scenario = SCENARIOS[name]
    replay = scenario.replay()
    report = judged(scenario, replay)
    assert (report.workload_category, report.routed) == (scenario.category, scenario.word)
    assert replay.faults == []
    if scenario.calls is not None:
        assert tuple(tool for tool, _ in replay.calls) == scenario.calls


def test_the_same_answers_lead_to_the_same_report() -> None:
    one, two = (judged(SCENARIOS["recurring"], SCENARIOS["recurring"].replay()) for _ in range(2))
    assert replace(one, timestamp="", duration_seconds=0.0) == replace(two, timestamp="", duration_seconds=0.0)


def test_a_category_has_a_primary_class_or_says_that_it_has_none() -> None:
    assert set(PRIMARY_CLASS) == set(WORKLOAD_CATEGORIES)
    assert {name for name in PRIMARY_CLASS.values() if name is not None} <= set(PRIMARY_CLASSES)
    assert [category for category, name in PRIMARY_CLASS.items() if name is None] == ["UNKNOWN"]
    for category, name in PRIMARY_CLASS.items():
        assert name is None or any(
            mode.category == category and mode.primary_class == name for mode in modes().values()
        )


def test_a_report_about_a_category_names_its_class() -> None:
    for name, scenario in SCENARIOS.items():
        if scenario.category not in (None, "UNKNOWN") and name != "dying":
            report = judged(scenario, scenario.replay())
            assert report.primary_cause is not None, name


def test_an_answer_that_is_no_json_is_no_workload() -> None:
    class Garbled(Remembered):
        def call(self, tool: str, arguments: Arguments) -> bytes:
            return b"\xff\x00 not json"

    scenario = SCENARIOS["application"]
    with RunAiTarget(wanted(scenario), Garbled(scenario.replay())) as target:
        report = diagnose_opened(target, run_id="r")
    assert (report.routed, report.workload_category) == ("no-access", None)


def test_pages_that_do_not_advance_end_and_are_told() -> None:
    class Stuck(Remembered):
        def call(self, tool: str, arguments: Arguments) -> bytes:
            page = json.loads(super().call(tool, {**arguments, **({"offset": 0} if "offset" in arguments else {})}))
            return json.dumps(page | ({"next": 0} if tool == "get_workload_history" else {})).encode()

    scenario = SCENARIOS["application"]
    with RunAiTarget(wanted(scenario), Stuck(scenario.replay())) as target:
        report = diagnose_opened(target, run_id="r")
    assert report.workload_category == "CRASH_APP_ERROR"
    assert any("do not advance" in text for text in report.coverage.not_seen)


def test_secrets_in_answers_are_not_in_the_report() -> None:
    scenario = SCENARIOS["application"]
    replay = scenario.replay()
    replay.runs[0].spec = {
        "image": {"value": "r.test/a:1"},
        "command": {"value": "python fit.py --api-key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"},
        "environmentVariables": {"items": {"HF_TOKEN": {"value": "hf_abcdefghijklmnopqrstuvwxyzABCDEF12"}}},
    }
    replay.broken["get_workload_pods"] = "refused for Authorization: Bearer abcdefghijklmnop.qrstuvwxyz.0123456789"
    text = judged(scenario, replay).to_json()
    assert not any(word in text for word in ("sk-proj-abc", "hf_abc", "qrstuvwxyz.0123456789"))


def test_an_unknown_submission_in_the_list_is_never_taken_for_the_one_that_is_meant() -> None:
    scenario = SCENARIOS["the newest that ended"]
    replay = scenario.replay()
    for row in replay.listed:
        row["projectName"] = "other"
    assert judged(scenario, replay).routed == "unresolved"
    assert identity(2) not in json.dumps([given for _, given in replay.calls])
