from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect import capacity
from runtriage.detect.states import find
from runtriage.detect.states_table import claim, rows
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.options import Options
from runtriage.model.place import Citation
from runtriage.model.subject import Subject
from runtriage.model.taxonomy import WORKLOAD_CATEGORIES, modes
from runtriage.model.time import Instant
from runtriage.signatures import load

pytestmark = pytest.mark.usefixtures("untouched_world")

NOTHING = Catalogue({}, {}, "")
PULL = 'Failed to pull image "r/a:1": not found'


def state(
    name: str,
    *,
    line: int = 1,
    artifact: str = "doc",
    pod: str | None = "p",
    node: str | None = None,
    when: float | None = None,
    numbers: dict[str, float] | None = None,
    **captures: str,
) -> Event:
    return Event(
        kind=STATE,
        name=name,
        citation=Citation(artifact=artifact, first_line=line, last_line=line),
        excerpt="",
        captures=captures,
        numbers=numbers or {},
        when=None if when is None else Instant(text="t", seconds=when, zoned=True),
        subject=Subject(pod=pod, node=node),
    )


def found(*events: Event, catalogue: Catalogue = NOTHING) -> list[Match]:
    return list(find(Facts(target="run", options=Options(), events=events), catalogue))


def test_every_row_names_known_modes_and_categories() -> None:
    for row in rows():
        assert row.mode in (None, "exit") or row.mode in modes(), row.claim
        assert row.category is None or row.category in WORKLOAD_CATEGORIES, row.claim
        assert row.mode is not None or row.status is not None or row.text or row.role == "context", row.claim


def test_an_image_that_arrived_later_was_no_trouble() -> None:
    failed = state("k8s/event", reason="Failed", message=PULL, object="pod/p")
    arrived = state("k8s/event", line=2, reason="Pulled", message='Successfully pulled image "r/a:1" in 3s')
    assert [match.mode for match in found(failed)] == ["orch/image-pull"]
    assert found(failed, arrived) == []


def test_a_container_that_could_not_be_started_says_what_it_lacks() -> None:
    lacking = state("k8s/event", reason="Failed", message='Error: configmap "gru-hparams" not found', object="pod/p")
    refused = state(
        "k8s/event",
        reason="Failed",
        message='Error: failed to create containerd task: exec: "/app/run.sh": permission denied: unknown',
        object="pod/p",
    )
    assert [match.mode for match in found(lacking)] == ["orch/container-config"]
    assert [match.mode for match in found(refused, catalogue=load())] == ["crash/command-not-found"]


def test_the_image_of_another_container_or_pod_takes_nothing_back() -> None:
    failed = state("k8s/event", reason="Failed", message=PULL, object="pod/p")
    sidecar = state("k8s/event", line=2, reason="Pulled", message='Successfully pulled image "r/other:1" in 3s')
    peer = state("k8s/event", line=3, pod="q", reason="Pulled", message='Successfully pulled image "r/a:1" in 3s')
    assert len(found(failed, sidecar, peer)) == 1


def test_an_earlier_arrival_takes_nothing_back() -> None:
    arrived = state("k8s/event", line=1, reason="Pulled", message='image "r/a:1"', numbers={"age": 60.0})
    failed = state("k8s/event", line=2, reason="Failed", message=PULL, object="pod/p", numbers={"age": 30.0})
    assert len(found(arrived, failed)) == 1


def test_a_volume_that_was_mounted_in_the_end_was_no_trouble() -> None:
    failed = state("k8s/event", reason="FailedMount", message="timed out", numbers={"age": 90.0})
    started = state("k8s/event", line=9, reason="Started", message="Started container c", numbers={"age": 60.0})
    assert [match.mode for match in found(failed)] == ["orch/failed-mount"]
    assert found(failed, started) == []


def test_a_node_that_hosts_no_pod_of_the_run_is_none_of_its_business() -> None:
    pod = state("k8s/pod-phase", node="n1", reason="Failed")
    lost = state("k8s/node-condition", pod=None, node="n2", type="Ready", status="Unknown", message="gone")
    assert found(pod, lost) == []
    own = state("k8s/node-condition", pod=None, node="n1", type="Ready", status="Unknown", message="gone")
    assert [match.mode for match in found(pod, own)] == ["orch/node-not-ready"]


def test_a_repeated_event_is_one_with_the_time_it_first_happened() -> None:
    newest = state("runai/event", line=1, when=50.0, reason="FailedMount", message="no secret")
    oldest = state("runai/event", line=2, when=10.0, reason="FailedMount", message="no secret")
    (match,) = found(newest, oldest)
    assert (match.count, match.evidence[0].citation.first_line) == (2, 1)
    assert match.start is not None
    assert match.start.seconds == 10.0


def test_the_registry_has_the_word_where_it_is_printed() -> None:
    message = (
        'failed to pull image "r/a:1": 429 Too Many Requests - toomanyrequests: You have reached your pull rate limit.'
    )
    (match,) = found(state("k8s/container-waiting", reason="ImagePullBackOff", message=message), catalogue=load())
    assert (match.mode, match.captures["category"]) == ("quota/registry-rate-limit", "IMAGE_PULL_FAILED")


def test_backing_off_alone_names_no_cause() -> None:
    (match,) = found(state("k8s/event", reason="BackOff", message='Back-off pulling image "r/a:1"', object="pod/p"))
    assert (match.mode, match.role) == ("orch/image-pull", "confirmation")


@pytest.mark.parametrize(
    ("reason", "mode", "role"),
    [("OOMKilled", "oom/k8s-oomkilled", "cause"), ("Error", "crash/sigkill-unknown", "symptom")],
)
def test_137_is_out_of_memory_only_when_it_says_so(reason: str, mode: str, role: str) -> None:
    (match,) = found(state("k8s/container-ended", reason=reason, container="c", init="no", numbers={"code": 137.0}))
    assert (match.mode, match.role) == (mode, role)


def test_a_signal_that_a_process_brings_on_itself_is_a_cause_in_a_container_and_in_a_record_alike() -> None:
    (crashed,) = found(state("k8s/container-ended", numbers={"code": 139.0}, reason="Error", container="main"))
    assert (crashed.mode, crashed.role) == ("crash/segv", "cause")
    (recorded,) = found(state("slurm/job", numbers={"code": 0.0, "signal": 11.0}, state="FAILED", job="7"))
    assert (recorded.mode, recorded.role) == ("crash/segv", "cause")


def test_a_node_short_of_disk_counts_where_a_pod_was_evicted() -> None:
    short = state("k8s/node-condition", pod=None, node="n4", type="DiskPressure", status="True", message="pressure")
    assert found(short) == []
    evicted = state("k8s/pod-row", node="n4", reason="Evicted")
    assert {match.mode for match in found(short, evicted)} == {"orch/evicted-disk", "crash/exit-no-error"}


def test_what_a_watcher_of_the_node_saw_is_read_with_the_catalogue() -> None:
    lost = "NVRM: Xid (PCI:0000:9d:00): 79, pid=1, GPU has fallen off the bus."
    seen = state("k8s/node-condition", pod=None, node="n1", type="GPUHealthy", status="False", message=lost)
    (match,) = found(seen, catalogue=load())
    assert (match.mode, match.role) == ("cuda/fell-off-bus", "cause")
    well = state("k8s/node-condition", pod=None, node="n1", type="KernelDeadlock", message="kernel has no deadlock")
    assert found(well, catalogue=load()) == []
    told = state("k8s/event", pod=None, node="n1", object="node/n1", severity="Warning", reason="Xid", message=lost)
    assert [match.mode for match in found(told, catalogue=load())] == ["cuda/fell-off-bus"]


def test_an_admission_check_that_does_not_answer_is_why_no_pod_was_made() -> None:
    message = 'Error creating: Internal error occurred: failed calling webhook "a.b": context deadline exceeded'
    (match,) = found(state("k8s/event", pod=None, object="pytorchjob/a", reason="FailedCreatePod", message=message))
    assert match.mode == "orch/admission-webhook"


def test_a_failed_probe_without_a_kill_is_no_cause() -> None:
    (match,) = found(state("k8s/event", reason="Unhealthy", message="Liveness probe failed: timeout", object="pod/p"))
    assert match.role == "confirmation"


@pytest.mark.parametrize(
    ("name", "captures", "word"),
    [
        ("runai/phase", {"state": "Suspended"}, "suspended"),
        ("runai/event", {"reason": "Stopped", "message": "Preempted by workload x"}, "preempted"),
        ("runai/phase", {"state": "Succeeded"}, "completed"),
        ("slurm/job", {"state": "PREEMPTED"}, "preempted"),
        ("slurm/job", {"state": "PENDING", "reason": "Resources"}, "pending"),
        ("k8s/job-condition", {"type": "Complete", "status": "True"}, "completed"),
        ("k8s/job-condition", {"type": "Suspended", "status": "True"}, "suspended"),
        ("vertex/job", {"state": "SUCCEEDED"}, "completed"),
        ("sky/job", {"state": "RECOVERING"}, "running"),
    ],
)
def test_words_that_route_a_run_out(name: str, captures: dict[str, str], word: str) -> None:
    event = replace(state(name), captures=captures)
    (match,) = found(event)
    assert match.captures["routed"] == word


def test_a_tracker_that_heard_nothing_more_is_a_symptom_and_one_that_just_did_is_none() -> None:
    (crashed,) = found(state("wandb/run", state="crashed", last="2026-01-01T00:00:00Z"))
    (silent,) = found(state("mlflow/run", state="RUNNING", reason="silent", message="2 h 0 min"))
    (going,) = found(state("mlflow/run", state="RUNNING"))
    assert [(match.mode, match.role) for match in (crashed, silent)] == [("crash/sigkill-unknown", "symptom")] * 2
    assert (going.mode, going.captures["routed"]) == ("", "running")


@pytest.mark.parametrize(
    ("message", "mode"),
    [
        ("Workload exceeded the idle GPU timeout of 2h", "orch/user-cancel"),
        ("Workload reached its maximum duration of 24h", "orch/time-limit"),
        ("Workload was stopped by the user", "orch/user-cancel"),
    ],
)
def test_policies_that_end_a_workload_are_told_apart(message: str, mode: str) -> None:
    (match,) = found(state("runai/event", reason="Terminated", message=message))
    assert (match.mode, match.captures["category"]) == (mode, "SCHEDULING_POLICY_TERMINATED")


def test_a_request_larger_than_any_node_never_fits() -> None:
    refused = state("k8s/pod-condition", type="PodScheduled", status="False", reason="Unschedulable", message="0/2")
    wants = state("k8s/pod-request", resource="nvidia.com/gpu", numbers={"amount": 16.0})
    has = state("k8s/node-offer", pod=None, node="n", resource="nvidia.com/gpu", numbers={"amount": 8.0})
    enough = state("k8s/node-offer", pod=None, node="m", resource="nvidia.com/gpu", numbers={"amount": 16.0})

    def never(*events: Event) -> list[Match]:
        return list(capacity.find(Facts(target="run", options=Options(), events=events), NOTHING))

    assert [match.mode for match in never(refused, wants, has)] == ["orch/k8s-failed-scheduling"]
    assert never(refused, wants, has, enough) == []
    assert never(refused, wants) == []
    assert never(wants, has) == []
    assert never(refused, wants, has, state("k8s/event", reason="TriggeredScaleUp", message="group 1->2")) == []
    (memory,) = never(
        refused,
        state("k8s/pod-request", resource="memory", numbers={"amount": 2.0**41}),
        state("k8s/node-offer", pod=None, node="n", resource="memory", numbers={"amount": 2.0**40}),
    )
    assert "asks one node for 2,048.0 GiB of memory; the largest node offers 1,024.0 GiB" in memory.evidence[0].claim


@pytest.mark.parametrize(
    ("name", "captures", "mode"),
    [
        (
            "k8s/event",
            {"reason": "FailedCreate", "message": "pods p is forbidden: exceeded quota: q"},
            "quota/k8s-resourcequota",
        ),
        (
            "vertex/error",
            {"message": "Replica r ran out-of-memory and exited with a non-zero status of 9"},
            "oom/managed-replica",
        ),
        ("vertex/error", {"message": "Resources are insufficient in region: r"}, "quota/gcp-capacity"),
        ("k8s/container-ended", {"reason": "ContainerStatusUnknown"}, "orch/node-not-ready"),
        ("k8s/node-row", {"reason": "NotReady,SchedulingDisabled"}, "orch/node-not-ready"),
    ],
)
def test_messages_of_controllers_name_their_modes(name: str, captures: dict[str, str], mode: str) -> None:
    event = replace(state(name, numbers={"code": 137.0}), captures=captures)
    assert [match.mode for match in found(event)] == [mode]


def test_a_drained_node_is_told_from_one_that_makes_room() -> None:
    def disrupted(reason: str, message: str) -> Match:
        (match,) = found(
            state("k8s/pod-condition", type="DisruptionTarget", status="True", reason=reason, message=message)
        )
        return match

    assert disrupted("EvictionByEvictionAPI", "Eviction API: evicting").mode == "orch/host-maintenance"
    assert disrupted("TerminationByKubelet", "Pod was terminated in response to imminent node shutdown.").mode == (
        "orch/node-not-ready"
    )
    assert disrupted("PreemptionByScheduler", "make room").captures["routed"] == "preempted"


def test_a_message_that_a_state_lacks_leaves_no_mark_of_its_absence() -> None:
    template = "job {job} failed: {message}"
    assert claim(template, state("sky/job", job="a", message="out of disk")) == "job a failed: out of disk"
    assert claim(template, state("sky/job", job="a")) == "job a failed"
    assert claim("{job} in {phase}", state("sky/job", job="a")) == "a in ?"


@pytest.mark.parametrize(
    ("message", "mode"),
    [
        ("AssertionError: quality gate: acc 0.031 < 0.900", "eval/unhandled-exception"),
        ("ValueError: accuracy 0.12 is below the baseline", "crash/unhandled-exception"),
        ("RuntimeError: f1 0.2 below 0.8", "eval/unhandled-exception"),
        ("RuntimeError: no such bucket", "crash/unhandled-exception"),
    ],
)
def test_a_gate_that_raises_in_an_entry_of_the_log_refuses_the_evaluation(message: str, mode: str) -> None:
    assert [match.mode for match in found(state("vertex/entry", severity="ERROR", message=message))] == [mode]
