"""Google's own packages read the stand-in that our client is tested against: its shapes are those of the service."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.servers.answering import answering
from tests.servers.tracking import needs, python_of
from tests.servers.vertex_twin import CUSTOM, NAME, failed, pipeline, routes, task

pytestmark = [pytest.mark.server, needs("tb-gcp-uploader")]

PROGRAM = """
import json, os, sys, urllib.request
from google.auth.credentials import AnonymousCredentials
from google.cloud import aiplatform, aiplatform_v1, logging
from google.protobuf import json_format

url, name, custom = sys.argv[1:]
nobody, place = AnonymousCredentials(), {"api_endpoint": url}
pipelines = aiplatform_v1.PipelineServiceClient(transport="rest", credentials=nobody, client_options=place)
jobs = aiplatform_v1.JobServiceClient(transport="rest", credentials=nobody, client_options=place)
found, job = pipelines.get_pipeline_job(name=name), jobs.get_custom_job(name=custom)
for path, kind in ((name, aiplatform_v1.PipelineJob), (custom, aiplatform_v1.CustomJob)):
    document = urllib.request.urlopen(f"{url}/v1/{path}").read()
    json_format.Parse(document, kind.pb(kind()), ignore_unknown_fields=False)
aiplatform.init(project="my-proj", location="us-central1", credentials=nobody, api_endpoint=url, api_transport="rest")
high = aiplatform.PipelineJob.get(name.rpartition("/")[2])
client = logging.Client(project="my-proj", credentials=nobody, client_options=place, _use_grpc=False)
query = 'resource.type="ml_job" AND resource.labels.job_id="77" AND timestamp>="2026-11-01T00:00:00Z"'
lines = list(client.list_entries(filter_=query, order_by="timestamp desc"))
print(json.dumps({
    "state": found.state.name,
    "error": [found.error.code, found.error.message],
    "high": [high.state.name, high.resource_name],
    "tasks": [[each.task_name, each.state.name, each.error.code, each.error.message,
               each.executor_detail.custom_job_detail.job, [past.state.name for past in each.pipeline_task_status]]
              for each in found.job_detail.task_details],
    "custom": [job.state.name, job.error.code, job.end_time.isoformat()],
    "lines": [[each.timestamp.isoformat(), each.severity, each.payload, each.resource.labels["task_name"]] for each in lines],
}))
"""


def read(url: str, folder: Path) -> dict[str, Any]:
    """What the packages make of the stand-in."""
    python = python_of("tb-gcp-uploader")
    assert python is not None
    program = folder / "program.py"
    program.write_text(PROGRAM)
    words = [python, str(program), url, NAME, CUSTOM]
    done = subprocess.run(words, env={**os.environ}, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_the_packages_of_the_vendor_read_every_field_of_the_stand_in(tmp_path: Path) -> None:
    record = pipeline(
        task("prepare", "SUCCEEDED", "2026-11-01T00:01:00Z"),
        failed("train", 9, "The replica workerpool0-0 exited with a non-zero status of 1.", custom=CUSTOM),
        task("evaluate", "NOT_TRIGGERED"),
    )
    with answering(routes(record)) as server:
        found = read(server.url, tmp_path)
    assert found["state"] == "PIPELINE_STATE_FAILED"
    assert found["high"] == ["PIPELINE_STATE_FAILED", NAME]
    assert [each[:2] for each in found["tasks"]] == [
        ["prepare", "SUCCEEDED"],
        ["train", "FAILED"],
        ["evaluate", "NOT_TRIGGERED"],
    ]
    assert found["tasks"][1][2] == 9
    assert found["tasks"][1][4:] == [CUSTOM, ["PENDING", "RUNNING"]]
    assert found["custom"][:2] == ["JOB_STATE_FAILED", 3]
    assert [each[1] for each in found["lines"]] == ["ERROR", "INFO", "INFO"]
    assert "ValueError: label 12" in found["lines"][0][2]
    assert found["lines"][0][3] == "workerpool0-0"
