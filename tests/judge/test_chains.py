"""Errors raised from errors: which of them is the root line."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.judge import judge
from runtriage.model.finding import Match
from runtriage.model.verdict import Verdict
from tests.judge.build import facts, match

pytestmark = pytest.mark.usefixtures("untouched_world")


def line_of(verdict: Verdict) -> int | None:
    return verdict.root.first_line if verdict.root else None


def test_the_user_s_end_of_a_chain_that_repeats_one_message_is_the_root() -> None:
    said = {"exception": "KeyError", "message": "'label'"}
    deep = match("data/column-missing", 11, captures={**said, "chain": "inner"})
    met = match("data/column-missing", 24, captures={**said, "chain": "outer", "user_frame": "train.py:15"})
    assert line_of(judge([deep, met], facts())) == 24


def test_an_inner_error_with_a_message_of_its_own_stays_the_root() -> None:
    deep = match("data/column-missing", 11, captures={"message": "'label'", "chain": "inner"})
    met = match("data/column-missing", 24, captures={"message": "x", "chain": "outer", "user_frame": "train.py:15"})
    assert line_of(judge([deep, met], facts())) == 11


def test_a_known_error_right_below_a_bare_one_of_its_class_says_it_better() -> None:
    found = [match("perm/unhandled-exception", 9, captures={"bare": "yes"}), match("perm/hf-gated", 14)]
    assert judge(found, facts()).mode == "perm/hf-gated"


@pytest.mark.parametrize("known", [match("perm/hf-gated", 90), match("cfg/trainer-arguments", 14)])
def test_a_bare_error_of_another_class_or_place_is_not_restated(known: Match) -> None:
    found = [match("perm/unhandled-exception", 9, captures={"bare": "yes"}), known]
    assert judge(found, facts()).mode == "perm/unhandled-exception"


def test_the_stack_that_says_what_a_run_waited_for_explains_the_wait() -> None:
    found = [match("stall/no-progress", 10, tier="recorder"), match("stall/dataloader-blocked", 30, tier="recorder")]
    assert judge(found, facts()).mode == "stall/dataloader-blocked"


def test_a_status_of_a_library_explains_the_check_that_ended_the_process_for_it() -> None:
    status = match("cuda/cudnn-failed", 4, role="symptom", tier="exception")
    check = match("crash/native-assert", 5, tier="exit")
    assert judge([status, check], facts()).mode == "cuda/cudnn-failed"


def test_an_extension_that_was_not_built_explains_that_it_cannot_be_imported() -> None:
    found = [match("cfg/extension-build-failed", 3), match("cfg/module-missing", 9)]
    assert judge(found, facts()).mode == "cfg/extension-build-failed"


def test_ranks_that_only_wait_for_others_hang() -> None:
    assert judge([match("nccl/desync-report", 4, role="symptom", tier="log")], facts()).run_status == "hung"


def test_what_the_message_of_a_native_exception_names_is_the_root_and_not_the_notice() -> None:
    notice = match("crash/cpp-terminate", 3, tier="exit")
    assert judge([notice, match("nccl/ib-completion-error", 7)], facts()).mode == "nccl/ib-completion-error"


def test_a_machine_that_the_cloud_took_back_explains_that_its_node_is_gone_whoever_says_so_first() -> None:
    gone = match("orch/ray-node-dead", 3, artifact="driver.log", tier="scheduler", scope="node")
    notice = match("crash/spot-reclaim", 2, artifact="node.log", scope="node")
    assert judge([gone, notice], facts()).mode == "crash/spot-reclaim"


def test_what_stands_right_below_a_message_that_ends_in_a_colon_is_what_it_says() -> None:
    raised = match("crash/unhandled-exception", 6, captures={"message": "Training failed with:"})
    assert judge([raised, match("quota/gcp-quota", 8, tier="scheduler")], facts()).mode == "quota/gcp-quota"


def test_a_cause_that_is_known_to_begin_later_explains_nothing_for_what_has_no_place_beside_it() -> None:
    late = match("nan/unhandled-exception", 46)
    seen = match("nan/loss-nonfinite", 23, tier="metric")
    of_a_table = match("nan/loss-nonfinite", 2, tier="metric", artifact="training.csv")
    assert line_of(judge([late, seen, of_a_table], facts())) == 23


def test_a_stack_that_says_what_a_run_waits_for_is_where_its_standstill_is_told() -> None:
    silent = match("stall/no-progress", 10, tier="metric")
    stack = match("stall/no-progress", 30, tier="recorder", captures={"waits_for": "an answer from the network"})
    stack = replace(stack, rule="stacks/network")
    assert line_of(judge([silent, stack], facts())) == 30
    assert line_of(judge([silent, replace(stack, captures={"waits_for": ""})], facts())) == 10
