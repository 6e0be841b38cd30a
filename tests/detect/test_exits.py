from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect.exits import find, read, signal_of
from runtriage.model.event import EXIT, Event
from runtriage.model.place import Citation
from tests.detect.build import CATALOGUE, facts, signature

pytestmark = pytest.mark.usefixtures("untouched_world")


def ended(**numbers: float) -> Event:
    return Event(
        kind=EXIT, name="exit", citation=Citation(artifact="a", first_line=1, last_line=1), excerpt="", numbers=numbers
    )


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ({"code": -9}, 9),
        ({"code": 137}, 9),
        ({"code": 143}, 15),
        ({"code": 139}, 11),
        ({"code": 134}, 6),
        ({"code": 135}, 7),
        ({"code": 132}, 4),
        ({"code": 1, "signal": 11}, 11),
        ({"code": 1}, None),
        ({"code": 255}, None),
        ({}, None),
    ],
)
def test_codes_and_signals_are_read_as_shells_and_launchers_print_them(
    numbers: dict[str, float], expected: int | None
) -> None:
    assert signal_of(ended(**numbers)) == expected


def test_a_clean_exit_means_nothing() -> None:
    assert read(ended(code=0)) is None


def test_a_kill_is_only_a_symptom() -> None:
    meaning = read(ended(code=137))
    assert meaning is not None
    assert meaning.role == "symptom"


def test_a_segmentation_fault_is_a_cause() -> None:
    meaning = read(ended(code=-11))
    assert meaning is not None
    assert (meaning.mode, meaning.role) == ("crash/segv", "cause")


def test_the_code_of_a_time_limit_is_a_stop_from_outside() -> None:
    meaning = read(ended(code=124))
    assert meaning is not None
    assert (meaning.mode, meaning.role) == ("crash/sigterm-external", "symptom")


@pytest.mark.parametrize(("line", "told"), [(1, 0), (2, 1)])
def test_a_kill_is_not_asked_after_where_its_own_line_says_that_memory_ran_out(line: int, told: int) -> None:
    killed = replace(ended(code=-9), citation=Citation(artifact="train.log", first_line=1, last_line=1))
    events = [killed, signature("oom/slurm-step.srun", line, "srun: error: n4: task 2: Out Of Memory")]
    assert len(list(find(facts(events=events), CATALOGUE))) == told
