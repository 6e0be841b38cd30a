"""Pipelines on Vertex AI: tasks, nested jobs, logs between explicit times, and the lines the report adds."""

from __future__ import annotations

from typing import Any

import pytest

import runtriage
from runtriage.targets.errors import TargetError
from runtriage.targets.grammar import parse
from runtriage.targets.vertex import full_name, open_target
from tests.servers.answering import Answering, Asked, Status, answering
from tests.servers.vertex_twin import CUSTOM, NAME, failed, pipeline, routes, task


@pytest.fixture
def google(monkeypatch: pytest.MonkeyPatch):
    def point(server: Answering) -> None:
        monkeypatch.setenv("CLOUDSDK_API_ENDPOINT_OVERRIDES_AIPLATFORM", server.url)
        monkeypatch.setenv("CLOUDSDK_API_ENDPOINT_OVERRIDES_LOGGING", server.url)
        for name in ("CLOUDSDK_AUTH_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN"):
            monkeypatch.delenv(name, raising=False)

    return point


def diagnose(google, *tasks: dict[str, Any], state: str = "FAILED"):
    with answering(routes(pipeline(*tasks, state=state))) as server:
        google(server)
        report = runtriage.diagnose(f"vertex:{NAME}")
    assert not [item for item in server.refused if not item.startswith("GET /v1/projects")]
    return report, server


def test_the_log_of_the_component_that_failed_first_holds_the_root(google) -> None:
    exited = "The replica workerpool0-0 exited with a non-zero status of 1. To find out more about why your job exited please check the logs"
    report, server = diagnose(
        google,
        task("prepare", "SUCCEEDED", "2026-11-01T00:01:00Z"),
        failed("model-training", 9, exited, custom=CUSTOM),
        task("evaluate", "NOT_TRIGGERED"),
        task("deploy", "NOT_TRIGGERED"),
    )
    assert (report.run_status, report.primary_cause, report.last_progress.step) == ("crashed", "data-pipeline", 40)
    assert report.platform_lines == [
        f"Pipeline: {NAME}",
        "Pipeline state: FAILED",
        "Failed tasks: model-training",
        "Tasks: 1 failed, 1 succeeded, 2 not triggered",
        "Last succeeded task: prepare",
        "First failing task: model-training; 2 tasks behind it were never triggered",
    ]
    assert report.platform_state == "FAILED"
    assert report.framework == "Vertex AI Pipeline component (model-training)"
    assert report.next_commands[0] == "gcloud ai pipeline-jobs describe train-1 --project=my-proj --region=us-central1"
    assert report.next_commands[1].startswith(
        'gcloud logging read "resource.labels.pipeline_job_id=train-1 AND severity>=ERROR'
    )
    asked = [each.body for each in server.asked if each.method == "POST"]
    assert all("timestamp>=" in body["filter"] and "timestamp<=" in body["filter"] for body in asked)
    assert asked[0]["orderBy"] == "timestamp desc"


def test_lines_of_a_replica_are_put_in_order_of_time(google) -> None:
    report, _ = diagnose(google, failed("fit", 9, "Job failed", custom=CUSTOM))
    places = {item.citation.artifact: item.citation.first_line for item in report.evidence}
    assert places.get("logs/77.json!workerpool0-0.log", 6) >= 3


def test_a_component_that_failed_after_its_start_without_a_word_is_the_pipelines_failure(google) -> None:
    report, _ = diagnose(google, failed("fit", 9, "Job failed with error code 3"))
    assert (report.primary_cause, report.failure_mode) == ("pipeline-orchestration", "orch/component-failed")


@pytest.mark.parametrize(
    ("code", "message", "mode"),
    [
        (
            8,
            "The following quota metrics exceed quota limits: aiplatform.googleapis.com/custom_model_training_nvidia_a100_gpus",
            "quota/gcp-quota",
        ),
        (8, "RESOURCE_EXHAUSTED while provisioning 4 workers", "quota/gcp-quota"),
        (7, "Permission 'storage.objects.get' denied for trainer@my-proj.iam.gserviceaccount.com", "perm/gcs-denied"),
        (3, "You do not have permission to act as service_account: x", "perm/gcs-denied"),
    ],
)
def test_what_fails_before_code_ran_is_a_matter_of_rights_or_quota(google, code: int, message: str, mode: str) -> None:
    report, _ = diagnose(google, failed("fit", code, message, ran=False), task("evaluate", "NOT_TRIGGERED"))
    assert (report.primary_cause, report.failure_mode) == ("cloud-permissions-quota", mode)


def test_tasks_that_were_never_triggered_point_at_what_failed_first_and_are_no_cause(google) -> None:
    waiting = [task(f"later-{number}", "NOT_TRIGGERED") for number in range(12)]
    report, _ = diagnose(google, failed("ingest", 9, "Job failed with error code 3"), *waiting)
    assert (report.failure_mode, report.framework) == (
        "orch/component-failed",
        "Vertex AI Pipeline component (ingest)",
    )
    assert "First failing task: ingest; 12 tasks behind it were never triggered" in report.platform_lines
    told = next(item for item in report.evidence if "never triggered" in item.claim)
    assert told.claim.startswith("12 tasks were never triggered (later-0, later-1,")
    assert told.claim.endswith("waiting for what failed first, ingest")


def test_an_argument_that_is_invalid_is_no_matter_of_rights_unless_it_says_so(google) -> None:
    plain, _ = diagnose(google, failed("fit", 3, "machine_type n1-huge is not supported", ran=False))
    assert plain.failure_mode != "perm/gcs-denied"
    denied, _ = diagnose(google, failed("fit", 3, "Service account x does not exist", ran=False))
    assert denied.failure_mode == "perm/gcs-denied"
    assert "which can be a missing right" in denied.evidence[0].claim


def test_a_denial_says_that_the_project_may_be_wrong_and_whose_rights_were_tried(google) -> None:
    report, _ = diagnose(google, failed("fit", 7, "The caller does not have access", ran=False))
    claim = next(item.claim for item in report.evidence if "denied" in item.claim)
    assert "the default service account" in claim
    assert "a wrong project id is refused with the same code" in claim


def test_a_precondition_gives_way_to_what_the_log_shows(google) -> None:
    report, _ = diagnose(google, failed("fit", 9, "The precondition failed", custom=CUSTOM, ran=False))
    assert report.primary_cause == "data-pipeline"
    assert report.root_evidence is not None and report.root_evidence.artifact.startswith("logs/77.json")


def test_the_commands_are_those_of_this_very_run_with_its_times(google) -> None:
    report, _ = diagnose(google, failed("fit", 9, "Job failed", custom=CUSTOM))
    assert list(report.next_commands[:3]) == [
        "gcloud ai pipeline-jobs describe train-1 --project=my-proj --region=us-central1",
        (
            'gcloud logging read "resource.labels.pipeline_job_id=train-1 AND severity>=ERROR AND '
            'timestamp>=\\"2026-11-01T00:00:05Z\\" AND timestamp<=\\"2026-11-01T00:30:00Z\\"" --project=my-proj --limit=50'
        ),
        (
            'gcloud logging read "resource.labels.job_id=77 AND severity>=ERROR AND '
            'timestamp>=\\"2026-11-01T00:00:05Z\\" AND timestamp<=\\"2026-11-01T00:30:00Z\\"" --project=my-proj --limit=50'
        ),
    ]


def test_a_denied_request_names_the_service_account(google) -> None:
    message = "Permission 'storage.objects.get' denied on trainer@my-proj.iam.gserviceaccount.com"
    report, _ = diagnose(google, failed("fit", 7, message, ran=False))
    assert any("trainer@my-proj.iam.gserviceaccount.com" in item.claim for item in report.evidence)


def test_a_precondition_that_failed_before_the_start_points_at_missing_data(google) -> None:
    report, _ = diagnose(google, failed("fit", 9, "Input artifact is not ready", ran=False))
    assert report.failure_mode == "io/object-missing"


def test_a_pipeline_that_runs_or_succeeded_is_no_failure(google) -> None:
    running, _ = diagnose(google, task("fit", "RUNNING"), state="RUNNING")
    assert (running.run_status, running.primary_cause) == ("running", None)
    assert "Failed tasks: none" in running.platform_lines
    done, _ = diagnose(google, task("fit", "SUCCEEDED"), state="SUCCEEDED")
    assert (done.run_status, done.routed) == ("completed", "completed")


@pytest.mark.parametrize(
    ("code", "exit_code", "words"), [(401, 4, "gcloud auth"), (403, 4, "may not read"), (404, 3, "no such thing")]
)
def test_a_job_that_cannot_be_had_ends_with_its_exit_code(
    google, code: int, exit_code: int, words: str, monkeypatch
) -> None:
    def refuse(_: Asked) -> None:
        raise Status(code)

    with answering({("GET", f"/v1/{NAME}"): refuse}) as server, pytest.raises(TargetError, match=words) as error:
        google(server)
        monkeypatch.setenv("CLOUDSDK_AUTH_ACCESS_TOKEN", "hunter2hunter2")
        open_target(parse(f"vertex:{NAME}"))
    assert error.value.code == exit_code
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize("answer", [[], "welcome", 7, None, {}, {"kind": "page"}])
def test_an_answer_that_is_no_job_ends_with_one_line_that_names_the_service(google, answer: object) -> None:
    with answering({("GET", f"/v1/{NAME}"): lambda _: answer}) as server, pytest.raises(TargetError) as error:
        google(server)
        open_target(parse(f"vertex:{NAME}"))
    assert error.value.code == 3
    assert str(error.value).startswith(f"Vertex AI at {server.url} answers with")
    assert "\n" not in str(error.value)


def test_logs_that_are_no_object_leave_the_job_alone(google) -> None:
    found = routes(pipeline(failed("fit", 9, "Job failed", custom=CUSTOM)))
    found["POST", "/v2/entries:list"] = lambda _: ["welcome"]
    with answering(found) as server:
        google(server)
        report = runtriage.diagnose(f"vertex:{NAME}")
    assert report.primary_cause == "pipeline-orchestration"
    assert any("Cloud Logging" in item for item in report.coverage.not_seen)


def test_logs_that_may_not_be_read_leave_the_job_alone(google) -> None:
    def refuse(_: Asked) -> None:
        raise Status(403)

    found = routes(pipeline(failed("fit", 9, "Job failed", custom=CUSTOM)))
    found["POST", "/v2/entries:list"] = refuse
    with answering(found) as server:
        google(server)
        report = runtriage.diagnose(f"vertex:{NAME}")
    assert report.primary_cause == "pipeline-orchestration"
    assert any("403" in item for item in report.coverage.not_seen)


def test_a_bare_id_takes_project_and_region_from_where_gcloud_does(tmp_path) -> None:
    (tmp_path / "configurations").mkdir()
    (tmp_path / "configurations" / "config_default").write_text("[core]\nproject = from-gcloud\n")
    empty = {"CLOUDSDK_CONFIG": str(tmp_path)}
    assert full_name("train-1", empty) == "projects/from-gcloud/locations/us-central1/pipelineJobs/train-1"
    told = {"GOOGLE_CLOUD_PROJECT": "p", "CLOUDSDK_AI_REGION": "europe-west4"}
    assert full_name("train-1", told) == "projects/p/locations/europe-west4/pipelineJobs/train-1"
    assert full_name("locations/asia-east1/pipelineJobs/x", told) == "projects/p/locations/asia-east1/pipelineJobs/x"
    with pytest.raises(TargetError, match="--project") as error:
        full_name("train-1", {"CLOUDSDK_CONFIG": str(tmp_path / "none")})
    assert error.value.code == 2


@pytest.mark.parametrize(
    "message",
    [
        "RESOURCE_EXHAUSTED while provisioning 4xA100 workers",
        "Quota exceeded for NVIDIA_A100_GPUS",
        "The following quota metrics exceed quota limits: aiplatform.googleapis.com/custom_model_training_nvidia_a100_gpus",
    ],
)
def test_gpus_that_were_not_given_are_a_quota_of_the_cloud_and_no_disk(google, message: str) -> None:
    report, _ = diagnose(google, task("prepare", "SUCCEEDED", "2026-11-01T00:01:00Z"), failed("train", 8, message))
    assert (report.primary_cause, report.failure_mode) == ("cloud-permissions-quota", "quota/gcp-quota")
    steps = " ".join(step.action for step in report.plan)
    assert "file system" not in steps
    assert "Request more of the quota" in steps


def test_one_task_that_waits_is_told_as_one(google) -> None:
    report, _ = diagnose(google, failed("train", 9, "Job failed."), task("evaluate", "NOT_TRIGGERED"))
    assert "First failing task: train; 1 task behind it was never triggered" in report.platform_lines
    assert any(item.claim.startswith("1 task was never triggered (evaluate)") for item in report.evidence)


def test_without_a_login_the_reason_is_told_in_the_words_of_the_library(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    for name in ("CLOUDSDK_AUTH_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "key.json"))
    with pytest.raises(TargetError, match=r"no login for Google Cloud \(File .*key\.json was not found\)") as error:
        open_target(parse(f"vertex:{NAME}"))
    assert error.value.code == 4
