from collections.abc import Sequence
from typing import Any

import pytest
from zoo.answer import Answer, Citation
from zoo.outcome import hits_root, judge

LOG = ["step 1 loss 2.0", "ValueError: bad row", "Connection closed by peer: error", "bye"]


def lines(file: str, numbers: range) -> Sequence[str]:
    return [LOG[number - 1] for number in numbers if file == "train.log" and number <= len(LOG)]


def truth(**changes: Any) -> dict[str, Any]:
    return {
        "name": "a-case",
        "healthy": False,
        "primary_cause": "data-pipeline",
        "acceptable": ["process-crash"],
        "run_status": "crashed",
        "routed": None,
        "workload_category": None,
        "culprit": {"rank": 1},
        "roots": [{"file": "train.log", "line": 2, "pattern": "bad row"}],
        "last_step": 1,
    } | changes


HEALTHY = truth(healthy=True, primary_cause=None, run_status="completed", roots=[], culprit={"rank": None})


@pytest.mark.parametrize(
    ("first", "last", "hit"), [(2, 2, True), (1, 3, True), (2, 4, True), (3, 3, False), (1, 4, False)]
)
def test_a_root_is_hit_by_at_most_three_lines_that_hold_it(first: int, last: int, hit: bool):
    assert hits_root(truth()["roots"], Citation("train.log", first, last)) is hit


def test_a_root_in_another_file_is_no_hit():
    assert not hits_root(truth()["roots"], Citation("retrain.log", 2, 2))
    assert hits_root(truth()["roots"], Citation("/somewhere/train.log", 2, 2))


def test_a_pointer_root_needs_the_equal_pointer():
    roots = [{"file": "pod.json", "pointer": "/status/reason"}]
    assert hits_root(roots, Citation("pod.json", pointer="/status/reason"))
    assert not hits_root(roots, Citation("pod.json", pointer="/status"))
    assert not hits_root(roots, Citation("pod.json", 1, 1))


def test_the_right_answer_hits_everything():
    one = judge(
        truth(),
        Answer(
            primary_cause="data-pipeline", run_status="crashed", root=Citation("train.log", 2, 2), rank=1, last_step=1
        ),
        lines,
    )
    assert (one.class_hit, one.root_hit, one.best_hit, one.rank_hit, one.status, one.step) == (True,) * 6
    assert one.symptom is False


def test_an_acceptable_class_is_no_exact_hit():
    one = judge(truth(), Answer(primary_cause="process-crash"), lines)
    assert (one.class_hit, one.acceptable_hit) == (False, True)


def test_an_error_line_that_is_not_the_root_counts_as_symptom():
    assert judge(truth(), Answer(root=Citation("train.log", 3, 3)), lines).symptom is True


def test_a_line_without_any_error_is_no_symptom():
    assert judge(truth(), Answer(root=Citation("train.log", 1, 1)), lines).symptom is False


def test_the_root_among_the_first_three_citations_is_a_best_hit():
    wrong = tuple(Citation("train.log", line, line) for line in (3, 4))
    root = Citation("train.log", 2, 2)
    assert judge(truth(), Answer(root=wrong[0], evidence=(*wrong, root)), lines).best_hit is True
    more = (*wrong, Citation("train.log", 1, 1), root)
    assert judge(truth(), Answer(root=wrong[0], evidence=more), lines).best_hit is False


def test_a_rank_nobody_is_to_blame_for_is_right_only_when_none_is_named():
    job = truth(culprit={"rank": None})
    assert judge(job, Answer(rank=None), lines).rank_hit is True
    assert judge(job, Answer(rank=0), lines).rank_hit is False
    assert judge(job, Answer(rank=0), lines).named_rank_hit is None


def test_a_cause_or_a_bad_status_on_a_healthy_run_is_a_false_alarm():
    assert judge(HEALTHY, Answer(run_status="completed"), lines).false_alarm is False
    assert judge(HEALTHY, Answer(primary_cause="oom", run_status="crashed"), lines).false_alarm is True
    assert judge(HEALTHY, Answer(run_status="degraded"), lines).false_alarm is True


def test_healthy_runs_have_no_class_root_or_rank_to_hit():
    one = judge(HEALTHY, Answer(run_status="completed"), lines)
    assert (one.class_hit, one.root_hit, one.rank_hit, one.symptom) == (None,) * 4


def test_abstaining_is_right_only_when_the_leading_candidate_was_wrong():
    assert judge(truth(), Answer(abstained=True, leading="oom"), lines).abstention is True
    assert judge(truth(), Answer(abstained=True), lines).abstention is True
    assert judge(truth(), Answer(abstained=True, leading="data-pipeline"), lines).abstention is False
    assert judge(HEALTHY, Answer(abstained=True), lines).abstention is False
    assert judge(truth(), Answer(), lines).abstention is None


def test_an_answer_that_tells_no_failure_and_no_end_is_counted_by_itself():
    assert judge(HEALTHY, Answer(), lines).open_end is True
    assert judge(HEALTHY, Answer(run_status="completed"), lines).open_end is False
    assert judge(truth(), Answer(run_status="crashed"), lines).open_end is False


def test_a_route_counts_where_one_is_declared_or_a_failed_run_is_sent_away():
    assert judge(truth(routed="preempted"), Answer(routed="preempted"), lines).routed is True
    assert judge(truth(routed="preempted"), Answer(), lines).routed is False
    assert judge(truth(), Answer(routed="completed"), lines).routed is False
    assert judge(HEALTHY, Answer(routed="completed"), lines).routed is None


@pytest.mark.parametrize(
    ("told", "named", "right"),
    [
        ("ckpt/step_3.pt", "ckpt/step_3.pt", True),
        (None, None, True),
        ("a", "b", False),
        (None, "a", False),
        ("a", None, False),
    ],
)
def test_the_last_good_checkpoint_must_be_the_very_path_or_none_where_there_is_none(
    told: str | None, named: str | None, right: bool
):
    assert judge(truth(last_good_checkpoint=told), Answer(last_good=named), lines).checkpoint is right


def test_a_case_without_checkpoints_asks_for_none():
    assert judge(truth(), Answer(last_good="a"), lines).checkpoint is None
