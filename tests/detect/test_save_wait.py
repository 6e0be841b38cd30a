"""Ranks that give up while another still writes a checkpoint point at the save."""

from __future__ import annotations

from runtriage.detect.save_wait import find
from runtriage.model.event import CHECKPOINT, EXCEPTION, EXIT, SIGNATURE, Event
from runtriage.model.finding import Match
from tests.detect.build import CATALOGUE, event, facts

SAVING = event(CHECKPOINT, "saving", 20)


def gave_up(rank: int, line: int) -> Event:
    numbers = {"ran_ms": 600_020.0}
    return event(SIGNATURE, "nccl/watchdog-timeout.torch#timeout", line, rank=rank, numbers=numbers)


def found(*events: Event) -> list[Match]:
    return list(find(facts(events=events), CATALOGUE))


def test_a_save_that_was_not_over_when_peers_gave_up_is_the_cause() -> None:
    (match,) = found(SAVING, gave_up(1, 30), gave_up(2, 31))
    assert (match.mode, match.role, match.evidence[0].citation.first_line) == (
        "ckpt/save-slow-causes-timeout",
        "cause",
        20,
    )
    assert "2 ranks had waited 600 s" in match.evidence[0].claim


def test_a_save_that_ended_explains_nothing() -> None:
    assert found(SAVING, event(CHECKPOINT, "saved", 22), gave_up(1, 30)) == []


def test_a_wait_from_before_the_save_is_not_its_fault() -> None:
    assert found(SAVING, gave_up(1, 10), gave_up(2, 31)) == []


def test_a_rank_that_failed_while_it_saved_is_left_to_its_own_failure() -> None:
    assert found(SAVING, event(EXCEPTION, "OSError", 25, rank=0), gave_up(1, 30)) == []
    assert found(SAVING, event(EXIT, "signal", 40, numbers={"code": -9.0}), gave_up(1, 30)) == []
    aborted = event(EXIT, "signal", 40, numbers={"code": -6.0})
    assert len(found(SAVING, aborted, gave_up(1, 30))) == 1


def test_a_save_alone_is_nothing() -> None:
    assert found(SAVING) == []


def test_what_was_saved_and_is_still_being_sent_is_work_of_one_rank() -> None:
    (match,) = found(event(CHECKPOINT, "saving", 20, captures={"sends": "yes"}), gave_up(1, 30))
    assert (match.mode, match.title) == ("stall/rank0-only-work", "A transfer outlasted the collective timeout")
