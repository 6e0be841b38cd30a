"""A root without a rank gets it from what the rest of the run shows."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.judge import judge
from runtriage.model.event import EXIT, STATE, Event
from runtriage.model.finding import Match
from runtriage.model.subject import Subject
from runtriage.model.verdict import Verdict
from tests.judge.build import at, facts, match, progress

pytestmark = pytest.mark.usefixtures("untouched_world")


def rank_of(verdict: Verdict) -> int | None:
    return verdict.culprit.rank if verdict.culprit else None


def killed(rank: int) -> Match:
    return match("crash/sigkill-unknown", 40 + rank, role="symptom", tier="exit", rank=rank)


def test_the_one_rank_that_was_killed_is_the_victim_of_the_kernel() -> None:
    root = match("oom/host-kernel", 3, artifact="dmesg.txt", tier="kernel")
    assert rank_of(judge([root, killed(5)], facts(world_size=8))) == 5
    assert rank_of(judge([root, killed(5), killed(6)], facts(world_size=8))) is None


def test_the_rank_whose_loader_was_killed_is_the_victim_too() -> None:
    root = match("oom/host-cgroup", 3, artifact="dmesg.txt", tier="kernel")
    lost = match("data/worker-killed", 40, tier="exception", rank=6)
    assert rank_of(judge([root, lost], facts(world_size=8))) == 6


def test_the_rank_that_met_an_unreadable_page_and_the_one_that_missed_a_barrier_are_those_the_kernel_saw() -> None:
    disk = match("io/eio", 3, artifact="dmesg.txt", tier="kernel")
    ended = match("crash/sigbus", 40, tier="exit", rank=6)
    verdict = judge([disk, ended], facts(world_size=8))
    assert (verdict.mode, rank_of(verdict)) == ("io/eio", 6)
    blocked = match("stall/storage-read-blocked", 3, artifact="dmesg.txt", tier="kernel")
    missed = match("gloo/monitored-barrier", 50, role="symptom", rank=0, captures={"culprit_rank": "5"})
    assert rank_of(judge([blocked, missed], facts(world_size=8))) == 5


def test_a_file_that_is_named_by_a_task_of_a_job_array_is_that_of_no_rank() -> None:
    raised = match("cuda/ecc-uncorrectable", 9, artifact="logs/slurm-81_4.out", rank=4)
    told = Event(kind=STATE, name="slurm/job", citation=at("sacct.txt", 2), excerpt="", captures={"job": "81_4"})
    assert rank_of(judge([raised], facts())) == 4
    assert rank_of(judge([raised], facts(events=[told]))) is None
    assert rank_of(judge([raised], facts(events=[replace(told, captures={"job": "81"})]))) == 4


def test_who_finds_that_two_versions_differ_has_not_the_wrong_one() -> None:
    assert rank_of(judge([match("nccl/version-mismatch", 3, rank=0)], facts(world_size=16))) is None


def test_the_rank_that_a_recorder_found_missing_is_the_one_the_kernel_saw_blocked() -> None:
    root = match("stall/storage-read-blocked", 2, artifact="dmesg.txt", tier="kernel", captures={"pid": "224"})
    missing = match(
        "nccl/desync-report", 6, artifact="fr.txt", role="symptom", tier="recorder", captures={"culprit_rank": "12"}
    )
    assert rank_of(judge([root, missing], facts(world_size=16))) == 12


def test_a_kernel_record_is_not_recovered_from_because_a_later_attempt_came_further() -> None:
    root = match("stall/storage-read-blocked", 2, artifact="dmesg.txt", tier="kernel")
    verdict = judge([root], facts(entries=[progress(40, 10), progress(70, 90, attempt=1)]))
    assert verdict.mode == "stall/storage-read-blocked"
    told = match("io/eio", 12, tier="exception")
    assert judge([told], facts(entries=[progress(40, 10), progress(70, 90, attempt=1)])).primary_class is None


def test_a_full_disk_outranks_the_writer_that_could_not_finish() -> None:
    found = [match("ckpt/write-failed", 8, captures={"chain": "inner"}), match("io/enospc", 17)]
    assert judge(found, facts()).mode == "io/enospc"


def test_the_message_right_below_an_exception_without_frames_is_what_it_says() -> None:
    raised = match("crash/unhandled-exception", 9, captures={"bare": "yes"})
    said = match("quota/azure", 11, tier="scheduler")
    assert judge([raised, said], facts()).mode == "quota/azure"


def test_a_pod_that_the_training_operator_numbered_is_a_rank_where_each_pod_is_one() -> None:
    pods = [Subject(pod="fit-master-0"), Subject(pod="fit-worker-0"), Subject(pod="fit-worker-1")]
    seen = [
        Event(kind=STATE, name="k8s/pod-phase", citation=at("pods.txt", 2), excerpt="", subject=pod) for pod in pods
    ]
    root = match("oom/k8s-oomkilled", 3, artifact="pods.txt", tier="scheduler", subject=pods[2])
    assert rank_of(judge([root], facts(events=seen, world_size=3))) == 2
    assert rank_of(judge([root], facts(events=seen, world_size=24))) is None


def test_ranks_that_report_what_they_waited_for_say_more_than_that_no_step_was_made() -> None:
    stood = match("stall/no-progress", 20, tier="metric", step=390, seconds=100)
    waits = [match("nccl/watchdog-timeout", 30 + rank, role="symptom", rank=rank, seconds=101) for rank in (0, 1, 3)]
    verdict = judge([stood, *waits], facts(world_size=4))
    assert verdict.primary_class == "nccl-distributed"
    odd = match("nccl/rank-divergent-control-flow", 40, tier="log", rank=2, captures={"culprit_rank": "2"})
    verdict = judge([stood, *waits, odd], facts(world_size=4))
    assert (verdict.mode, rank_of(verdict)) == ("nccl/rank-divergent-control-flow", 2)


def test_a_stack_that_shows_the_rank_that_stopped_still_explains_its_peers() -> None:
    stood = match("stall/no-progress", 20, artifact="pyspy.txt", tier="recorder", rank=2)
    waits = [match("nccl/watchdog-timeout", 30 + rank, role="symptom", rank=rank) for rank in (0, 1, 3)]
    assert judge([stood, *waits], facts(world_size=4)).mode == "stall/no-progress"


def waiting(*ranks: int) -> list[Match]:
    return [match("nccl/watchdog-timeout", 30 + rank, role="symptom", rank=rank) for rank in ranks]


def heard(*ranks: int) -> list[Event]:
    return [
        Event(kind=STATE, name="x", citation=at("train.log", 30 + rank), excerpt="", subject=Subject(rank=rank))
        for rank in ranks
    ]


def test_the_only_rank_of_which_nothing_was_heard_is_the_one_that_all_others_waited_for() -> None:
    others = [rank for rank in range(8) if rank != 5]
    assert rank_of(judge(waiting(*others), facts(events=heard(*others), world_size=8))) == 5
    assert rank_of(judge(waiting(0, 1, 2), facts(events=heard(0, 1, 2), world_size=8))) is None
    assert rank_of(judge(waiting(*range(8)), facts(events=heard(*range(8)), world_size=8))) is None


def test_a_gpu_that_broke_is_that_of_the_only_rank_of_which_nothing_was_heard() -> None:
    others = [rank for rank in range(8) if rank != 5]
    root = match("cuda/fell-off-bus", 3, artifact="dmesg.txt", tier="kernel")
    assert rank_of(judge([root, *waiting(*others)], facts(events=heard(*others), world_size=8))) == 5


def test_an_exception_without_a_rank_is_that_of_the_process_the_kernel_names() -> None:
    raised = match("cuda/ecc-uncorrectable", 90)
    seen = match("cuda/ecc-uncorrectable", 2, artifact="dmesg.txt", tier="kernel", subject=Subject(rank=13, node="n1"))
    verdict = judge([raised, seen], facts(entries=[progress(40, 95, rank=1)], world_size=16))
    assert verdict.culprit is not None
    assert (verdict.culprit.rank, verdict.culprit.node) == (13, "n1")


def test_a_root_that_no_kernel_reports_is_not_that_of_a_rank_of_which_nothing_was_heard() -> None:
    others = [rank for rank in range(8) if rank != 5]
    root = match("ckpt/save-slow-causes-timeout", 3, tier="log")
    assert rank_of(judge([root, *waiting(*others)], facts(events=heard(*others), world_size=8))) is None


def left(rank: int, code: float) -> Event:
    where = at("train.log", 60 + rank)
    numbers = {"code": code} if code > 0 else {"code": code, "signal": -code}
    subject = Subject(rank=rank, node=f"n{rank}")
    return Event(kind=EXIT, name="exit-code", citation=where, excerpt="", numbers=numbers, subject=subject)


def test_an_exception_is_of_the_only_rank_that_left_with_an_error_of_its_own() -> None:
    raised = match("data/column-missing", 50)
    verdict = judge([raised], facts(events=[left(13, 1), left(0, -15)], world_size=16))
    assert verdict.culprit is not None
    assert verdict.culprit.rank == 13
    assert rank_of(judge([raised], facts(events=[left(13, 1), left(2, 1)], world_size=16))) is None


def test_a_rank_is_on_the_node_that_other_lines_name_for_it() -> None:
    raised = match("cfg/module-missing", 50, rank=3)
    verdict = judge([raised], facts(events=[left(3, 1)], world_size=4))
    assert verdict.culprit is not None
    assert verdict.culprit.node == "n3"


def test_an_adapter_that_links_nodes_says_nothing_of_the_rank_its_gpu_has() -> None:
    failed = match("nccl/ib-completion-error", 5, tier="log", subject=Subject(node="n1", gpu="6"))
    assert rank_of(judge([failed], facts(events=[]))) is None


def test_of_several_ranks_that_are_all_named_none_is_singled_out() -> None:
    behind = [
        match(
            "nccl/rank-divergent-control-flow",
            40 + rank,
            tier="recorder",
            rank=rank,
            captures={"culprit_rank": f"{rank}"},
        )
        for rank in (0, 4)
    ]
    assert rank_of(judge(behind[:1], facts(world_size=8))) == 0
    assert rank_of(judge(behind, facts(world_size=8))) is None


def test_the_rank_that_fell_silent_is_the_one_the_kernel_killed_for_memory() -> None:
    root = match("oom/host-cgroup", 3, artifact="dmesg.txt", tier="kernel", scope="node")
    heard = match("nccl/rank-divergent-control-flow", 9, artifact="rank2.log", rank=2)
    silent = replace(heard, rule="ranks/silent")
    assert rank_of(judge([root, silent], facts(world_size=4))) == 2


def test_a_root_that_names_nobody_has_the_one_node_that_its_other_lines_name() -> None:
    said = match("nccl/remote-error", 2, role="symptom", tier="log")
    named = replace(match("nccl/remote-error", 15, role="symptom", tier="log"), subject=Subject(node="n16"))
    verdict = judge([said, named], facts())
    assert verdict.culprit is not None
    assert verdict.culprit.node == "n16"


@pytest.mark.parametrize("mode", ["orch/slurm-node-fail", "orch/node-not-ready", "orch/ray-node-dead"])
def test_a_silence_before_a_lost_node_is_noticed_follows_from_its_loss(mode: str) -> None:
    silent = match("stall/no-progress", 80, tier="metric", seconds=0.0, captures={"hang": "yes"})
    lost = match(mode, 81, tier="scheduler", scope="node", seconds=3600.0)
    named = replace(lost, subject=Subject(node="n7"))
    verdict = judge([silent, lost, named], facts(entries=[progress(79, 80)]))
    assert (verdict.mode, verdict.run_status) == (mode, "crashed")
    assert verdict.culprit is not None
    assert verdict.culprit.node == "n7"
    assert any("before its scheduler gives it up" in item.because for item in verdict.ruled_out)


def test_a_kernel_that_stood_still_explains_the_loss_of_its_node() -> None:
    stuck = match("stall/soft-lockup", 5, tier="kernel", artifact="dmesg.txt", seconds=0.0)
    lost = match("orch/slurm-node-fail", 81, tier="scheduler", scope="node", seconds=900.0)
    assert judge([stuck, lost], facts()).mode == "stall/soft-lockup"
