import json
import sys
from pathlib import Path
from typing import Any

import pytest
from zoo.answer import Answer, Citation
from zoo.case import Case, handed_over, load_cases
from zoo.score import figures, main, misses, read_output, score, table, tool_diagnosis

TRUTH: dict[str, Any] = {
    "name": "a-case",
    "healthy": False,
    "primary_cause": "oom",
    "acceptable": [],
    "run_status": "crashed",
    "routed": None,
    "workload_category": None,
    "culprit": {"rank": None},
    "roots": [{"file": "train.log", "line": 2, "pattern": "Killed"}],
    "last_step": None,
}


def case(folder: Path, *files: str) -> Case:
    for file in files:
        (folder / file).write_text("one\nKilled\n", encoding="utf-8")
    (folder / "truth.json").write_text(json.dumps(TRUTH), encoding="utf-8")
    return Case(folder, TRUTH)


def right(target: Path) -> Answer:
    assert not (target / "truth.json").exists()
    return Answer(primary_cause="oom", run_status="crashed", root=Citation("train.log", 2, 2), confidence=0.8)


def test_one_file_is_handed_over_itself(tmp_path: Path):
    with handed_over(case(tmp_path, "train.log")) as target:
        assert target == tmp_path / "train.log"


def test_a_folder_is_handed_over_without_the_truth(tmp_path: Path):
    with handed_over(case(tmp_path, "train.log", "dmesg.txt")) as target:
        assert sorted(path.name for path in target.iterdir()) == ["dmesg.txt", "train.log"]


def test_right_answers_score_full_marks(tmp_path: Path):
    outcomes = score([case(tmp_path, "train.log", "pod.json")], right)
    assert figures(outcomes)["class macro-F1"] == {"value": 1.0, "interval": (1.0, 1.0)}
    assert "root in top 1" in table(outcomes)
    assert misses(outcomes) == ""


def test_a_wrong_answer_is_listed_with_what_was_wrong(tmp_path: Path):
    outcomes = score([case(tmp_path, "train.log")], lambda _: Answer(primary_cause="stalled", run_status="hung"))
    assert misses(outcomes).split() == ["a-case", "class,root,status", "oom", "/", "stalled"]


def test_another_program_is_asked_with_the_target_in_its_command(tmp_path: Path):
    script = tmp_path / "tool.py"
    script.write_text("import sys\nprint('crashed: oom at', sys.argv[1] + ':2')\n", encoding="utf-8")
    (tmp_path / "run").mkdir()
    ask = tool_diagnosis(f"{sys.executable} {script} {{log}}")
    (outcome,) = score([case(tmp_path / "run", "train.log")], ask)
    assert (outcome.class_hit, outcome.root_hit) == (True, True)


def test_json_output_is_read_as_a_report_and_other_output_as_text():
    assert read_output('{"primary_cause": "stalled"}').primary_cause == "stalled"
    assert read_output("[1]\n stalled").primary_cause == "stalled"


def test_cases_can_be_narrowed_to_a_kind_of_evidence(capsys: pytest.CaptureFixture[str]):
    asked = [case for case in load_cases("dev") if case.truth["evidence"] == "stacks"]
    assert main(["--evidence", "stacks", "--tool", "echo nothing", "--split", "dev"]) == 0
    failing = sum(not case.truth["healthy"] for case in asked)
    assert capsys.readouterr().out.startswith(f"{failing} failing and {len(asked) - failing} healthy cases")
