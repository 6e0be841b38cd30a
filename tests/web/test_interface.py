from __future__ import annotations

import json
import time
from pathlib import Path

import jsonschema
import pytest

from runtriage.api.watch import Watch
from runtriage.model.report import Report
from runtriage.web.openapi import description
from tests.web.conftest import Asking
from tests.web.filled import filled
from tests.web.test_pages import FAILED


def test_a_log_is_sent_diagnosed_and_judged_by_a_program(asking: Asking) -> None:
    client = asking()
    sent = client.post("/api/v1/runs?name=train.log", content=FAILED.encode())
    assert sent.status_code == 202
    for _ in range(600):
        job = client.get(sent.headers["location"]).json()
        if job["state"] in {"done", "failed"}:
            break
        time.sleep(0.05)
    assert job["state"] == "done", job
    run = client.get(f"/api/v1/runs/{job['run']}").json()
    report = Report.from_json(client.get(f"/api/v1/runs/{job['run']}/report").content)
    assert (run["primary_cause"], run["target"]) == (report.primary_cause, "upload:train.log")
    said = client.post(f"/api/v1/runs/{job['run']}/feedback", json={"says": "wrong", "cause": "oom", "note": "n"})
    assert said.status_code == 201
    assert client.get(f"/api/v1/runs/{job['run']}").json()["feedback"][0]["cause"] == "oom"
    assert "place" not in run


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b'{"says": "maybe"}', b'{"says": "right", "cause": "oom"}', b'{"says": "fixed"}', b"[1]", b"\xff"],
)
def test_feedback_that_says_nothing_is_refused(asking: Asking, place: Path, body: bytes) -> None:
    (identity,) = filled(place, 1, reports=1)
    answer = asking().post(f"/api/v1/runs/{identity}/feedback", content=body)
    assert answer.status_code == 400
    assert "error" in answer.json()


def test_the_answers_fit_what_the_description_says(asking: Asking, place: Path) -> None:
    filled(place, 100)
    client = asking()
    document = client.get("/api/v1/openapi.json").json()
    for path, name in (("/api/v1/runs?limit=20&page=2", "Runs"), ("/api/v1/fleet", "Fleet")):
        schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        jsonschema.validate(client.get(path).json(), schema)
    assert json.dumps(document) == json.dumps(description())


def test_a_large_upload_tells_how_far_it_is_as_it_is_read(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    advance = Watch.advance

    def heard(self: Watch, done: int, total: int | None, findings: int) -> None:
        read.append(done)
        advance(self, done, total, findings)

    monkeypatch.setattr(Watch, "advance", heard)
    monkeypatch.setattr("runtriage.scan.workers.WORTH", 1)
    client = asking()
    text = b"INFO nothing happens here\n" * 80_000
    location = client.post("/api/v1/runs?name=large.log", content=text).headers["location"]
    for _ in range(1_200):
        if client.get(location).json()["state"] == "done":
            break
        time.sleep(0.05)
    assert len(set(read)) > 2
    assert max(read) == len(text)
