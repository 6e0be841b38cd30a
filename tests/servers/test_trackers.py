"""Runs that real trackers recorded: W&B offline, TensorBoard files, and a real MLflow server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import runtriage
from tests.servers.answering import Asked, answering
from tests.servers.slurmd import free_port
from tests.servers.tracking import needs, python_of, run
from tests.targets.test_wandb import graphql

pytestmark = pytest.mark.server

WANDB = """
import os, signal, wandb
how = os.environ["HOW"]
with wandb.init(project="demo", mode="offline", config={"lr": 5e-4}):
    for step in range(400):
        wandb.log({"train/loss": float("nan") if how == "nan" and step > 200 else 2 / (1 + step / 10)})
        print(f"step {step} loss {2 / (1 + step / 10):.4f}", flush=True)
        if step == 300 and how == "raise":
            raise ValueError("label 12 is out of range")
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
"""
BOARD = """
from tensorboardX import SummaryWriter
board = SummaryWriter("runs/train")
for step in range(200):
    board.add_scalar("train/loss", 2 / (1 + step / 20) if step < 150 else float("nan"), step)
    board.add_histogram("weights", [1.0, 2.0], step)
board.add_text("note", "hello")
board.close()
"""
MLFLOW = """
import mlflow, os, signal

TRACE = "step 19 loss 0.7\\nTraceback (most recent call last):\\n  File \\"t.py\\", line 3, in <module>\\n    fit()\\n"
TRACE += "RuntimeError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.12 GiB is free.\\n"

def train(how):
    with mlflow.start_run(run_name=how):
        mlflow.log_params({"lr": 5e-5 if how == "good" else 5e-4})
        for step in range(20):
            mlflow.log_metric("train_loss", float("nan") if how == "nan" and step > 10 else 2 / (1 + step / 10), step=step)
        if how == "raise":
            with open("train.log", "w") as log:
                log.write(TRACE)
            mlflow.log_artifact("train.log")
            raise ValueError("stop")
        if how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)

mlflow.set_experiment("demo")
for how in ("good", "raise", "nan", "kill"):
    try:
        train(how)
    except ValueError:
        pass
"""


@needs("wandb")
@pytest.mark.parametrize(
    ("how", "status", "cause"),
    [
        ("clean", "completed", None),
        ("raise", "crashed", "data-pipeline"),
        ("nan", "diverged", "nan-inf"),
        ("kill", "unknown", None),
    ],
)
def test_an_offline_run_of_wandb(how: str, status: str, cause: str | None, tmp_path: Path) -> None:
    run("wandb", WANDB, tmp_path, HOW=how, WANDB_DIR=str(tmp_path))
    (recorded,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    report = runtriage.diagnose(str(recorded))
    assert (report.run_status, report.primary_cause) == (status, cause)
    assert (report.last_progress.step or 0) > (100 if how == "kill" else 290)


@needs("wandb")
def test_event_files_of_tensorboard_whole_and_torn(tmp_path: Path) -> None:
    assert run("wandb", BOARD, tmp_path) == 0
    report = runtriage.diagnose(str(tmp_path / "runs"))
    assert (report.primary_cause, report.last_progress.step) == ("nan-inf", 199)
    (file,) = (tmp_path / "runs" / "train").glob("*tfevents*")
    file.write_bytes(file.read_bytes()[:-9])
    assert runtriage.diagnose(str(file)).primary_cause == "nan-inf"


CLIENT = """
import json, os, wandb
api = wandb.Api(overrides={"base_url": os.environ["SERVICE"]}, api_key="a" * 40, timeout=30)
run = api.run("team/heron/abc123")
told = {"state": run.state, "sweep": run.sweep_name, "group": run.group, "lr": run.config["lr"]}
told |= {"rows": len(run.history(keys=["train/loss"], pandas=False)), "samples": run.history(stream="system", pandas=False)}
open("told.json", "w").write(json.dumps(told))
"""


@needs("wandb")
def test_the_answers_our_reader_of_wandb_is_tested_with_are_read_by_the_services_own_client(tmp_path: Path) -> None:
    stood_in = graphql([], "failed", log=False)

    def reply(asked: Asked) -> dict[str, Any]:
        query = str(asked.body["query"])
        kinds = {"sampledHistory": "query History(", "events(samples": "query System("}
        ours = next((each for words, each in kinds.items() if words in query), "query Run(")
        body = {"query": ours, "variables": {"run": (asked.body.get("variables") or {}).get("name")}}
        project = stood_in(replace(asked, body=body))["data"]["project"]
        if project["run"] and "state" in project["run"]:
            absent = ("id", "jobType", "commit", "description", "notes", "readOnly")
            project["run"] |= dict.fromkeys(absent) | {
                "tags": [],
                "systemMetrics": "{}",
                "projectId": "1",
                "user": {"name": "owl", "username": "owl"},
            }
        viewer = {"id": "1", "entity": "team", "username": "owl", "flags": "{}", "teams": {"edges": []}}
        return {"data": {"project": project | {"id": "1", "internalId": "1", "name": "heron"}, "viewer": viewer}}

    with answering({("POST", "/graphql"): reply}) as server:
        assert run("wandb", CLIENT, tmp_path, SERVICE=server.url, WANDB_DIR=str(tmp_path)) == 0
    told = json.loads((tmp_path / "told.json").read_text())
    assert (told["state"], told["sweep"], told["group"], told["lr"], told["rows"]) == (
        "failed",
        "lr-search",
        "ablation",
        0.5,
        31,
    )
    assert [each["system.memory_percent"] for each in told["samples"]] == [40, 41, 42, 43, 44]


@pytest.fixture(scope="module")
def tracking(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    folder, port = tmp_path_factory.mktemp("mlflow"), free_port()
    url = f"http://127.0.0.1:{port}"
    python = python_of("mlflow")
    assert python is not None
    words = ["-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    words += [
        "--backend-store-uri",
        f"sqlite:///{folder}/store.db",
        "--artifacts-destination",
        str(folder / "artifacts"),
    ]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [python, *words],
            cwd=folder,
            env={**os.environ, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{url}/health", timeout=2).close()
                break
            except OSError:
                time.sleep(0.3)
        yield url
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


@needs("mlflow")
def test_runs_of_a_real_tracking_server(tracking: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", tracking)
    assert run("mlflow", MLFLOW, tmp_path) == -signal.SIGKILL
    raised = runtriage.diagnose("mlflow:raise")
    assert (raised.run_status, raised.failure_mode, raised.last_progress.step) == ("crashed", "oom/gpu-alloc", 19)
    assert raised.root_evidence is not None and raised.root_evidence.artifact == "artifacts/train.log"
    assert any("lr 5e-05 there, 0.0005 here" in line for line in raised.platform_lines)
    assert runtriage.diagnose("mlflow:nan").primary_cause == "nan-inf"
    assert runtriage.diagnose("mlflow:kill").run_status == "running"
    assert runtriage.diagnose("mlflow:good").run_status == "completed"
