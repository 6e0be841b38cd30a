from __future__ import annotations

import json

import pytest

from runtriage.model.artifact import Artifact
from runtriage.model.raw import RawEvent
from runtriage.parse import recognise
from runtriage.parse.k8s_amounts import quantity
from runtriage.targets.kinds import kind_of
from tests.parse.documents import parsed

pytestmark = pytest.mark.usefixtures("untouched_world")

YAML = b"""apiVersion: batch/v1
kind: Job
metadata:
  name: fit
status:
  conditions:
  - type: Failed
    status: "True"
    reason: DeadlineExceeded
    message: Job was active longer than specified deadline
    lastTransitionTime: "2026-01-02T03:04:05Z"
"""
DESCRIBED = b"""Name:             fit-x2
Namespace:        team
Node:             gpu-1/10.0.0.1
Status:           Running
Init Containers:
  fetch:
    State:          Terminated
      Reason:       Completed
      Exit Code:    0
Containers:
  main:
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Finished:     Sun, 29 Nov 2026 12:48:29 +0000
    Ready:          False
Conditions:
  Type     Status
  Ready    False
Events:
  Type     Reason       Age                 From     Message
  ----     ------       ----                ----     -------
  Warning  FailedMount  25m (x10 over 69m)  kubelet  MountVolume.SetUp failed for volume "ct" : exit status 32
Mounting command: mount
Mounting arguments: -t nfs 10.0.0.9:/d /mnt
Output: mount.nfs: Connection timed out
  Normal   Pulled       20m                 kubelet  Container image "a/b:1" already present on machine
"""
LIMITED = b"""Name:             fit-x2
Namespace:        team
Containers:
  main:
    State:          Terminated
      Reason:       OOMKilled
      Exit Code:    137
    Limits:
      memory:  16Gi
    Requests:
      memory:  8Gi
Events:  <none>
"""
PODS = b"""NAME     READY   STATUS                  RESTARTS        AGE   IP         NODE    NOMINATED NODE   READINESS GATES
fit-0    1/1     Running                 0               9h    10.0.0.2   gpu-4   <none>           <none>
fit-1    0/1     Init:CrashLoopBackOff   8 (6m20s ago)   40m   <none>     <none>  <none>           <none>
"""


def named(events: list[RawEvent], name: str) -> list[RawEvent]:
    return [event for event in events if event.name == name]


def texts(event: RawEvent) -> dict[str, str]:
    return {key: value.raw for key, value in event.captures.items()}


def pod(status: dict[str, object]) -> bytes:
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "p"},
            "spec": {"nodeName": "n", "containers": []},
            "status": status,
        }
    ).encode()


def test_what_a_killed_container_might_use_is_read_from_object_and_description_alike() -> None:
    ended = {"terminated": {"reason": "OOMKilled", "exitCode": 137}}
    amounts = {"limits": {"memory": "16Gi"}, "requests": {"memory": "8Gi"}}
    held = pod({"containerStatuses": [{"name": "main", "state": ended}, {"name": "proxy", "state": ended}]})
    document = json.loads(held)
    document["spec"] = {"containers": [{"name": "main", "resources": amounts}, {"name": "proxy"}]}
    both = [
        texts(event)
        for event in named(parsed("pod.json", "k8s", json.dumps(document).encode()).events, "k8s/container-memory")
    ]
    assert both == [{"container": "main", "limit": "16Gi", "request": "8Gi"}, {"container": "proxy"}]
    (told,) = named(parsed("describe.txt", "k8s", LIMITED).events, "k8s/container-memory")
    assert texts(told) == both[0]
    assert told.citation.first_line == LIMITED[: LIMITED.index(b"memory:  16Gi")].count(b"\n") + 1


@pytest.mark.parametrize("name", ["pod.yaml", "pod.yml", "config.yaml", "pod.json", "pod.txt"])
def test_an_object_is_known_by_what_it_holds_whatever_its_file_is_called(name: str) -> None:
    artifact = Artifact(path=name, kind=kind_of(name) or "log")
    claimed = recognise(artifact, YAML)
    assert claimed is not None
    assert claimed.id == "k8s"


def test_a_described_node_says_what_it_can_give() -> None:
    content = b"Name:  n1\nRoles:  <none>\nConditions:\n  Type  Status\nAllocatable:\n  memory:  64Gi\n  pods:  110\n"
    offers = named(parsed("node.txt", "k8s", content).events, "k8s/node-offer")
    assert [(texts(event)["resource"], event.numbers["amount"]) for event in offers] == [
        ("memory", 64 * 2.0**30),
        ("pods", 110.0),
    ]


PODGROUP = b"""Name:         moe-16n
Namespace:    llm
Kind:         PodGroup
Status:
  Conditions:
    Last Transition Time:  2026-11-23T09:02:11Z
    Message:               9/16 tasks in gang unschedulable
    Reason:                NotEnoughResources
    Status:                True
    Type:                  Unschedulable
    Last Transition Time:  2026-11-23T09:05:00Z
    Status:                False
    Type:                  Scheduled
  Phase:                   Inqueue
Events:
  Type     Reason         Age   From     Message
  ----     ------         ----  ----     -------
  Warning  Unschedulable  14s   volcano  9/16 tasks in gang unschedulable
"""


def test_a_description_of_any_kind_has_conditions_and_events_of_that_kind() -> None:
    events = parsed("podgroup.txt", "k8s", PODGROUP).events
    held, placed = named(events, "k8s/job-condition")
    assert texts(held)["type"] == "Unschedulable"
    assert texts(held)["message"] == "9/16 tasks in gang unschedulable"
    assert held.citation.first_line == 7
    assert held.when is not None
    assert texts(placed) == {"type": "Scheduled", "status": "False"}
    (event,) = named(events, "k8s/event")
    assert texts(event)["object"] == "podgroup/moe-16n"
    assert event.subject.pod is None


def test_a_workflow_that_argo_prints_is_no_description_of_an_object() -> None:
    printed = (
        b"Name:                train-x7k2p\nNamespace:           ml\nStatus:              Failed\nConditions:          \n"
        b" Completed           True\n\nSTEP              TEMPLATE  PODNAME  DURATION  MESSAGE\n \xe2\x9c\x96 train-x7k2p  nightly\n"
    )
    assert recognise(Artifact(path="argo.txt", kind="log"), printed) is None


def test_a_message_of_a_container_goes_on_at_the_margin_and_its_last_line_is_cited() -> None:
    content = (
        b"Name:  p\nNamespace:  n\nContainers:\n  main:\n    Last State:     Terminated\n      Reason:       StartError\n"
        b"      Message:      OCI runtime create failed: stderr: Auto-detected mode as 'legacy'\n"
        b"nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown\n"
        b"      Exit Code:    128\nConditions:\n  Type   Status\n  Ready  False\n"
    )
    events = parsed("describe.txt", "k8s", content).events
    (ended,) = named(events, "k8s/container-ended")
    assert ended.citation.first_line == 8
    assert "version mismatch" in texts(ended)["message"]
    assert ended.numbers == {"code": 128.0}
    assert len(named(events, "k8s/pod-condition")) == 1


def test_an_eviction_is_cited_by_the_message_that_says_what_the_node_lacked() -> None:
    told = {
        "kind": "Event",
        "involvedObject": {"kind": "Pod", "name": "p"},
        "reason": "Evicted",
        "message": "The node was low on resource: ephemeral-storage.",
    }
    (event,) = parsed("event.json", "k8s", json.dumps({"apiVersion": "v1", **told}).encode()).events
    assert event.citation.pointer == "/message"


def test_a_container_that_never_ran_is_cited_by_the_message_of_the_runtime() -> None:
    ended = {"terminated": {"reason": "StartError", "exitCode": 128, "message": "unknown device"}}
    content = pod({"containerStatuses": [{"name": "main", "lastState": ended}]})
    (event,) = named(parsed("pod.json", "k8s", content).events, "k8s/container-ended")
    assert (event.citation.pointer or "").endswith("/lastState/terminated/message")


def test_a_message_that_says_more_than_its_reason_is_cited() -> None:
    waiting = {"waiting": {"reason": "ImagePullBackOff", "message": "manifest unknown"}}
    content = pod({"phase": "Pending", "containerStatuses": [{"name": "c", "state": waiting}]})
    (event,) = named(parsed("pod.json", "k8s", content).events, "k8s/container-waiting")
    assert event.citation.pointer == "/status/containerStatuses/0/state/waiting/message"
    assert (event.subject.pod, event.subject.node) == ("p", "n")


def test_a_reason_that_says_all_is_cited() -> None:
    condition = {
        "type": "DisruptionTarget",
        "status": "True",
        "reason": "PreemptionByScheduler",
        "message": "make room",
    }
    (event,) = named(
        parsed("pod.json", "k8s", pod({"phase": "Failed", "conditions": [condition]})).events, "k8s/pod-condition"
    )
    assert event.citation.pointer == "/status/conditions/0/reason"


def test_yaml_is_read_like_json() -> None:
    (event,) = parsed("job.yaml", "k8s", YAML).events
    assert (event.name, texts(event)["reason"]) == ("k8s/job-condition", "DeadlineExceeded")
    assert event.citation.pointer == "/status/conditions/0/reason"
    assert event.when is not None
    assert event.when.zoned


def test_a_manifest_without_a_status_is_no_state_of_anything() -> None:
    manifest = YAML.partition(b"status:")[0]
    claimed = recognise(Artifact(path="job.yaml", kind="config"), manifest)
    assert claimed is None or claimed.id != "k8s"


def test_accelerators_wanted_and_offered_are_numbers() -> None:
    waits = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": [{"resources": {"requests": {"nvidia.com/gpu": "16", "memory": "1Gi"}}}]},
    }
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n"},
        "status": {"allocatable": {"nvidia.com/gpu": "8"}},
    }
    events = parsed(
        "all.json", "k8s", json.dumps({"apiVersion": "v1", "kind": "List", "items": [waits, node]}).encode()
    )
    assert [(event.name, dict(event.numbers)) for event in events.events] == [
        ("k8s/pod-request", {"amount": 16.0}),
        ("k8s/pod-request", {"amount": 2.0**30}),
        ("k8s/node-offer", {"amount": 8.0}),
    ]


def test_a_pod_asks_for_the_sum_of_its_containers_or_the_largest_step_of_its_start() -> None:
    def asks(**requests: str) -> dict[str, object]:
        return {"resources": {"requests": requests}}

    spec = {
        "containers": [asks(cpu="1500m", memory="2Gi"), asks(cpu="96", memory="64G")],
        "initContainers": [asks(cpu="4", memory="1Ti"), asks(cpu="500m") | {"restartPolicy": "Always"}],
    }
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
    found = {texts(one)["resource"]: one for one in parsed("p.json", "k8s", json.dumps(pod).encode()).events}
    assert found["cpu"].numbers == {"amount": 98.0}
    assert found["cpu"].citation.pointer == "/spec/containers/1/resources/requests/cpu"
    assert found["memory"].numbers == {"amount": 2.0**40}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("8", 8.0),
        ("500m", 0.5),
        ("64Gi", 2.0**36),
        ("129e6", 129e6),
        ("1E", 1e18),
        ("", None),
        ("many", None),
        ("1KiB", None),
    ],
)
def test_a_quantity_is_a_number_of_units_or_bytes(text: str, number: float | None) -> None:
    assert quantity(text) == number


def test_a_description_tells_the_last_state_of_a_container_from_the_present_one() -> None:
    events = parsed("describe.txt", "k8s", DESCRIBED).events
    first, last = named(events, "k8s/container-ended")
    (waiting,) = named(events, "k8s/container-waiting")
    assert (texts(first)["init"], texts(first)["container"]) == ("yes", "fetch")
    assert (texts(last)["reason"], texts(last)["slot"], last.numbers["code"]) == ("OOMKilled", "lastState", 137.0)
    assert last.citation.first_line == 15
    assert texts(waiting)["reason"] == "CrashLoopBackOff"
    assert {event.subject.node for event in (first, last, waiting)} == {"gpu-1"}


def test_an_event_on_several_lines_cites_the_output_of_the_tool_that_failed() -> None:
    mount, pulled = named(parsed("describe.txt", "k8s", DESCRIBED).events, "k8s/event")
    assert mount.citation.first_line == 28
    assert "exit status 32" in texts(mount)["message"]
    assert (texts(mount)["reason"], mount.numbers["age"], pulled.numbers["age"]) == ("FailedMount", 1500.0, 1200.0)


def test_a_pod_table_is_read_by_its_columns() -> None:
    running, failing = parsed("pods.txt", "k8s", PODS).events
    assert (running.subject.pod, running.subject.node) == ("fit-0", "gpu-4")
    assert (failing.subject.pod, failing.subject.node) == ("fit-1", None)
    assert (texts(failing)["reason"], failing.numbers["restarts"], failing.numbers["age"]) == (
        "Init:CrashLoopBackOff",
        8.0,
        2400.0,
    )


@pytest.mark.parametrize("content", [DESCRIBED, PODS, YAML], ids=["describe", "pods", "yaml"])
@pytest.mark.parametrize("cut", [40, 200, 333])
def test_a_document_that_was_cut_is_read_as_far_as_it_goes(content: bytes, cut: int) -> None:
    artifact = Artifact(path="x", kind="k8s")
    claimed = recognise(artifact, content[:cut])
    assert claimed is None or parsed("x", "k8s", content[:cut]).bytes_read == min(cut, len(content))


def test_bytes_of_a_cited_line_are_the_line() -> None:
    event = parsed("pods.txt", "k8s", PODS).events[1]
    start, end = event.citation.byte_start, event.citation.byte_end
    assert PODS[start:end].startswith(b"fit-1 ")


def test_wide_events_have_their_message_between_other_columns() -> None:
    table = (
        b"LAST SEEN   TYPE      REASON   OBJECT    SUBOBJECT                SOURCE        MESSAGE                FIRST SEEN   COUNT   NAME\n"
        b"5m          Warning   Failed   pod/fit   spec.containers{main}    kubelet, n1   Error: ErrImagePull    9m           4       fit.17a\n"
    )
    (event,) = parsed("events.txt", "k8s", table).events
    assert (texts(event)["message"], event.subject.pod) == ("Error: ErrImagePull", "fit")


def test_a_node_table_names_nodes() -> None:
    table = b"NAME   STATUS     ROLES    AGE   VERSION\nn1     NotReady   <none>   9d    v1.32.4\n"
    (event,) = parsed("nodes.txt", "k8s", table).events
    assert (event.name, event.subject.node, texts(event)["reason"]) == ("k8s/node-row", "n1", "NotReady")


@pytest.mark.parametrize(
    "content",
    [
        b"NAME READY STATUS RESTARTS AGE\nx 1/1 Running 0 9h\n",
        b"LAST SEEN TYPE REASON OBJECT SUBOBJECT SOURCE MESSAGE\n5m Warning Failed pod/x a b c\n",
        b"Name: x\nNamespace: y\nContainers:\nEvents:\n" + b"a " * 4000,
        b'{"kind":"Pod","apiVersion":"v1","x":' + b"[" * 100_000,
        b"apiVersion: v1\nkind: Pod\nstatus: {a: *b}\n",
    ],
    ids=["pods", "events", "describe", "deep", "alias"],
)
def test_a_document_that_is_not_what_it_looks_like_is_read_without_an_error(content: bytes) -> None:
    assert parsed("x", "k8s", content).bytes_read == len(content)
