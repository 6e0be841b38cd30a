"""Documents of workflow runs, and answers about them, become values."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from runtriage.parse.workflow.gpus import offered
from runtriage.parse.workflow.ledger import ledger
from runtriage.parse.workflow.manifest import manifest, with_stage_status
from runtriage.parse.workflow.pods import cluster_answer, job_of
from runtriage.parse.workflow.queue import controller_log, is_empty_queue, queue_rows
from runtriage.parse.workflow.reason import reason_code
from runtriage.parse.workflow.receipt import submission
from runtriage.parse.workflow.sky_error import sky_error
from runtriage.parse.workflow.spec import workflow_spec
from runtriage.parse.workflow.supervisor import supervisor_event

pytestmark = pytest.mark.usefixtures("untouched_world")
HOSTILE = (
    b"",
    b"[]",
    b"{",
    b"null",
    b'{"a":' * 5000,
    b"\xff\xfe",
    b'{"schema_version":"npa.workflow.run.v1"}',
    b'"text"',
)


def of(**members: Any) -> bytes:
    return json.dumps(members).encode()


@pytest.mark.parametrize("content", HOSTILE)
def test_what_is_no_document_of_a_run_is_none(content: bytes) -> None:
    assert manifest(content, "m") is None
    assert ledger(content, "r") is None
    assert workflow_spec(content, "w", "run") is None
    assert supervisor_event(content, "e") is None
    assert isinstance(queue_rows(content.decode("utf-8", "replace")), str) or content == b"[]"


def test_the_members_of_a_wave_come_from_its_key() -> None:
    waves = [
        {"key": "001|g|inner:a:2,:b:-", "states": ["x"]},
        {"key": "odd", "states": ["x", 7]},
    ]
    found = ledger(of(schema_version="npa.workflow.runtime.v1", status="running", waves=waves), "r")
    assert found is not None
    assert [wave.members for wave in found.waves] == [(("a", "2"), ("b", "")), (("x", ""),)]


def test_outputs_are_addresses_or_objects_that_hold_one() -> None:
    waves = [{"key": "k", "states": ["a"], "outputs": ["s3://b/1", {"uri": "s3://b/2"}, {"no": 1}, 7]}]
    found = ledger(of(schema_version="npa.workflow.runtime.v1", status="running", waves=waves), "r")
    assert found is not None
    assert found.waves[0].outputs == ("s3://b/1", "s3://b/2")


def test_an_older_manifest_takes_its_states_from_its_stages() -> None:
    content = of(schema_version=1, run_id="old", workflow_name="w", stages={"train": {"sky_job_id": 7}, "eval": {}})
    found = manifest(content, "manifest.json")
    assert found is not None
    told = with_stage_status(found, {"train": of(state="FAILED", error_summary="exit 3")})
    assert found.legacy
    assert [(step.state, step.status, step.error, step.job_id) for step in told.steps] == [
        ("train", "FAILED", "exit 3", "7"),
        ("eval", "", "", ""),
    ]


def test_a_plan_is_followed_and_its_placeholders_are_filled() -> None:
    spec = b"""
apiVersion: npa.workflow/v0.0.1
kind: Workflow
metadata: {name: w}
config: {bucket: b, prefix: "runs/{{run.id}}", loop: "{{config.loop}}"}
resources: {gpu: {accelerators: "H100:2", num_nodes: 2}}
initial: train
states:
  eval: {outputs: [{uri: "s3://{{config.bucket}}/{{config.prefix}}/eval/"}], terminal: true}
  train: {resources: gpu, next: eval, outputs: [{uri: "s3://{{config.bucket}}/{{config.unknown}}/x"}]}
"""
    found = workflow_spec(spec, "workflow.yaml", "run-1")
    assert found is not None
    assert [stage.name for stage in found.stages] == ["train", "eval"]
    assert found.stages[0].accelerators == "H100:2"
    assert found.stages[0].nodes == 2
    assert found.stages[0].outputs == ("s3://b/{{config.unknown}}/x",)
    assert found.stages[1].outputs == ("s3://b/runs/run-1/eval/",)
    assert found.digest == sha256(spec).hexdigest()


def test_an_event_whose_name_is_not_the_hash_of_its_bytes_is_not_intact() -> None:
    content = of(schema_version="npa.workflow.supervisor.v1", phase="decision")
    good = supervisor_event(content, f"a/decision-{sha256(content).hexdigest()}.json")
    bad = supervisor_event(content + b" ", f"a/decision-{sha256(content).hexdigest()}.json")
    assert good is not None
    assert good.intact
    assert bad is not None
    assert not bad.intact


ROW = '[{"job_id": 12, "task_id": 0, "task_name": "train", "status": "ManagedJobStatus.FAILED", "recovery_count": 1}]'


@pytest.mark.parametrize(
    "text", [ROW, f"Fetching managed jobs...\n{ROW}\nDone.", f'{{"jobs": {ROW}}}', f"[note] busy\n{ROW}"]
)
def test_one_document_among_other_lines_is_the_queue(text: str) -> None:
    rows = queue_rows(text)
    assert isinstance(rows, tuple)
    assert [(each.job_id, each.name, each.status, each.recoveries) for each in rows] == [("12", "train", "FAILED", 1)]


@pytest.mark.parametrize(
    "text",
    [f"{ROW}\nERROR: the controller is gone", "Traceback (most recent call last):\n", "", "jobs: none", '{"jobs": 7}'],
)
def test_an_answer_with_a_fault_in_it_proves_nothing(text: str) -> None:
    assert isinstance(queue_rows(text), str)


def test_an_empty_queue_is_an_answer() -> None:
    assert queue_rows("No in-progress managed jobs.\n") == ()
    assert queue_rows("[]") == ()


@pytest.mark.parametrize(
    "line",
    [
        'error: container not found ("ray-node")',
        'container not found (\\"ray-node\\")',
        "unable to upgrade connection: container 'ray-node' not found",
        "cannot exec in a deleted state: unknown",
    ],
)
def test_lines_of_failed_starts_are_counted(line: str) -> None:
    assert controller_log(f"{line}\nstarting\n{line}\n", "12").failures == 2


def test_only_the_end_of_a_controllers_log_counts() -> None:
    line = 'container not found ("ray-node")\n'
    assert controller_log(line * 3 + "x" * 5000, "12").failures == 0


@pytest.mark.parametrize("text", ['container not found ("worker")\n', "ray-node is ready\n", "step deleted\n"])
def test_other_lines_are_no_failed_starts(text: str) -> None:
    assert controller_log(text, "12").failures == 0


@pytest.mark.parametrize(
    ("label", "job"),
    [
        ("train-12-0a1b2c3d", "12"),
        ("train-12-333-0a1b2c3d", "333"),
        ("train-12", "12"),
        ("train", ""),
        ("12-0a1b2c3d", ""),
    ],
)
def test_the_job_of_a_label_is_the_number_before_the_hash(label: str, job: str) -> None:
    assert job_of(label) == job


@pytest.mark.parametrize(
    ("reason", "message", "code"),
    [
        ("ImagePullBackOff", "Back-off pulling image: 403 Forbidden", "IMAGE_PULL_AUTH"),
        ("ErrImagePull", "pull access denied", "IMAGE_PULL_AUTH"),
        ("ErrImagePull", "manifest unknown", "IMAGE_NOT_FOUND"),
        ("ErrImagePull", "i/o timeout", "IMAGE_PULL_FAILED"),
        ("BackOff", 'Back-off pulling image "x"', "IMAGE_PULL_FAILED"),
        ("Failed", "Failed to pull image: 403", "IMAGE_PULL_AUTH"),
        ("InvalidImageName", "couldn't parse", "IMAGE_REFERENCE_INVALID"),
        ("CreateContainerConfigError", 'secret "hf" not found', "MISSING_SECRET"),
        ("CreateContainerConfigError", 'configmap "c" not found', "MISSING_CONFIGMAP"),
        ("CreateContainerConfigError", "x", "CREATE_CONTAINER_CONFIG_ERROR"),
        ("CrashLoopBackOff", "back-off 5m0s restarting failed container", "CONTAINER_CRASH"),
        ("PodInitializing", "", "PENDING_UNKNOWN"),
        ("ContainerCreating", "", "PENDING_UNKNOWN"),
        ("Unschedulable", "0/3 nodes: 3 Insufficient cpu", "CAPACITY_OR_QUOTA"),
        ("FailedMount", "MountVolume.SetUp failed", "STORAGE_PENDING"),
        ("NodeNotReady", "", "NODE_NOT_READY"),
        ("Odd", "", "PENDING_UNKNOWN"),
    ],
)
def test_a_reason_has_one_code(reason: str, message: str, code: str) -> None:
    assert reason_code(reason, message) == code


def test_a_list_that_is_no_json_is_no_answer() -> None:
    assert cluster_answer(b"Forbidden", None, None).error == "KUBERNETES_RESPONSE_UNPARSEABLE"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("socket.gaierror: Name or service not known", "DNS_RESOLUTION_FAILED"),
        ("sky did not answer within 120 s", "LIVE_QUERY_TIMEOUT"),
        ("403 Forbidden", "LIVE_QUERY_FORBIDDEN"),
        ("401 Unauthorized", "LIVE_QUERY_AUTHENTICATION_FAILED"),
        ("context lab does not exist", "LIVE_CONTEXT_MISMATCH"),
        ("ClusterOwnerIdentityMismatchError", "LIVE_IDENTITY_MISMATCH"),
        ("connection refused", "LIVE_CONTROLLER_UNREACHABLE"),
        ("something else", "LIVE_VERIFICATION_FAILED"),
    ],
)
def test_a_question_that_failed_has_one_code(text: str, code: str) -> None:
    assert sky_error(text)[0] == code


def test_accelerators_are_read_from_the_first_table_only() -> None:
    text = "GPU   REQUESTABLE_QTY_PER_NODE  FREE\nH100  1, 2, 4                   3\n\nNODE  GPU\nn1    H100\n"
    assert offered(text) == [("H100", (1, 2, 4))]


def test_accelerators_of_several_clusters_are_told_together() -> None:
    text = (
        '[["east", [["H100", [1, 2], 8, 3], ["H100"], [], 7]], ["west", [["H100", [4], 4, 4], ["L4", [1], 1, 0]]], 3]'
    )
    assert offered(text) == [("H100", (1, 2, 4)), ("L4", (1,))]
    assert offered("Kubernetes is not enabled.") is None


def test_a_server_that_was_not_up_before_is_no_error_line() -> None:
    cold = (
        "\x1b[2mFailed to connect to SkyPilot API server at http://127.0.0.1:46580. Starting a local server.\x1b[0m\n"
    )
    rows = queue_rows(
        f'{cold}\x1b[0m\x1b[32m✓ SkyPilot API server started. \x1b[0m\x1b[0m\n\x1b[0m[{{"job_id": 12, "status": "RUNNING"}}]\n'
    )
    assert [row.job_id for row in rows if not isinstance(row, str)] == ["12"]
    assert isinstance(queue_rows("Failed to connect to the controller\n[]"), str)


def test_only_the_last_word_makes_an_error_an_empty_queue() -> None:
    assert is_empty_queue("sky.exceptions.ClusterNotUpError: No in-progress managed jobs.\n")
    assert not is_empty_queue("No in-progress managed jobs.\nPermissionError: denied\n")
    assert not is_empty_queue("")


def test_two_receipts_of_one_run_say_nothing() -> None:
    one = of(launch_state="launching", artifact_load={"status": "partial"})
    assert submission([one]) == ("launching", True, "")
    assert submission([one, one]) == ("", False, "")
    assert submission([b"{"]) == ("", False, "")
