from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.judge import judge
from runtriage.judge.unheard import DOUBTED
from runtriage.model.artifact import Artifact, Collected, Failed, Outcome, Read, Request, Skipped, Unavailable
from runtriage.model.facts import Facts
from tests.judge.build import facts, match

pytestmark = pytest.mark.usefixtures("untouched_world")

ENDED = match("crash/exit-no-error", 1, role="symptom", tier="scheduler", artifact="run.json")
LOG = Request(kind="file", args={"path": "out/train.log"})
LOST = [
    Unavailable(LOG, "permission denied"),
    Failed(LOG, "connection reset"),
    Unavailable(Request(kind="wandb-files", reason="its output and configs"), "404"),
    Unavailable(Request(kind="slurm-output", args={"path": "out/train.log"}, reason="what it printed"), "gone"),
    Collected(Request(kind="mlflow-artifacts"), (), "1 of the artifacts could not be had", ("out/train.log",)),
]
KEPT: list[Outcome] = [
    Skipped(LOG, "the budget of requests is used up"),
    Unavailable(Request(kind="file", args={"path": "config.yaml"}), "permission denied"),
    Unavailable(Request(kind="wandb-system"), "404"),
    Collected(Request(kind="mlflow-artifacts"), (), "3 artifacts are no logs"),
]


def told(*outcomes: Outcome) -> Facts:
    return replace(facts(), outcomes=outcomes)


@pytest.mark.parametrize("outcome", LOST, ids=lambda outcome: type(outcome).__name__)
def test_a_bare_end_is_doubted_while_a_log_cannot_be_had_and_the_log_is_named(outcome: Outcome) -> None:
    verdict = judge([ENDED], told(outcome))
    assert (verdict.primary_class, verdict.confidence) == ("process-crash", DOUBTED)
    assert verdict.missing[0].reason.split(":")[0] in ("out/train.log", "its output and configs")


def test_a_log_that_could_not_be_opened_counts_like_one_that_was_refused() -> None:
    closed = Read(artifact=Artifact(path="out/train.log", kind="log"), bytes_read=0, cut="Permission denied")
    verdict = judge([ENDED], replace(facts(), reads=(closed,)))
    assert verdict.confidence == DOUBTED
    assert "out/train.log" in verdict.missing[0].reason


@pytest.mark.parametrize("outcome", KEPT, ids=lambda outcome: type(outcome).__name__)
def test_what_is_no_log_or_was_left_out_on_purpose_changes_nothing(outcome: Outcome) -> None:
    assert judge([ENDED], told(outcome)).confidence == judge([ENDED], told()).confidence > DOUBTED


def test_a_cause_that_is_cited_needs_no_log_that_could_not_be_had() -> None:
    found = [ENDED, match("oom/gpu-alloc", 5)]
    lost = judge(found, told(*LOST))
    assert lost.primary_class == "oom"
    assert lost.confidence == judge(found, told()).confidence > DOUBTED
    assert not any("out/train.log" in request.reason for request in lost.missing)
