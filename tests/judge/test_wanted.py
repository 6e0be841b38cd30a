"""What would settle an open case is something that a reader can fetch."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.judge import judge
from runtriage.model.artifact import Artifact
from runtriage.model.facts import Read
from tests.judge.build import facts, match, progress

pytestmark = pytest.mark.usefixtures("untouched_world")


@pytest.mark.parametrize(("kind", "asked"), [("log", "exit code"), ("metrics", "the log of the run")])
def test_whoever_gave_the_log_is_asked_for_what_it_cannot_hold(kind: str, asked: str) -> None:
    read = Read(artifact=Artifact(path="train", kind=kind, size=9), bytes_read=9)
    (missing,) = judge([], replace(facts(), reads=(read,))).missing
    assert asked in missing.reason


@pytest.mark.parametrize(
    ("mode", "asked"), [("crash/segv", "core file"), ("crash/abort", "core file"), ("crash/exit-no-error", "stderr")]
)
def test_an_end_without_words_asks_for_what_would_name_its_cause(mode: str, asked: str) -> None:
    (missing,) = judge([match(mode, 9, tier="exit", role="symptom")], facts()).missing
    assert asked in missing.reason


def test_a_crash_whose_frames_are_known_asks_for_the_core_file_alone() -> None:
    found = match("crash/segv", 9, tier="exit", role="symptom", captures={"user_frame": "train.py:12"})
    (missing,) = judge([found], facts()).missing
    assert "PYTHONFAULTHANDLER" not in missing.reason


def test_a_run_that_completed_leaves_nothing_to_settle() -> None:
    assert judge([], facts(entries=[progress(100, 5, total=100)])).missing == ()
