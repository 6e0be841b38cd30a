"""Containers that serve the one that trains do not stand for the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtriage.api.diagnosis import diagnose


def ended(name: str, code: int, reason: str) -> dict[str, Any]:
    end = {"exitCode": code, "reason": reason, "finishedAt": "2026-11-14T05:00:00Z"}
    return {"name": name, "image": "i", "restartCount": 0, "state": {"terminated": end}, "lastState": {}}


def pod(tmp_path: Path, *containers: dict[str, Any]) -> Path:
    status = {"phase": "Failed", "containerStatuses": list(containers)}
    spec = {"containers": [{"name": one["name"], "image": "i"} for one in containers]}
    document = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p-0"}, "spec": spec, "status": status}
    (tmp_path / "pod.json").write_text(json.dumps(document))
    return tmp_path


@pytest.mark.parametrize("helper", ["istio-proxy", "fluent-bit", "log-shipper", "metrics-agent", "otel-collector"])
def test_a_helper_that_ran_out_of_memory_is_no_failure_of_the_run(tmp_path: Path, helper: str) -> None:
    found = diagnose(str(pod(tmp_path, ended("main", 0, "Completed"), ended(helper, 137, "OOMKilled"))))
    assert found.primary_cause is None


def test_the_main_container_that_ran_out_of_memory_is_one(tmp_path: Path) -> None:
    found = diagnose(str(pod(tmp_path, ended("main", 137, "OOMKilled"), ended("istio-proxy", 0, "Completed"))))
    assert found.failure_mode == "oom/k8s-oomkilled"


def test_a_helper_counts_where_the_main_container_failed_too(tmp_path: Path) -> None:
    found = diagnose(str(pod(tmp_path, ended("main", 1, "Error"), ended("vector", 137, "OOMKilled"))))
    assert found.primary_cause is not None
