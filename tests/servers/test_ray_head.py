"""Jobs of a real Ray: a task that raises, an actor that dies, a worker that its memory monitor kills, and one that ends well."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

import runtriage
from tests.servers.rayhead import Ray, ray_head
from tests.servers.tracking import needs

pytestmark = [pytest.mark.server, needs("ray")]

TASK = """
import ray
ray.init(address="auto")

@ray.remote(max_retries=0)
def fit(step):
    print(f"step {step} loss {2 / (1 + step)}", flush=True)
    if step == 3:
        raise ValueError("label 12 is out of range for 10 classes")

for step in range(5):
    ray.get(fit.remote(step))
"""
ACTOR = """
import os, ray, signal
ray.init(address="auto")

@ray.remote
class Trainer:
    def step(self, step):
        print(f"step {step} loss {2 / (1 + step)}", flush=True)
        if step == 3:
            os.kill(os.getpid(), signal.SIGKILL)

trainer = Trainer.remote()
for step in range(5):
    ray.get(trainer.step.remote(step))
"""
MEMORY = """
import ray, time
ray.init(address="auto")

@ray.remote(max_retries=0)
def fit():
    held = []
    for step in range(400):
        held.append(b"x" * (25 << 20))
        print(f"step {step} loss {2 / (1 + step)}", flush=True)
        time.sleep(0.02)

ray.get(fit.remote())
"""
CLEAN = """
import ray
ray.init(address="auto")

@ray.remote
def fit(step):
    return 2 / (1 + step)

for step in range(3):
    print(f"step {step} loss {ray.get(fit.remote(step))}", flush=True)
"""


@pytest.fixture(scope="module")
def head() -> Generator[Ray]:
    with ray_head() as running:
        yield running


def test_a_task_that_raises_is_diagnosed_from_its_exception(head: Ray, tmp_path: Path) -> None:
    record = head.job("raises", TASK)
    assert record["status"] == "FAILED"
    report = runtriage.diagnose(f"ray:{head.url}/raises")
    assert (report.run_status, report.primary_cause, report.last_progress.step) == ("crashed", "data-pipeline", 3)
    assert report.root_evidence is not None
    assert report.root_evidence.artifact == "job-driver-raises.log"
    assert not report.coverage.not_seen
    (tmp_path / "job.json").write_text(json.dumps(record))
    assert runtriage.diagnose(str(tmp_path / "job.json")).primary_cause == "data-pipeline"


def test_an_actor_that_dies_is_no_lack_of_memory_because_advice_names_it(head: Ray) -> None:
    head.job("dies", ACTOR)
    report = runtriage.diagnose(f"ray:{head.url}/dies")
    assert (report.run_status, report.failure_mode) == ("crashed", "orch/ray-actor-died")
    assert not any("causes include" in item.claim for item in report.evidence)


def test_a_worker_that_the_memory_monitor_kills_is_an_oom(head: Ray) -> None:
    record = head.job("memory", MEMORY)
    assert "memory" in record["message"]
    report = runtriage.diagnose(f"ray:{head.url}/memory")
    assert (report.primary_cause, report.failure_mode) == ("oom", "oom/ray-memory-monitor")


def test_a_job_that_ends_well_is_no_failure(head: Ray) -> None:
    head.job("clean", CLEAN)
    report = runtriage.diagnose(f"ray:{head.url}/clean")
    assert (report.run_status, report.primary_cause) == ("completed", None)


def test_the_log_folder_of_a_session_tells_what_failed_in_it(head: Ray) -> None:
    report = runtriage.diagnose(f"ray:{head.session}")
    assert report.run_status == "crashed"
    assert report.primary_cause in ("oom", "data-pipeline")
