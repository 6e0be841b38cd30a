"""The zoo's own promises: every truth is well formed and points where it says."""

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from zoo.case import CASES, load_cases
from zoo.layout import RECORDINGS, ZOO, programs
from zoo.record import MAX_BYTES
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
