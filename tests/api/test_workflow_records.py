"""Odd, older and secret things in the records of workflow runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtriage.api.workflow import Access
from runtriage.api.workflow_compare import compare
from runtriage.api.workflow_diagnosis import of_folder
from tests.api.workflow_parts import FULL, PARTIAL, TWO_SMALL, VERIFIED, step
from tests.api.workflow_runs import BUCKET, Run, event, pod, row, waiting, wave


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(leaf for key, member in members for leaf in leaves(member, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("odd", [None, {}, [None], float("inf"), 10**400], ids=str)
def test_no_value_of_any_record_breaks_the_judge(odd: Any) -> None:
    rich = wave(
        "a+b",
        1,
        "failed",
        "CANCELLED",
        "12",
        tasks=[{"job_id": "12", "retry_count": 1}],
        observations=[{"observed_at": "x"}],
        infrastructure_recovery={"used": 1, "limit": 1},
        **(PARTIAL | VERIFIED),
    )
    decided = event(
        "launch-1-1", "transient_infrastructure", "cancel_and_terminalize", "NODE_NOT_READY", used=0, limit=1
    )
    records: dict[str, Any] = {
        "waves": [rich],
        "steps": [step("a", "failed", "12")],
        "events": [decided],
        "queue": [row("12", "STARTING")],
        "pods": [pod("a-12-0a1b2c3d", gpus=1, **FULL)],
        "nodes": TWO_SMALL,
    }
    for path in leaves(records):
        if len(path) > 1:
            run = Run(manifest="running", ledger="running", plan=("a", "b"), **replaced(records, path, odd))
            assert run.judged()["decision"]["decision"]


def legacy(**states: str) -> Run:
    """A run of the older layout, with a state a stage."""
    manifest = {
        "schema_version": 1,
        "run_id": "toy",
        "workflow_name": "w",
        "updated_at": "2026-11-20T10:20:00Z",
        "stages": {
            name: {"sky_job_id": "7", "artifact_uri": f"s3://{BUCKET}/runs/toy/artifacts/{name}/"} for name in states
        },
    }
    files = {f"logs/{name}/status.json": json.dumps({"state": state}).encode() for name, state in states.items()}
    return Run(
        manifest=None,
        ledger=None,
        plan=(),
        queue=None,
        extra=files | {"manifest.json": json.dumps(manifest).encode()},
    )


@pytest.mark.parametrize(
    ("states", "status", "failing", "decision"),
    [
        ({"prep": "SUCCEEDED", "train": "FAILED"}, "FAILED", "train", "FIX_PAYLOAD"),
        ({"prep": "SUCCEEDED", "train": "SUCCEEDED"}, "SUCCEEDED", None, "NO_ACTION"),
        ({"prep": "SUCCEEDED", "train": "RUNNING"}, "VERIFICATION_UNAVAILABLE", None, "BLOCKED_RESTORE_EVIDENCE"),
    ],
)
def test_the_older_layout_is_read_from_its_stages(
    states: dict[str, str], status: str, failing: str | None, decision: str, tmp_path: Path
) -> None:
    found = legacy(**states).found(tmp_path)
    assert (found["status"], found["failing_stage"], found["decision"]["decision"]) == (status, failing, decision)


def test_secrets_in_records_are_not_told_and_addresses_and_hashes_are(tmp_path: Path) -> None:
    secret = "AKIAIOSFODNN7QWERTYU"
    run = Run(
        manifest="failed",
        ledger="failed",
        waves=[
            wave(
                "train",
                1,
                "failed",
                "FAILED",
                "12",
                error=f"denied for AWS_ACCESS_KEY_ID={secret} password=hunter2hunter2",
            )
        ],
        events=[event("npa-launch-0123456789abcdef0123456789abcdef", "payload", "terminalize", "PAYLOAD_EXIT_NONZERO")],
        queue=[row("12", "FAILED")],
    )
    text = json.dumps(run.found(tmp_path))
    assert secret not in text
    assert "hunter2hunter2" not in text
    assert f"s3://{BUCKET}/runs/toy/train/out.bin" in text


def test_the_plan_that_a_resumed_run_is_held_against_is_named_and_never_said_to_be_the_same(tmp_path: Path) -> None:
    waves = [wave("train", 1, "failed", "FAILED_NO_RESOURCE", "12")]
    run = Run(
        manifest="failed", ledger="failed", waves=waves, queue=[row("12", "FAILED_NO_RESOURCE")], fingerprint="9f3c2a77"
    )
    found = run.found(tmp_path)
    assert found["decision"]["decision"] == "RESUME"
    (check,) = [each for each in found["decision"]["preconditions"] if "9f3c2a77" in each["text"]]
    assert check["holds"] is None


def recoverable(**more: Any) -> Run:
    """A run that may be resumed where its plan is the same."""
    first = wave("prep", 1, "succeeded", "SUCCEEDED", "11", sequence=1)
    second = wave("train", 1, "failed", "FAILED_NO_RESOURCE", "12", sequence=2)
    fields: dict[str, Any] = {
        "manifest": "failed",
        "ledger": "failed",
        "waves": [first, second],
        "plan": ("prep", "train"),
        "outputs": {"prep": 9},
        "queue": [row("11", "SUCCEEDED", "prep"), row("12", "FAILED_NO_RESOURCE")],
    }
    return Run(**(fields | more))


def hashed(*hashes: str) -> list[dict[str, Any]]:
    """The waves of such a run with the hashes of the workflow they were made from."""
    return [
        each | {"immutable_identity": {"workflow_sha256": known}}
        for each, known in zip(recoverable().waves, hashes, strict=True)
    ]


@pytest.mark.parametrize("waves", [recoverable().waves, hashed("aa", "aa"), hashed("aa", ""), hashed("", "")])
def test_a_plan_that_fits_what_was_recorded_is_not_claimed_to_be_the_same(
    waves: list[dict[str, Any]], tmp_path: Path
) -> None:
    found = recoverable(waves=waves, fingerprint="9f3c").found(tmp_path)
    assert found["decision"]["decision"] == "RESUME"
    assert found["plan"] | {"spec_sha256": ""} == {
        "fingerprint": "9f3c",
        "fingerprint_recomputed": False,
        "why_not_recomputed": found["plan"]["why_not_recomputed"],
        "spec_sha256": "",
        "differences": [],
    }
    assert "not stored with a run" in found["plan"]["why_not_recomputed"]


@pytest.mark.parametrize(
    ("more", "pointer", "said"),
    [
        ({"plan": ("train",), "outputs": {"prep": 9}}, "/waves/0", "an attempt of prep is recorded"),
        ({"waves": hashed("aa", "bb")}, "/waves/1/immutable_identity/workflow_sha256", "different hashes"),
        (
            {"waves": [recoverable().waves[0], recoverable().waves[1] | {"outputs": [f"s3://{BUCKET}/elsewhere"]}]},
            "/waves/1/outputs",
            "outputs of train",
        ),
    ],
)
def test_a_plan_that_does_not_fit_what_was_recorded_is_started_afresh(
    more: dict[str, Any], pointer: str, said: str, tmp_path: Path
) -> None:
    found = recoverable(**more).found(tmp_path)
    (difference,) = found["plan"]["differences"]
    assert said in difference["text"]
    assert difference["source"] == {"artifact": "npa-workflow/runtime.json", "pointer": pointer}
    assert found["decision"]["decision"] in ("FIX_CONFIG_START_FRESH", "BLOCKED_RESTORE_EVIDENCE")
    assert "--resume-run" not in json.dumps(found)
    assert any("the plan changed" in note for note in found["diagnostics"])


@pytest.mark.parametrize(
    "more",
    [{"recovery_decision": "operator_authorized_verified_absent_relaunch"}, {"error_category": "operator_recovery"}],
)
def test_a_change_of_plan_that_an_operator_let_in_does_not_stand_in_the_way(
    more: dict[str, Any], tmp_path: Path
) -> None:
    first, second = hashed("aa", "bb")
    earlier = second | more | {"attempt": 1, "job_id": "10"}
    run = recoverable(waves=[first, earlier, second | {"attempt": 2}], fingerprint="9f3c")
    found = run.found(tmp_path)
    assert (found["decision"]["decision"], found["plan"]["differences"]) == ("RESUME", [])
    (plan,) = [check for check in found["decision"]["preconditions"] if "an operator let attempt 1" in check["text"]]
    assert (plan["holds"], plan["citation"]) == (
        None,
        {"artifact": "npa-workflow/runtime.json", "pointer": "/waves/1"},
    )


def test_a_hash_that_no_operator_let_in_is_a_change_all_the_same(tmp_path: Path) -> None:
    first, second = hashed("aa", "bb")
    act = {"recovery_decision": "operator_authorized_verified_absent_relaunch"}
    run = recoverable(waves=[first | act, second])
    assert run.found(tmp_path)["plan"]["differences"]


def test_runs_of_different_plans_are_told_apart_by_their_fingerprints(tmp_path: Path) -> None:
    base, other = (Run(name=name, fingerprint=name * 4, queue=None).write(tmp_path) for name in ("a", "b"))
    rows = compare(str(base), str(other), Access())["differences"]
    assert {"kind": "spec", "what": "plan fingerprint", "base": "aaaa", "candidate": "bbbb"} in rows


@pytest.mark.parametrize("word", ["BOGUS", "UNKNOWN", "FAILING?"])
def test_a_word_of_a_job_that_is_no_state_verifies_nothing(word: str, tmp_path: Path) -> None:
    run = Run(waves=[wave("train", 1, "running", "RUNNING", "12")], queue=[row("12", word)])
    found = run.found(tmp_path)
    assert (found["status"], found["decision"]["decision"]) == ("VERIFICATION_UNAVAILABLE", "BLOCKED_RESTORE_EVIDENCE")
    assert found["live_verification"]["error_code"] == "LIVE_RESPONSE_UNPARSEABLE"


@pytest.mark.parametrize("word", ["WINDING_DOWN", "CANCELLING", "SUBMITTED"])
def test_a_rare_state_of_a_job_is_one(word: str, tmp_path: Path) -> None:
    run = Run(waves=[wave("train", 1, "running", "RUNNING", "12")], queue=[row("12", word)])
    assert run.found(tmp_path)["verification_status"] == "VERIFIED"


def test_the_state_tells_jobs_tasks_and_remedies_one_by_one(tmp_path: Path) -> None:
    run = Run(
        waves=[
            wave("prep", 1, "succeeded", "SUCCEEDED", "11", sequence=1),
            wave("train", 1, "running", "STARTING", "12", sequence=2),
        ],
        plan=("prep", "train"),
        outputs={"prep": 9},
        queue=[row("11", "SUCCEEDED", "prep"), row("12", "STARTING")],
        pods=[pod("train-12-0a1b2c3d", **waiting("ImagePullBackOff", "403 Forbidden"))],
        nodes=TWO_SMALL,
    )
    found = run.found(tmp_path)
    assert (found["sky_job_id"], found["sky_job_ids"], found["lifecycle_state"]) == ("12", ["11", "12"], "RUNNING")
    assert found["verification"] == "found"
    assert found["manifest_uri"] == f"{found['run_prefix_uri']}/npa-workflow/manifest.json"
    assert found["scheduler_task_activity"] == {
        "active_stage_keys": ["train"],
        "unresolved_stage_keys": [],
        "all_stage_tasks_terminal": False,
    }
    stage = found["stages"]["train"]
    assert (stage["scheduler_state"], stage["raw_scheduler_state"]) == ("STARTING", "STARTING")
    assert stage["log_command"].endswith("--stage train")
    assert "pull secret" in found["blockers"][0]["remedy"]


def _with_heartbeat(beat: str, **more: Any) -> Run:
    run = Run(
        waves=[
            wave("train", 1, "running", "RUNNING", "12", started_at="2026-11-20T11:00:00Z", ended_at="")
            | {"tasks": [{"job_id": "12", "task_id": 3, "task_name": "train", "status": "RUNNING"}]}
        ],
        accelerators="H100:8",
        **more,
    )
    told = json.loads(run.objects()["npa-workflow/runtime.json"])
    told["stages"] = [{"stage": "train", "last_heartbeat_at": beat}]
    run.extra = {"npa-workflow/runtime.json": json.dumps(told).encode()}
    return run


@pytest.mark.parametrize(
    ("beat", "age", "stale"),
    [
        ("2026-11-20T11:58:00Z", 120.0, False),
        ("2026-11-20T11:50:00Z", 600.0, True),
        ("2099-01-01T00:00:00Z", None, None),
        ("", None, True),
        ("soon", None, True),
    ],
)
def test_ages_are_against_the_one_time_of_the_look(
    beat: str, age: float | None, stale: bool | None, tmp_path: Path
) -> None:
    run = _with_heartbeat(beat, queue=[row("12", "RUNNING")])
    found = run.found(tmp_path, at="2026-11-20T12:00:00Z")
    assert (found["heartbeat_age_seconds"], found["heartbeat_stale"]) == (age, stale)
    stage = found["stages"]["train"]
    assert (stage["staleness_seconds"], stage["elapsed_seconds"]) == (age, 3600.0)
    assert found["observed_at"] == found["live_verification"]["attempted_at"] == "2026-11-20T12:00:00Z"
    assert found == run.found(tmp_path, at="2026-11-20T12:00:00Z")


def test_the_state_tells_task_profile_and_how_each_attempt_was_made(tmp_path: Path) -> None:
    run = _with_heartbeat("", queue=None)
    found = run.found(tmp_path, at="2026-11-20T12:00:00Z")
    stage = found["stages"]["train"]
    assert stage["task_id"] == "3"
    assert stage["resources_profile"] == {"cloud": "kubernetes", "num_nodes": "1", "accelerators": "H100:8"}
    attempt = stage["managed_job_attempts"][0]
    assert (attempt["wave_kind"], attempt["group"]) == ("serial", None)
    assert attempt["provenance"] == {"artifact": "npa-workflow/runtime.json", "pointer": "/waves/0"}
    assert found["live_verification"]["attempted_at"] is None
    assert found["live_verification"]["retry_command"].startswith("runtriage workflow status ")
    assert not found["live_verification"]["automation_may_trust_state"]


def test_a_report_says_nothing_that_depends_on_when_it_was_made(tmp_path: Path) -> None:
    base = _with_heartbeat("2026-11-20T11:58:00Z").write(tmp_path)
    found = of_folder(str(base)) or {}
    assert (found["observed_at"], found["heartbeat_age_seconds"], found["heartbeat_stale"]) == (None, None, None)
