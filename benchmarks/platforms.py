"""`python -m benchmarks.platforms`: seconds, memory and requests of reading platforms at full size, from servers on this machine.

A Run:ai workload of 1,000 pods and 5,000 records over MCP, a Kubernetes job of 1,000 pods through kubectl, and 2,000 workflow runs with 100,000
objects in S3. The servers answer at once, so that what is measured is the program and its number of requests.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.servers import kube_build, runai_build
from tests.servers.kube_server import KubeServer
from tests.servers.runai_mcp import over_http
from tests.servers.runai_replay import CLUSTER
from tests.servers.s3 import S3Server
from tests.servers.workflow_proxy import Proxy

from benchmarks.__main__ import Run, median, run

PODS, RECORDS, RUNS, OBJECTS = 1_000, 5_000, 2_000, 100_000
Measured = tuple[list[str], Callable[[], int]]
"""A command, and how many requests the server has had so far."""


@contextmanager
def workload() -> Iterator[Measured]:
    """Serve a Run:ai workload whose records all lie within the look-back."""
    records = [runai_build.record("BackOff", "Back-off restarting failed container", n) for n in range(RECORDS)]
    records[0] = runai_build.record("OOMKilled", "Container main was OOMKilled with exit code 137.")
    pods = [runai_build.pod("Error", f"job-{n}") for n in range(PODS)]
    made = runai_build.run(1, "Failed", "OOMKilled", "Container main was OOMKilled.", records=records, pods=pods)
    replay = runai_build.one(made)()
    with over_http(replay) as url:
        asked = ["--cluster-id", CLUSTER, "--workload-id", runai_build.identity(1), "--as-of", runai_build.AS_OF]
        yield [*_own(), "runai", *asked, "--mcp", url, "--exit-zero"], lambda: len(replay.calls)


@contextmanager
def gang(folder: Path) -> Iterator[Measured]:
    """Serve a job all of whose pods failed, one of them first."""
    end = kube_build.ended(1, at="2026-05-20T12:05:00Z")
    pods = [kube_build.pod(f"tr-{n:04}", "Failed", kube_build.container(end)) for n in range(PODS)]
    pods[700] = kube_build.pod("tr-0700", "Failed", kube_build.container(kube_build.ended(137, "OOMKilled")))
    for each in pods:
        each["metadata"]["labels"] = {"job-name": "tr"}
    job = kube_build.job("batch/v1", "Job", "tr")
    events = [kube_build.event(n, f"tr-{n % PODS:04}", "BackOff", "Back-off restarting") for n in range(RECORDS)]
    with KubeServer(objects=[job, *pods, *events, kube_build.node()]) as server:
        os.environ["KUBECONFIG"] = str(server.kubeconfig(folder))
        yield [*_own(), "k8s", "job/tr", "-n", "ml", "--exit-zero"], lambda: len(server.requests)


@contextmanager
def runs(folder: Path) -> Iterator[Measured]:
    """Serve the runs of a bucket from a folder, which is written on first use."""
    if not (folder / "done").exists():
        for number in range(RUNS):
            _written(folder / "store" / "many" / "runs" / f"run-{number:04}")
        (folder / "done").touch()
    with S3Server(folder / "store") as storage, Proxy(storage.port) as proxy:
        os.environ.update(storage.environment(proxy.own_port))
        yield [*_own(), "workflow", "list", "s3://many/runs"], lambda: len(proxy.requests)


def _written(base: Path) -> None:
    manifest = {"schema_version": "npa.workflow.run.v1", "workflow": "w", "run_id": base.name, "status": "failed"}
    (base / "npa-workflow").mkdir(parents=True)
    stamp = f"2026-11-20T{int(base.name[-4:]) % 24:02}:00:00Z"
    content = json.dumps({**manifest, "steps": [], "updated_at": stamp})
    (base / "npa-workflow" / "manifest.json").write_text(content, encoding="utf-8")
    (base / "out").mkdir()
    for number in range(OBJECTS // RUNS - 1):
        (base / "out" / f"{number:03}.bin").write_bytes(b"x")


def _own() -> list[str]:
    return [sys.executable, "-m", "runtriage"]


def row(name: str, measured: Measured, count: int) -> str:
    """Measure one case after one warm-up and return its line of the table."""
    command, requests = measured
    run(command)
    before, found = requests(), list[Run]()
    for _ in range(count):
        found.append(run(command))
    own = median(found)
    return f"{name:<46}{own.wall:>9.2f}{own.cpu:>9.2f}{own.memory:>8.0f}{(requests() - before) // count:>10,}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.platforms", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="counted runs of each command (default 3)")
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="where inputs are kept")
    chosen = parser.parse_args()
    print(f"{'case':<46}{'wall s':>9}{'cpu s':>9}{'MB':>8}{'requests':>10}")
    with TemporaryDirectory() as home:
        os.environ["HOME"] = home
        with workload() as measured:
            print(row(f"Run:ai: {PODS:,} pods, {RECORDS:,} records", measured, chosen.runs), flush=True)
        with gang(Path(home)) as measured:
            print(row(f"Kubernetes: {PODS:,} pods of one job", measured, chosen.runs), flush=True)
        with runs(chosen.folder / "workflow-runs") as measured:
            print(row(f"S3: {RUNS:,} runs, {OBJECTS:,} objects", measured, chosen.runs), flush=True)


if __name__ == "__main__":
    main()
