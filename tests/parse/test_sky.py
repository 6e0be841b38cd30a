"""The queue of managed SkyPilot jobs, as JSON and as the table that is printed."""

from __future__ import annotations

import json

import pytest

from runtriage.model.artifact import Artifact
from runtriage.parse import recognise
from tests.parse.documents import parsed

pytestmark = pytest.mark.usefixtures("untouched_world")

HEAD = """Managed jobs
ID  TASK  NAME   REQUESTED   SUBMITTED  TOT. DURATION  JOB DURATION  #RECOVERIES  STATUS        POOL
"""
FAILED = "5   -     train  1x[H100:8]  2 hrs ago  1h 50m 2s      1h 40m 10s    0            FAILED_SETUP  -\n"
DONE = "4   -     eval   1x[H100:1]  3 hrs ago  10m 2s         5m 10s        0            SUCCEEDED     -\n"


def test_the_one_job_of_a_printed_table_has_the_state_of_its_row() -> None:
    found = parsed("queue.txt", "log", (HEAD + FAILED).encode())
    (job,) = found.events
    assert {key: value.raw for key, value in job.captures.items()} == {
        "state": "FAILED_SETUP",
        "job": "train",
        "message": "no reason is kept",
    }
    assert job.citation.first_line == 3
    assert found.cut is None


def test_a_queue_of_several_jobs_says_which_failed_and_blames_none() -> None:
    table = parsed("queue.txt", "log", (HEAD + FAILED + DONE).encode())
    rows = [
        {"job_id": 5, "status": "ManagedJobStatus.FAILED_SETUP", "recovery_count": 0},
        {"job_id": 4, "status": "ManagedJobStatus.SUCCEEDED", "recovery_count": 0},
    ]
    document = parsed("queue.json", "record", json.dumps(rows).encode())
    assert table.events == document.events == []
    said = "a queue of 2 jobs, 1 of them failed: 5 (FAILED_SETUP); keep the one that is meant"
    assert (table.cut, document.cut) == (said, said)


def test_a_log_that_begins_with_a_table_stays_a_log() -> None:
    text = (HEAD + FAILED + "step 1 loss 2.0\n").encode()
    claimed = recognise(Artifact(path="train.log", kind="log"), text)
    assert claimed is None or claimed.id != "sky-table"


def test_a_verbose_table_says_why() -> None:
    head = HEAD.splitlines()[1].replace("POOL", "SCHED. STATE  DETAILS")
    text = f"Managed jobs\n{head}\n{FAILED.rstrip().rstrip('-')}DONE          Failure: no machine has 8 of them\n"
    (job,) = parsed("queue.txt", "log", text.encode()).events
    assert job.captures["message"].raw == "no machine has 8 of them"


def test_what_the_command_says_of_its_server_does_not_hide_the_queue_after_it() -> None:
    cold = (
        b"\x1b[2mFailed to connect to SkyPilot API server at http://127.0.0.1:46580. Starting a local server.\x1b[0m\n"
    )
    started = b"\x1b[0m\x1b[32m\xe2\x9c\x93 SkyPilot API server started. \x1b[0m\x1b[0m\n"
    bare = b'[{"job_id": 2, "status": "FAILED", "failure_reason": "exit 1", "schedule_state": "DONE"}]\n'
    for content in (bare, cold + started + bare, cold + started + b"\x1b[0m" + bare):
        (event,) = parsed("queue.json", "record", content).events
        assert event.captures["state"].raw == "FAILED"
