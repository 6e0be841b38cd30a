"""A run of a tracking server: record, metrics, artifacts, comparison, and what is said when something cannot be had."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import runtriage
from runtriage.targets.errors import TargetError
from runtriage.targets.grammar import parse
from runtriage.targets.http_client import HttpClient
from runtriage.targets.mlflow import open_target
from tests.servers.answering import Asked, Status, answering

RUN = "0123456789abcdef0123456789abcdef"
API = "/api/2.0/mlflow"
SAMPLES = "/ajax-api/2.0/mlflow/metrics/get-history-bulk-interval"
START = 1_700_000_000_000


def run(status: str = "FAILED", **params: str) -> dict[str, Any]:
    info = {
        "run_id": RUN,
        "run_name": "bold-owl",
        "experiment_id": "7",
        "status": status,
        "start_time": START,
        "lifecycle_stage": "active",
    }
    metric = {"key": "train_loss", "value": 1.0, "timestamp": START + 60_000, "step": 30}
    held = {"metrics": [metric], "params": [{"key": name, "value": value} for name, value in params.items()]}
    return {"info": info, "data": held}


def history(_: Asked) -> dict[str, object]:
    values = [
        {"key": "train_loss", "value": 2 - step / 30, "timestamp": START + step * 1000, "step": step}
        for step in range(31)
    ]
    return {"metrics": values}


def routes(record: dict[str, object], good: dict[str, object] | None = None) -> dict[tuple[str, str], object]:
    log = b'step 30 loss 1.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nValueError: bad label\n'
    return {
        ("GET", f"{API}/runs/get"): lambda _: {"run": record},
        ("POST", f"{API}/runs/search"): lambda _: {"runs": [good] if good else []},
        ("GET", f"{API}/experiments/get"): lambda _: {"experiment": {"experiment_id": "7", "name": "fine-tuning"}},
        ("GET", SAMPLES): history,
        ("GET", f"{API}/metrics/get-history"): history,
        ("GET", f"{API}/artifacts/list"): lambda asked: (
            {"files": [{"path": "out", "is_dir": True}, {"path": "model.pt", "is_dir": False, "file_size": 9}]}
            if not asked.params.get("path")
            else {"files": [{"path": "out/train.log", "is_dir": False, "file_size": len(log)}]}
        ),
        ("GET", "/get-artifact"): lambda _: log,
    }


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("USERNAME", "PASSWORD", "TOKEN", "INSECURE_TLS"):
        monkeypatch.delenv(f"MLFLOW_TRACKING_{name}", raising=False)


def test_a_failed_run_is_read_whole_and_compared_with_the_last_good_one(monkeypatch: pytest.MonkeyPatch) -> None:
    good = run("FINISHED", lr="0.00005")
    with answering(routes(run(lr="0.0005"), good)) as server:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
        report = runtriage.diagnose(f"mlflow:{RUN}")
    assert (report.run_status, report.last_progress.step) == ("crashed", 30)
    assert {item.citation.artifact for item in report.evidence} >= {"artifacts/out/train.log", "run.json"}
    belongs, left, line = report.platform_lines
    assert (belongs, left) == ("Experiment: fine-tuning", "Artifacts: model.pt, out/train.log")
    assert line.startswith("Last good run: bold-owl")
    assert "lr 0.00005 there, 0.0005 here" in line
    assert not server.refused


def test_a_run_that_finished_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    found = routes(run("FINISHED"))
    found["GET", f"{API}/artifacts/list"] = lambda _: {}
    with answering(found) as server:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
        report = runtriage.diagnose(f"mlflow:{RUN}")
    assert (report.run_status, report.primary_cause) == ("completed", None)


def test_the_address_of_the_page_of_a_run_is_a_target() -> None:
    with answering(routes(run())) as server:
        address = f"mlflow:{server.url}/#/experiments/7/runs/{RUN}"
        with open_target(parse(address), {}) as target:
            kinds = [request.kind for request in target.first_requests()]
        assert kinds == [
            "mlflow-run",
            "mlflow-metrics",
            "mlflow-artifacts",
        ]


def test_a_name_finds_the_newest_run_of_that_name() -> None:
    found = routes(run(), run())
    found["POST", f"{API}/experiments/search"] = lambda _: {"experiments": [{"experiment_id": "7"}]}
    with answering(found) as server:
        open_target(parse("mlflow:bold-owl"), {"MLFLOW_TRACKING_URI": server.url}).__exit__(None, None, None)
    assert server.asked[1].body["filter"] == "attributes.run_name = 'bold-owl'"


@pytest.mark.parametrize(("code", "exit_code"), [(401, 4), (403, 4), (404, 3), (503, 4)])
def test_a_run_that_cannot_be_had_ends_with_its_exit_code(
    code: int, exit_code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HttpClient.__init__.__kwdefaults__, "pause", lambda _: None)

    def refuse(_: Asked) -> None:
        raise Status(code)

    with answering({("GET", f"{API}/runs/get"): refuse}) as server, pytest.raises(TargetError) as error:
        open_target(
            parse(f"mlflow:{RUN}"), {"MLFLOW_TRACKING_URI": server.url, "MLFLOW_TRACKING_TOKEN": "hunter2hunter2"}
        )
    assert error.value.code == exit_code
    assert "hunter2" not in str(error.value)


def test_artifacts_that_may_not_be_read_leave_the_rest_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Asked) -> None:
        raise Status(403)

    found = routes(run())
    found["GET", f"{API}/artifacts/list"] = refuse
    with answering(found) as server:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
        report = runtriage.diagnose(f"mlflow:{RUN}")
    assert report.run_status == "crashed"
    assert any("403" in item for item in report.coverage.not_seen)


def test_a_server_that_is_away_does_not_take_a_log_beside_it_down(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HttpClient.__init__.__kwdefaults__, "pause", lambda _: None)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    log = tmp_path / "train.log"
    log.write_text('step 1 loss 2\nTraceback (most recent call last):\n  File "t.py", line 1, in f\nValueError: bad\n')
    report = runtriage.diagnose([f"mlflow:{RUN}", str(log)])
    assert report.run_status == "crashed"
    assert any("cannot be reached" in item for item in report.coverage.not_seen)


def test_credentials_are_not_sent_in_the_clear() -> None:
    with pytest.raises(TargetError, match="not encrypted"):
        open_target(
            parse(f"mlflow:{RUN}"), {"MLFLOW_TRACKING_URI": "http://tracker.example", "MLFLOW_TRACKING_TOKEN": "x"}
        )


def test_without_a_store_the_way_out_is_named(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TargetError, match="MLFLOW_TRACKING_URI") as error:
        open_target(parse(f"mlflow:{RUN}"), {})
    assert error.value.code == 2


def test_a_folder_of_runs_gives_the_one_that_is_named(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, status in ((RUN, 4), ("f" * 32, 3)):
        folder = tmp_path / "mlruns" / "7" / name
        (folder / "metrics").mkdir(parents=True)
        (folder / "params").mkdir()
        (folder / "tags").mkdir()
        (folder / "tags" / "mlflow.user").write_text("me")
        (folder / "params" / "lr").write_text("0.1")
        (folder / "meta.yaml").write_text(f"run_id: {name}\nstatus: {status}\nend_time: {START}\n")
        (folder / "metrics" / "train_loss").write_text("1700000000000 2.0 0\n1700000001000 1.0 40\n")
    report = runtriage.diagnose(f"mlflow:{RUN}")
    assert (report.run_status, report.last_progress.step, report.coverage.files) == ("crashed", 40, 4)
    assert report.root_evidence is not None and report.root_evidence.artifact == f"mlruns/7/{RUN}/meta.yaml"
    assert runtriage.diagnose(f"mlflow:{'f' * 32}").run_status == "completed"


def long_history(asked: Asked, wild: int | None) -> dict[str, object]:
    """5,000 values, of which one may be no number: down-sampled to every second one where so few are asked for."""
    stride = 2 if asked.params["max_results"] == "2500" else 1
    return {
        "metrics": [
            {
                "key": "train_loss",
                "value": "NaN" if wild is not None and step >= wild else 1.0,
                "timestamp": START + step,
                "step": step,
            }
            for step in range(0, 5_000, stride)
        ]
    }


def test_a_long_history_is_asked_for_whole_only_where_values_are_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    for wild, sampled in ((None, True), (4_001, False)):
        found = routes(run())
        found["GET", SAMPLES] = found["GET", f"{API}/metrics/get-history"] = lambda asked, at=wild: long_history(
            asked, at
        )
        with answering(found) as server:
            monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
            report = runtriage.diagnose(f"mlflow:{RUN}")
        assert any("down-sampled" in item for item in report.coverage.not_seen) is sampled
        assert report.last_progress.step == (4_998 if sampled else 4_999)


def test_a_server_that_cannot_sample_is_asked_for_the_history_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    found = routes(run())
    del found["GET", SAMPLES]
    with answering(found) as server:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
        report = runtriage.diagnose(f"mlflow:{RUN}")
    assert report.last_progress.step == 30


def store(root: Path, runs: dict[str, tuple[int, int, str]]) -> None:
    """Lay down a store: each run by id with its status, its start and its learning rate."""
    (root / "mlruns" / "7").mkdir(parents=True)
    (root / "mlruns" / "7" / "meta.yaml").write_text("experiment_id: '7'\nname: fine-tuning\n")
    for name, (status, start, lr) in runs.items():
        folder = root / "mlruns" / "7" / name
        (folder / "metrics").mkdir(parents=True)
        (folder / "params").mkdir()
        (folder / "params" / "lr").write_text(lr)
        ended = f"end_time: {start + 5}\n" if status in (3, 4) else ""
        (folder / "meta.yaml").write_text(
            f"run_id: {name}\nrun_name: owl\nstatus: {status}\nstart_time: {start}\n{ended}"
        )
        (folder / "metrics" / "train_loss").write_text(f"{start} 2.0 0\n{start + 1} 1.0 40\n")


def test_a_run_that_its_folder_calls_running_is_silent_once_nothing_was_written_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store(tmp_path, {RUN: (1, START, "0.1")})
    assert runtriage.diagnose(f"mlflow:{RUN}").run_status == "running"
    written = tmp_path / "mlruns" / "7" / RUN / "metrics" / "train_loss"
    os.utime(written, (1_700_000_000, 1_700_000_000))
    report = runtriage.diagnose(f"mlflow:{RUN}")
    assert (report.run_status, report.failure_mode) == ("crashed", "crash/sigkill-unknown")
    assert "its last value came" in report.evidence[0].claim


def test_a_folder_tells_the_experiment_and_what_its_last_good_run_had_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store(
        tmp_path,
        {
            "a" * 32: (3, START - 900, "0.3"),
            "b" * 32: (3, START - 500, "0.2"),
            RUN: (4, START, "0.1"),
            "c" * 32: (3, START + 500, "0.4"),
        },
    )
    report = runtriage.diagnose(f"mlflow:{RUN}")
    assert "Experiment: fine-tuning" in report.platform_lines
    assert any(
        line.startswith("Last good run: owl") and "lr 0.2 there, 0.1 here" in line for line in report.platform_lines
    )


def test_a_name_finds_the_newest_run_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store(tmp_path, {"a" * 32: (3, START - 900, "0.3"), RUN: (4, START, "0.1")})
    report = runtriage.diagnose("mlflow:owl")
    assert report.root_evidence is not None
    assert report.root_evidence.artifact == f"mlruns/7/{RUN}/meta.yaml"
    with pytest.raises(TargetError, match="holds no run") as error:
        runtriage.diagnose("mlflow:bat")
    assert error.value.code == 3


def database(path: Path, status: str) -> None:
    """Write a store in one file: a good run, then one with a status of its own."""
    with sqlite3.connect(path) as held:
        held.executescript(
            "CREATE TABLE experiments (experiment_id, name); INSERT INTO experiments VALUES (7, 'fine-tuning');"
            "CREATE TABLE runs (run_uuid, name, status, start_time, end_time, experiment_id);"
            "CREATE TABLE params (key, value, run_uuid);"
            "CREATE TABLE metrics (key, value, timestamp, run_uuid, step, is_nan);"
            f"INSERT INTO runs VALUES ('good', 'bat', 'FINISHED', {START - 900}, {START - 800}, 7), ('r1', 'owl', '{status}', {START}, NULL, 7);"
            "INSERT INTO params VALUES ('lr', '0.2', 'good'), ('lr', '0.1', 'r1');"
            f"INSERT INTO metrics VALUES ('loss', 1.0, {START}, 'r1', 0, 0), ('loss', 0.5, {START + 1}, 'r1', 1, 0);"
        )


def test_a_run_in_a_database_that_is_open_and_silent_is_told_with_its_last_good_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    database(tmp_path / "mlflow.db", "RUNNING")
    report = runtriage.diagnose("mlflow:owl")
    assert (report.run_status, report.failure_mode) == ("crashed", "crash/sigkill-unknown")
    assert "Experiment: fine-tuning" in report.platform_lines
    assert any("lr 0.2 there, 0.1 here" in line for line in report.platform_lines)


def test_one_artifact_and_one_metric_that_are_refused_leave_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    record = run()
    record["data"]["metrics"].append({"key": "a/b", "value": 1.0, "timestamp": START, "step": 1})
    found = routes(record)
    log = found["GET", "/get-artifact"]

    def refusing(reply, name: str, code: int):
        def answer(asked: Asked):
            if name in asked.params.values():
                raise Status(code)
            return reply(asked)

        return answer

    for path in (SAMPLES, f"{API}/metrics/get-history"):
        found["GET", path] = refusing(history, "a/b", 400)
    files = [{"path": "a.log", "file_size": "9"}, {"path": "b.log", "file_size": "word"}]
    found["GET", f"{API}/artifacts/list"] = lambda _: {"files": files}
    found["GET", "/get-artifact"] = refusing(log, "a.log", 404)
    with answering(found) as server:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
        report = runtriage.diagnose(f"mlflow:{RUN}")
    assert report.root_evidence is not None and report.root_evidence.artifact == "artifacts/b.log"
    assert "metrics/train_loss.json" in {read.artifact for read in report.coverage.artifacts}
    assert any("1 of 2 metrics could not be had: MLflow" in item for item in report.coverage.not_seen)
    assert any("1 of the artifacts could not be had: MLflow" in item for item in report.coverage.not_seen)


def test_a_failed_run_whose_only_log_is_refused_is_doubted_and_the_log_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: Asked) -> None:
        raise Status(404)

    read = routes(run())
    refused = read | {("GET", "/get-artifact"): gone}
    without = read | {("GET", f"{API}/artifacts/list"): lambda _: {"files": []}}
    reports: list[runtriage.Report] = []
    for found in (refused, without, read):
        with answering(found) as server:
            monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
            reports.append(runtriage.diagnose(f"mlflow:{RUN}"))
    lost, silent, told = reports
    assert (lost.run_status, lost.primary_cause, lost.confidence) == ("crashed", "process-crash", "low")
    assert lost.missing[0].why.startswith("out/train.log: it could not be had")
    assert (silent.primary_cause, silent.confidence) == ("process-crash", "high")
    assert "out/train.log" not in "".join(item.why for item in (*silent.missing, *told.missing))


def test_a_server_that_fails_at_each_metric_is_not_asked_for_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HttpClient.__init__.__kwdefaults__, "pause", lambda _: None)
    record = run()
    record["data"]["metrics"] = [{"key": f"m{at}", "value": 1.0, "timestamp": START, "step": 1} for at in range(50)]

    def fail(_: Asked) -> None:
        raise Status(500)

    found = routes(record) | {("GET", SAMPLES): fail, ("GET", f"{API}/metrics/get-history"): fail}
    with answering(found) as server:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
        report = runtriage.diagnose(f"mlflow:{RUN}")
    assert report.run_status == "crashed"
    assert sum("metrics" in asked.path for asked in server.asked) < 30


def test_folders_and_pages_of_artifacts_that_lead_back_to_themselves_end(monkeypatch: pytest.MonkeyPatch) -> None:
    found = routes(run())
    files = [{"path": "out", "is_dir": True}, {"path": "out/train.log", "is_dir": False, "file_size": 9}]
    found["GET", f"{API}/artifacts/list"] = lambda _: {"files": files, "next_page_token": "again"}
    with answering(found) as server:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
        report = runtriage.diagnose(f"mlflow:{RUN}")
    assert report.run_status == "crashed"
    assert sum("artifacts/list" in asked.path for asked in server.asked) == 4


def test_a_name_is_looked_for_in_all_pages_of_experiments() -> None:
    pages = {
        "": {"experiments": [{"experiment_id": "1"}], "next_page_token": "b"},
        "b": {"experiments": [{"experiment_id": "2"}]},
    }
    found = routes(run(), run())
    found["POST", f"{API}/experiments/search"] = lambda asked: pages[asked.body.get("page_token", "")]
    with answering(found) as server:
        open_target(parse("mlflow:owl's"), {"MLFLOW_TRACKING_URI": server.url}).__exit__(None, None, None)
    assert server.asked[2].body["experiment_ids"] == ["1", "2"]
    assert server.asked[2].body["filter"] == 'attributes.run_name = "owl\'s"'


@pytest.mark.parametrize("uri", ["databricks", "databricks://profile", "ftp://host/x"])
def test_a_store_of_another_kind_is_said_to_be_none_that_is_read(uri: str) -> None:
    with pytest.raises(TargetError, match="a scheme that is not read here") as error:
        open_target(parse(f"mlflow:{RUN}"), {"MLFLOW_TRACKING_URI": uri})
    assert error.value.code == 2
