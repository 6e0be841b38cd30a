"""One event, one meaning: where a signature and an exception speak of the same thing."""

from __future__ import annotations

import pytest

from runtriage.detect import exceptions, signatures
from runtriage.model.event import EXCEPTION
from tests.detect.build import CATALOGUE, event, facts, raised, signature

pytestmark = pytest.mark.usefixtures("untouched_world")

HEADS = "cfg/attention-heads.main#torch"
MESSAGE = "embed_dim must be divisible by num_heads"


def test_a_source_line_that_holds_the_message_is_cited_where_the_message_was_raised() -> None:
    quoted = signature(HEADS, 10, excerpt=f'    ), "{MESSAGE}"')
    run = facts(events=[quoted, raised("AssertionError", MESSAGE, 11, first_line=2)])
    (found,) = signatures.find(run, CATALOGUE)
    assert found.evidence[0].citation.first_line == 11
    assert not list(exceptions.find(run, CATALOGUE))


def test_a_source_line_says_nothing_about_another_exception() -> None:
    quoted = signature(HEADS, 10, excerpt=f'    ), "{MESSAGE}"')
    run = facts(events=[quoted, raised("OSError", "No space left on device", 11, first_line=2)])
    (found,) = signatures.find(run, CATALOGUE)
    assert found.evidence[0].citation.first_line == 10
    assert len(list(exceptions.find(run, CATALOGUE))) == 1


def test_a_message_that_goes_on_behind_an_empty_line_belongs_to_its_exception() -> None:
    raising = event(
        EXCEPTION,
        "ValueError",
        21,
        captures={"message": "Exception encountered when calling Sequential.call()."},
        numbers={"first_line": 14, "last_line": 21, "frames": 3},
    )
    run = facts(events=[raising, signature("cfg/matmul-shape.main#keras", 23)])
    (found,) = signatures.find(run, CATALOGUE)
    assert found.evidence[0].citation.first_line == 23
    assert not list(exceptions.find(run, CATALOGUE))


def test_a_line_further_down_belongs_to_no_exception_above() -> None:
    raising = event(EXCEPTION, "ValueError", 21, captures={"message": "x"}, numbers={"first_line": 14, "frames": 3})
    run = facts(events=[raising, signature("cfg/matmul-shape.main#keras", 40)])
    assert len(list(exceptions.find(run, CATALOGUE))) == 1


def test_a_handler_that_leaves_with_the_code_of_its_signal_reports_a_consequence() -> None:
    run = facts(events=[raised("SystemExit", "143", 13, first_line=8), raised("SystemExit", "3", 33, first_line=28)])
    assert [match.role for match in exceptions.find(run, CATALOGUE)] == ["symptom", "cause"]


DYNAMO = "torch/_dynamo/convert_frame.py:1009] torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:"


@pytest.mark.parametrize(("level", "role"), [("W1024 01:17:10.936000 1404042", "context"), ("", "cause")])
def test_a_compiler_that_only_warns_and_runs_the_code_as_it_is_fails_nothing(level: str, role: str) -> None:
    line = f"{level} {DYNAMO}" if level else DYNAMO.partition("] ")[2]
    (found,) = signatures.find(
        facts(events=[signature("cfg/compile-failure.main#backend", 3, excerpt=line)]), CATALOGUE
    )
    assert found.role == role


def test_what_another_rank_says_right_below_an_exception_is_no_part_of_it() -> None:
    timeout = "nccl/watchdog-timeout.torch#timeout"
    numbers = {"first_line": 2.0, "last_line": 6.0, "frames": 2.0}
    mine = event(EXCEPTION, "ValueError", 6, rank=19, captures={"message": "mask is all zeros"}, numbers=numbers)
    own = facts(events=[mine, signature(timeout, 7, rank=19)])
    other = facts(events=[mine, signature(timeout, 7, rank=16)])
    assert not list(exceptions.find(own, CATALOGUE))
    assert [found.subject.rank for found in exceptions.find(other, CATALOGUE)] == [19]
