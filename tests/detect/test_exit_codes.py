"""A code says what it proves and no more: the same number means something only to the program that gives it a meaning."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from runtriage.api import diagnose
from runtriage.detect.exits import find
from runtriage.model.event import EXIT
from tests.detect.build import CATALOGUE, event, facts


@pytest.mark.parametrize(
    ("code", "mode"),
    [
        (137, "crash/sigkill-unknown"),
        (143, "crash/sigterm-external"),
        (139, "crash/segv"),
        (134, "crash/abort"),
        (135, "crash/sigbus"),
        (132, "crash/illegal-instruction"),
        (126, "crash/command-not-found"),
        (127, "crash/command-not-found"),
        (255, "crash/exit-no-error"),
        (16, "crash/exit-no-error"),
        (17, "crash/exit-no-error"),
    ],
)
def test_a_code_alone_says_only_what_it_proves(code: int, mode: str) -> None:
    (match,) = find(facts(events=[event(EXIT, "exit-code", 3, numbers={"code": float(code)})]), CATALOGUE)
    assert match.mode == mode


@pytest.mark.parametrize(("code", "mode"), [(16, "nan/sdc-transient"), (17, "nan/sdc-persistent-gpu")])
def test_codes_of_megatron_mean_something_where_megatron_ran(code: int, mode: str) -> None:
    seen = replace(
        facts(events=[event(EXIT, "exit-code", 3, numbers={"code": float(code)})]), frameworks=("megatron", "pytorch")
    )
    (match,) = find(seen, CATALOGUE)
    assert (match.mode, match.role) == (mode, "symptom")
    assert f"exit code {code}" in match.evidence[0].claim


def test_success_says_nothing() -> None:
    assert list(find(facts(events=[event(EXIT, "exit-code", 3, numbers={"code": 0.0})]), CATALOGUE)) == []


def test_what_could_not_be_started_is_named_where_whoever_started_it_says_so() -> None:
    told = {"program": "nosuchcmd", "problem": "no such file or directory"}
    (match,) = find(facts(events=[event(EXIT, "exit-code", 3, captures=told, numbers={"code": 127.0})]), CATALOGUE)
    assert match.evidence[0].claim == "The process could not be started: nosuchcmd: no such file or directory"


def test_the_record_of_a_wrapped_command_names_what_could_not_be_started(tmp_path: Path) -> None:
    record = {"schema": "runtriage.run/1", "command": "'no such' --lr 3", "exit_code": 127, "signal": None}
    (tmp_path / "run.json").write_text(json.dumps({**record, "problem": "no such file or directory"}), "utf-8")
    report = diagnose(str(tmp_path))
    assert report.root_cause.root == "The process could not be started: no such: no such file or directory."
