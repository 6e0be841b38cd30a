from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.judge import judge
from runtriage.model.event import STATE, Event
from runtriage.model.finding import Match
from runtriage.model.subject import Subject
from tests.judge.build import at, facts, finish, match, progress

pytestmark = pytest.mark.usefixtures("untouched_world")


def says(word: str, *, mode: str = "", role: str = "context", decides: bool = True, line: int = 1) -> Match:
    captures = {"routed": word, "decides": "yes" if decides else "no"}
    return match(mode, line, artifact="state.json", role=role, tier="scheduler", captures=captures)


def seen(name: str, pod: str | None, node: str | None = None, line: int = 1, **captures: str) -> Event:
    return Event(
        kind=STATE,
        name=name,
        citation=at("pods.txt", line),
        excerpt="",
        captures=captures,
        subject=Subject(pod=pod, node=node),
    )


def test_a_preempted_run_has_no_class_and_says_where_it_says_so() -> None:
    crash = match("crash/unhandled-exception", 9)
    verdict = judge([crash, says("preempted", mode="orch/preempted", role="cause")], facts())
    assert (verdict.routed, verdict.primary_class, verdict.run_status) == ("preempted", None, "unknown")
    assert verdict.root is not None
    assert verdict.root.artifact == "state.json"
    assert verdict.workload_category is None


def test_a_run_that_was_preempted_once_and_finished_is_complete() -> None:
    preempted = says("preempted", mode="orch/preempted", role="cause")
    verdict = judge([preempted], facts(events=[finish(90)], entries=[progress(10, 80)]))
    assert verdict.routed != "preempted"


def test_a_job_the_platform_calls_complete_failed_at_nothing() -> None:
    verdict = judge([match("crash/unhandled-exception", 9), says("completed")], facts())
    assert (verdict.routed, verdict.run_status, verdict.primary_class) == ("completed", "completed", None)


def test_a_record_that_ignores_exit_codes_decides_nothing() -> None:
    verdict = judge([match("crash/unhandled-exception", 9), says("completed", decides=False)], facts())
    assert verdict.primary_class == "process-crash"


def test_waiting_for_a_node_is_no_failure_but_peers_that_gave_up_are() -> None:
    waits = says("pending", mode="orch/k8s-failed-scheduling", role="cause", decides=False)
    assert judge([waits], facts()).routed == "pending"
    gave_up = match("rdzv/store-timeout", 9, role="symptom")
    verdict = judge([waits, gave_up], facts())
    assert (verdict.routed, verdict.primary_class) == (None, "pipeline-orchestration")
    assert verdict.workload_category is None


def test_pods_that_all_run_make_a_running_run() -> None:
    pods = [seen("k8s/pod-phase", "a", reason="Running"), seen("k8s/pod-phase", "b", line=2, reason="Running")]
    assert judge([], facts(events=pods)).routed == "running"
    pods.append(seen("k8s/pod-phase", "c", line=3, reason="Failed"))
    assert judge([], facts(events=pods)).routed is None


def test_the_pod_a_log_is_called_after_is_at_fault() -> None:
    pods = [seen("k8s/pod-phase", f"job-worker-{rank}", f"n{rank}", line=rank + 1) for rank in range(4)]
    verdict = judge([match("oom/gpu-alloc", 9, artifact="logs/worker-3.previous.log")], facts(events=pods))
    assert verdict.culprit is not None
    assert (verdict.culprit.pod, verdict.culprit.node) == ("job-worker-3", "n3")


def test_a_log_of_another_member_is_not_the_only_pods() -> None:
    verdict = judge(
        [match("oom/gpu-alloc", 9, artifact="master-0.log")], facts(events=[seen("k8s/pod-phase", "job-worker-0", "n")])
    )
    assert verdict.culprit is None
    verdict = judge(
        [match("oom/gpu-alloc", 9, artifact="train.log")], facts(events=[seen("k8s/pod-phase", "job-worker-0", "n")])
    )
    assert verdict.culprit is not None
    assert verdict.culprit.pod == "job-worker-0"


def ended(init: str) -> Event:
    return Event(
        kind=STATE,
        name="k8s/container-ended",
        citation=at("pod.json", 1),
        excerpt="",
        captures={"init": init, "container": "c"},
        numbers={"code": 1.0},
        subject=Subject(pod="p"),
    )


def test_a_failure_in_an_init_container_is_a_failed_start() -> None:
    cause = match("perm/hf-gated", 9, artifact="fetch.log")
    assert judge([cause], facts(events=[ended("yes")])).workload_category == "INIT_FAILED"
    assert judge([cause], facts(events=[ended("yes"), ended("no")])).workload_category == "CRASH_APP_ERROR"


def test_the_word_of_the_platform_is_the_category() -> None:
    cause = match("orch/dns", 9, captures={"category": "IMAGE_PULL_FAILED"})
    assert judge([cause], facts()).workload_category == "IMAGE_PULL_FAILED"


def test_what_never_got_its_quota_has_no_category() -> None:
    assert judge([match("quota/gcp-quota", 9)], facts()).workload_category is None
    assert judge([match("quota/registry-rate-limit", 9)], facts()).workload_category == "IMAGE_PULL_FAILED"


def test_a_scheduler_s_word_in_a_log_that_it_preempted_the_job_routes_it_out_unless_steps_follow() -> None:
    told = match("orch/preempted", 21, tier="scheduler")
    assert judge([told], facts(entries=[progress(190, 20)])).routed == "preempted"
    assert judge([told], facts(entries=[progress(290, 40)])).routed is None
    assert judge([told], facts(entries=[progress(190, 20), progress(290, 60, attempt=1)])).routed is None


def test_a_preempted_run_may_be_submitted_again_and_its_preemption_is_no_rival_of_itself() -> None:
    told = replace(match("orch/preempted", 90, tier="scheduler", scope="job"), fixes=("resume-when-allowed",))
    silent = match("stall/no-progress", 80, tier="metric", captures={"hang": "yes"})
    verdict = judge([told, silent], facts(entries=[progress(79, 80)]))
    assert (verdict.routed, verdict.fixes) == ("preempted", ("resume-when-allowed",))
    assert [item.cause for item in verdict.ruled_out] == ["stalled"]
    assert "platform states" in verdict.ruled_out[0].because


def test_what_waits_to_be_placed_is_answered_with_the_record_that_says_why() -> None:
    bare = says("pending", mode="orch/k8s-failed-scheduling", role="cause", decides=False)
    why = says("pending", mode="orch/k8s-failed-scheduling", role="symptom", decides=False, line=7)
    why = replace(why, captures={**why.captures, "message": "0/14 nodes are available: 10 Insufficient nvidia.com/gpu"})
    verdict = judge([bare, why], facts())
    assert verdict.routed == "pending"
    assert verdict.evidence[0].citation.first_line == 7
