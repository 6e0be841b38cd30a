"""A stand-in for Vertex AI and Cloud Logging over REST: one pipeline, the custom job nested in it, and their log in pages."""

from __future__ import annotations

import zlib
from typing import Any

from tests.servers.answering import Asked

NAME = "projects/my-proj/locations/us-central1/pipelineJobs/train-1"
CUSTOM = "projects/123/locations/us-central1/customJobs/77"
TRACE = 'Traceback (most recent call last):\n  File "train.py", line 8, in <module>\n    main()\nValueError: label 12 is out of range for 10 classes\n'


def task(name: str, state: str, end: str = "", **more: Any) -> dict[str, Any]:
    number = str(zlib.crc32(name.encode()))
    ended = {"endTime": end} if end else {}
    return {"taskId": number, "taskName": name, "state": state, **ended, **more}


def failed(name: str, code: int, message: str, *, ran: bool = True, custom: str = "") -> dict[str, Any]:
    seen = [{"state": "PENDING"}, *([{"state": "RUNNING"}] if ran else [])]
    detail = {"executorDetail": {"customJobDetail": {"job": custom}}} if custom else {}
    error = {"code": code, "message": message}
    return task(name, "FAILED", "2026-11-01T00:29:00Z", error=error, pipelineTaskStatus=seen, **detail)


def pipeline(*tasks: dict[str, Any], state: str = "FAILED") -> dict[str, Any]:
    return {
        "name": NAME,
        "displayName": "train",
        "startTime": "2026-11-01T00:00:05Z",
        "endTime": "2026-11-01T00:30:00Z",
        "state": f"PIPELINE_STATE_{state}",
        "jobDetail": {"taskDetails": list(tasks)},
    }


def entries(asked: Asked) -> dict[str, Any]:
    if "job_id" not in asked.body["filter"] or '"77"' not in asked.body["filter"]:
        return {}
    labels = {"job_id": "77", "task_name": "workerpool0-0"}

    def entry(when: str, text: str, severity: str) -> dict[str, Any]:
        return {
            "insertId": when,
            "logName": "projects/my-proj/logs/w",
            "timestamp": when,
            "severity": severity,
            "textPayload": text,
            "resource": {"type": "ml_job", "labels": labels},
        }

    if "pageToken" not in asked.body:
        return {"entries": [entry("2026-11-01T00:28:59Z", TRACE, "ERROR")], "nextPageToken": "more"}
    return {
        "entries": [
            entry("2026-11-01T00:28:00Z", "step 40 loss 0.5", "INFO"),
            entry("2026-11-01T00:27:00Z", "step 39 loss 0.6", "INFO"),
        ]
    }


def routes(record: dict[str, Any]) -> dict[tuple[str, str], Any]:
    custom = {
        "name": CUSTOM,
        "displayName": "train",
        "state": "JOB_STATE_FAILED",
        "startTime": "2026-11-01T00:01:00Z",
        "endTime": "2026-11-01T00:29:00Z",
        "error": {"code": 3, "message": "The replica workerpool0-0 exited with a non-zero status of 1."},
    }
    return {
        ("GET", f"/v1/{NAME}"): lambda _: record,
        ("GET", f"/v1/{CUSTOM}"): lambda _: custom,
        ("POST", "/v2/entries:list"): entries,
    }
