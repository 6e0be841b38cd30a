"""What a kernel, a peer or an accountant knows better than the line that fails last."""

from __future__ import annotations

import pytest

from runtriage.judge import judge
from runtriage.model.event import STATE, Event
from runtriage.model.finding import Match
from runtriage.model.subject import Subject
from tests.judge.build import at, facts, match, progress

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_a_gpu_that_is_gone_is_not_explained_by_the_call_that_met_it() -> None:
    call = match("cuda/launch-failure", 40, rank=11)
    lost = match("cuda/fell-off-bus", 5, artifact="n2.dmesg", tier="kernel", scope="node", subject=Subject(node="n2"))
    verdict = judge([call, lost], facts())
    assert (verdict.mode, verdict.culprit and verdict.culprit.rank) == ("cuda/fell-off-bus", 11)


def test_the_odd_one_of_a_mismatch_is_the_one_that_the_others_name() -> None:
    def says(rank: int, peer: int) -> Match:
        return match("nccl/collective-mismatch", 10 + rank, rank=rank, captures={"peer_rank": str(peer)})

    alone = judge([says(0, 3)], facts(world_size=4))
    both = judge([says(0, 1), says(2, 1)], facts(world_size=4))
    unsure = judge([says(0, 1)], facts(world_size=4))
    ranks = [verdict.culprit.rank if verdict.culprit else None for verdict in (alone, both, unsure)]
    assert ranks == [3, 1, 0]


def test_who_reports_a_timeout_waited_for_somebody_else() -> None:
    verdict = judge([match("nccl/watchdog-timeout", 9, rank=3, role="symptom", tier="log")], facts())
    assert verdict.mode == "nccl/watchdog-timeout"
    assert verdict.culprit is None or verdict.culprit.rank is None


def test_a_preemption_is_no_end_of_a_job_that_failed_when_it_ran_again() -> None:
    account = Event(
        kind=STATE,
        name="slurm/job",
        citation=at("sacct.txt", 2),
        excerpt="",
        captures={"state": "FAILED"},
        subject=Subject(),
    )
    preempted = match("orch/preempted", 10, tier="scheduler", scope="job")
    ended = match("data/worker-exception", 30)
    assert judge([preempted, ended], facts()).routed == "preempted"
    verdict = judge([preempted, ended], facts(events=[account]))
    assert (verdict.routed, verdict.mode) == (None, "data/worker-exception")


def test_what_a_program_finds_when_it_starts_was_not_brought_about_by_the_preemption_above() -> None:
    preempted = match("orch/preempted", 10, tier="scheduler", scope="job")
    verdict = judge([preempted, match("ckpt/corrupt-zip", 30)], facts())
    assert (verdict.routed, verdict.mode) == (None, "ckpt/corrupt-zip")
    assert judge([match("ckpt/corrupt-zip", 3), preempted], facts()).routed == "preempted"


def test_a_blocked_process_is_traced_to_the_line_that_lost_its_server() -> None:
    lost = match("io/nfs-not-responding", 2, artifact="dmesg.txt", tier="kernel", scope="node")
    blocked = match("stall/storage-read-blocked", 7, artifact="dmesg.txt", tier="kernel", scope="node")
    verdict = judge([lost, blocked], facts())
    assert verdict.mode == "stall/storage-read-blocked"
    assert verdict.root is not None
    assert verdict.root.first_line == 2


def accounts(state: str) -> Match:
    return match("", 1, artifact="sacct.txt", role="context", tier="scheduler", captures={"routed": state})


def test_what_the_end_of_a_process_leaves_in_the_kernel_is_no_failure_by_itself() -> None:
    trace = match("cuda/preemptive-cleanup-xid45", 3, artifact="dmesg.txt", role="symptom", tier="kernel")
    assert judge([trace], facts(entries=[progress(40, 10)])).primary_class is None


def test_a_job_that_its_scheduler_closed_as_completed_was_not_ended_by_what_the_kernel_saw() -> None:
    broken = match("cuda/row-remap-pending", 3, artifact="dmesg.txt", tier="kernel")
    seen = facts(entries=[progress(40, 10)])
    assert judge([broken, accounts("completed")], seen).primary_class is None
    assert judge([broken, accounts("failed")], seen).primary_class == "cuda-runtime"
    raised = match("io/enospc", 12)
    assert judge([raised, accounts("completed")], seen).primary_class == "io-checkpoint"


def test_a_step_that_slurm_cancels_behind_a_task_that_crashed_was_not_cancelled_by_anybody() -> None:
    crashed = match("crash/sigbus", 11, tier="exit", rank=29)
    cancelled = match("orch/user-cancel", 13, tier="scheduler", scope="job")
    assert judge([cancelled, crashed], facts()).mode == "crash/sigbus"
    later = match("crash/sigbus", 15, tier="exit", rank=29)
    assert judge([cancelled, later], facts()).mode == "orch/user-cancel"


def test_what_happened_within_the_step_after_the_last_may_be_why_none_followed() -> None:
    stood = match("stall/no-progress", 40, tier="metric", seconds=100, numbers={"longest_gap": 20.0})
    soon = match("orch/host-maintenance", 1, artifact="journal.txt", tier="kernel", seconds=131)
    late = match("orch/host-maintenance", 1, artifact="journal.txt", tier="kernel", seconds=171)
    assert judge([stood, soon], facts()).mode == "orch/host-maintenance"
    assert judge([stood, late], facts()).mode == "stall/no-progress"
