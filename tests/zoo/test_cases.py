"""The zoo's own promises: every truth is well formed and points where it says."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from zoo.case import CASES, load_cases
from zoo.layout import RECORDINGS, ZOO, programs
from zoo.record import MAX_BYTES, main
from zoo.roots import split_lines

SCHEMA = Draft202012Validator(json.loads((ZOO / "truth.schema.json").read_text(encoding="utf-8")))
RECORDED = [case for case in load_cases() if RECORDINGS in case.folder.parents]
MADE = [case for case in load_cases() if CASES in case.folder.parents]
PROGRAMS = programs()


def test_every_truth_follows_the_schema():
    truths = {str(case.folder): case.truth for case in load_cases()}
    truths |= {str(program.folder): program.truth for program in PROGRAMS.values()}
    wrong = {name: error.message for name, truth in truths.items() for error in SCHEMA.iter_errors(truth)}
    assert wrong == {}


def test_a_recording_is_named_like_its_folder_and_its_program():
    for case in RECORDED:
        assert case.name == case.folder.name
        assert case.name in PROGRAMS


def test_every_program_that_needs_no_gpu_is_recorded():
    wanted = {name for name, program in PROGRAMS.items() if "gpu" not in program.truth["requires"]}
    assert wanted - {case.name for case in RECORDED} == set()


GPU = {name: program for name, program in PROGRAMS.items() if "gpu" in program.truth["requires"]}


@pytest.mark.parametrize("kind", ["oom", "cuda-runtime", "nan-inf", "config-error", "data-pipeline"])
def test_what_needs_a_gpu_is_written_down_for_where_one_is(kind: str):
    assert kind in {program.truth["primary_cause"] for program in GPU.values()}


@pytest.mark.parametrize("name", GPU)
def test_a_program_for_a_gpu_says_what_it_needs_before_it_does_anything(name: str):
    tree = ast.parse((GPU[name].folder / "program.py").read_text(encoding="utf-8"))
    first = next(node for node in tree.body[1:] if not isinstance(node, ast.Import | ast.ImportFrom))
    assert "torch.cuda.device_count()" in ast.unparse(first)
    assert "skipped" in ast.unparse(first)


@pytest.mark.parametrize("name", GPU)
def test_the_recorder_skips_a_program_for_a_gpu_and_says_why(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main([name, "--into", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"skipped   {name} (needs a CUDA device)\n"
    assert not list(tmp_path.iterdir())


def test_a_recording_tells_the_truth_of_its_program():
    for case in RECORDED:
        resolved = {"roots", *(["last_step"] if PROGRAMS[case.name].last_step else [])}
        declared = PROGRAMS[case.name].truth
        kept = {key: value for key, value in case.truth.items() if key not in resolved}
        assert kept == {key: value for key, value in declared.items() if key not in resolved}


@pytest.mark.parametrize("case", [*RECORDED, *MADE], ids=lambda case: case.name)
def test_every_root_points_at_what_it_describes(case: Any):
    for root in case.truth["roots"]:
        raw = (case.folder / root["file"]).read_bytes()
        if "pointer" in root:
            _follow(json.loads(raw), root["pointer"])
        else:
            assert re.search(root["pattern"], split_lines(raw)[root["line"] - 1])


def test_recordings_are_small_and_show_nothing_of_the_machine_that_made_them():
    for case in RECORDED:
        raw = {path: path.read_bytes() for path in case.files}
        assert sum(map(len, raw.values())) <= MAX_BYTES
        for path, text in raw.items():
            assert not re.search(rb"/tmp/zoo-|(?<![\w.])/root/|\.pyenv", text), path


def test_names_are_unique():
    names = [case.name for case in load_cases()]
    assert sorted(names) == sorted(set(names))


def _follow(document: Any, pointer: str) -> None:
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
