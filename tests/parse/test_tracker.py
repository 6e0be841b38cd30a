"""What trackers record of a run: a sign of life that is missing, settings that differ, a store in one file."""

from __future__ import annotations

import json
import math
import sqlite3

import pytest

from runtriage.model.artifact import Artifact
from runtriage.parse import recognise
from runtriage.parse.document import Parsed
from tests.parse.documents import Bytes, parsed

pytestmark = pytest.mark.usefixtures("untouched_world")
START = 1_700_000_000_000


def running(seen_after: float) -> Parsed:
    info = {"run_id": "a", "status": "RUNNING", "lifecycle_stage": "active", "start_time": START}
    metrics = [{"key": "loss", "value": "NaN", "timestamp": START + 60_000, "step": 3}]
    record = {"run": {"info": info, "data": {"metrics": metrics}}, "fetched_at": START / 1000 + 60 + seen_after}
    return parsed("run.json", "record", json.dumps(record).encode())


def test_a_run_that_is_open_and_silent_is_told_from_one_that_goes_on() -> None:
    (silent,) = running(7200).events
    assert (silent.captures["reason"].raw, silent.captures["message"].raw) == ("silent", "2 h 0 min")
    assert silent.numbers["silent_seconds"] == 7200
    (live,) = running(60).events
    assert "reason" not in live.captures


def test_a_history_is_a_series_in_order_of_step_with_words_as_numbers() -> None:
    rows = [
        {"key": "loss", "value": value, "timestamp": START, "step": step}
        for step, value in ((2, "NaN"), (1, 0.5), (3, "Infinity"))
    ]
    content = json.dumps({"metric_history": "loss", "metrics": rows}).encode()
    (series,) = parsed("metrics/loss.json", "metrics", content).series
    assert [point.step for point in series.points] == [1, 2, 3]
    assert math.isnan(series.points[1].value)
    assert series.nonfinite == 2


def database() -> bytes:
    held = sqlite3.connect(":memory:")
    held.executescript(
        "CREATE TABLE runs (run_uuid, name, status, start_time, end_time);"
        "CREATE TABLE params (key, value, run_uuid);"
        "CREATE TABLE metrics (key, value, timestamp, run_uuid, step, is_nan);"
        f"INSERT INTO runs VALUES ('r1', 'owl', 'FAILED', {START}, {START + 1000});"
        "INSERT INTO params VALUES ('lr', '0.1', 'r1');"
        f"INSERT INTO metrics VALUES ('loss', 1.0, {START}, 'r1', 0, 0), ('loss', 0, {START}, 'r1', 1, 1);"
    )
    return held.serialize()


def read_database(content: bytes, name: str) -> Parsed:
    artifact = Artifact(path=f"mlflow.db/{name}", kind="record", source="mlflow-run")
    parser = recognise(artifact, content[:65_536])
    assert parser is not None
    return parser.read(artifact, Bytes(content))


@pytest.mark.parametrize("name", ["r1", "owl"])
def test_a_run_is_picked_out_of_a_database_by_id_or_name(name: str) -> None:
    found = read_database(database(), name)
    assert found.events[0].captures["state"].raw == "FAILED"
    assert [setting.name for setting in found.settings] == ["lr"]
    assert (found.series[0].total, found.series[0].nonfinite) == (2, 1)


def test_a_database_without_the_run_and_one_that_is_damaged_say_so() -> None:
    assert "no run" in (read_database(database(), "r9").cut or "")
    assert "cannot be read" in (read_database(database()[:5000], "r1").cut or "")


def test_a_database_made_to_run_for_ever_is_left() -> None:
    held = sqlite3.connect(":memory:")
    held.executescript(
        "CREATE VIEW runs AS WITH RECURSIVE n(run_uuid) AS (SELECT 1 UNION ALL SELECT run_uuid + 1 FROM n)"
        " SELECT run_uuid, '' AS name, '' AS status, 0 AS start_time, 0 AS end_time FROM n;"
    )
    from runtriage.parse import tracker_database

    before, tracker_database._STEPS = tracker_database._STEPS, 3_000_000
    try:
        assert "cannot be read" in (read_database(held.serialize(), "r1").cut or "")
    finally:
        tracker_database._STEPS = before
