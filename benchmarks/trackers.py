"""`python -m benchmarks.trackers`: a run of a tracker, from the first question to the whole report, in processes of their own.

A server on loopback answers as MLflow does: 200 metrics, each with 100,000 values, of which a history longer than it gives at once comes down-sampled, as the real one does.
The same run as a folder `mlruns` has every value. An event file and an offline run hold 50 metrics with 100,000 values each (`--values`). Printed: seconds from the last answer of the server to the first line of the report, seconds of the whole, and the most memory.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

from tests.parse import tracker_files as made

METRICS, VALUES, PAGE, SAMPLED = 200, 100_000, 25_000, 2_500
FILED = 50
"""Metrics of an event file and of an offline run."""
RUN = "0123456789abcdef0123456789abcdef"
_START = 1_700_000_000_000


def name_of(metric: int) -> str:
    """Return the name of a metric: a few losses and scores, norms of layers, samples of the machine, and what users make up."""
    if metric % 20 == 19:
        return f"head{metric}/loss"
    kinds = ("layer{}/grad_norm", "system/gpu_{}_utilization", "tokens/part{}", "router/load{}")
    return kinds[metric % 4].format(metric)


def values(metric: int, count: int, stride: int = 1) -> list[dict[str, object]]:
    """Return values of one metric as the server answers them; the last one ends in NaN."""
    found: list[dict[str, object]] = []
    key = name_of(metric)
    for step in range(0, count * stride, stride):
        wild = metric == METRICS - 1 and step > count * stride * 0.9
        value: object = "NaN" if wild else 2.0 / (1 + step / 1000) + metric / 100
        found.append({"key": key, "value": value, "timestamp": _START + step, "step": step})
    return found


def answers() -> dict[str, bytes]:
    """Return what the server says, by path and metric, made before anything is measured."""
    last = [{"key": name_of(each), "value": 0.1, "timestamp": _START, "step": VALUES} for each in range(METRICS)]
    info = {
        "run_id": RUN,
        "run_name": "owl",
        "experiment_id": "7",
        "status": "FAILED",
        "start_time": _START,
        "lifecycle_stage": "active",
    }
    told: dict[str, object] = {
        "runs/get": {"run": {"info": info, "data": {"metrics": last}}},
        "runs/search": {"runs": []},
        "experiments/get": {"experiment": {"name": "benchmark"}},
        "artifacts/list": {"files": []},
    }
    for each in range(METRICS):
        told[f"metrics/get-history {name_of(each)}"] = {"metrics": values(each, PAGE), "next_page_token": "more"}
        sampled = values(each, SAMPLED, VALUES // SAMPLED)
        told[f"metrics/get-history-bulk-interval {name_of(each)}"] = {"metrics": sampled}
    return {name: json.dumps(answer).encode() for name, answer in told.items()}


def serve() -> None:
    """Answer on a port of loopback, which is printed, until ended; `/last` tells when anything else was answered last."""
    told, answered = answers(), [0.0]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            parts = urlsplit(self.path)
            metric = parse_qs(parts.query).get("metric_key", [""])[0]
            name = parts.path.partition("/mlflow/")[2]
            body = told.get(f"{name} {metric}".strip(), b"{}")
            if parts.path == "/last":
                body = str(answered[0]).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            if parts.path != "/last":
                answered[0] = time.monotonic()

        do_GET = do_POST = _answer

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


@contextmanager
def serving() -> Generator[str]:
    """Run the server in a process of its own: what it holds does not count."""
    child = subprocess.Popen([sys.executable, "-m", "benchmarks.trackers", "--serve"], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        yield child.stdout.readline().decode().strip()
    finally:
        child.kill()
        child.communicate()


def folder(root: Path) -> None:
    """Write the run as a store in a folder, every value of every metric."""
    run = root / "mlruns" / "7" / RUN
    (run / "metrics").mkdir(parents=True)
    (run / "meta.yaml").write_text(
        f"run_id: {RUN}\nrun_name: owl\nstatus: 4\nstart_time: {_START}\nend_time: {_START + 9}\n"
    )
    for each in range(METRICS):
        path = run / "metrics" / name_of(each)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as file:
            for start in range(0, VALUES, 1000):
                file.writelines(
                    f"{_START + step} {2.0 / (1 + step / 1000) + each / 100} {step}\n"
                    for step in range(start, start + 1000)
                )


def board(path: Path, count: int) -> None:
    """Write an event file, an event for each of so many values of a metric; sums of the content, which no reader of ours asks for, are left at zero."""
    heads: dict[int, bytes] = {}
    tags = [made.field(1, name_of(each)) for each in range(FILED)]
    with path.open("wb") as file:
        file.write(made.event_file([]))
        for step in range(1, count + 1):
            value = made.single(2, 2.0 / (1 + step / 1000))
            for tag in tags:
                event = made.event(step, tag + value)
                if len(event) not in heads:
                    heads[len(event)] = made.framed(event)[:12]
                file.write(heads[len(event)] + event + bytes(4))


def offline(path: Path, count: int) -> None:
    """Write an offline run of W&B, a record for each of so many steps."""
    names = [name_of(each) for each in range(FILED)]
    records = (made.history(step, **dict.fromkeys(names, f"{2.0 / (1 + step / 1000):.6f}")) for step in range(count))
    with path.open("wb") as file:
        file.writelines(made.offline_parts(records))


def measure(where: Path, uri: str, target: str = f"mlflow:{RUN}") -> str:
    """Diagnose a run in a process of its own and return the figures as one line.

    The most memory of a process counts what its parent held when it started it: everything large is made in portions or elsewhere.
    """
    environment = {**os.environ, "MLFLOW_TRACKING_URI": uri, "RUNTRIAGE_HISTORY": "off"}
    started = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, "-m", "runtriage", "diagnose", "--exit-zero", "--no-cache", target],
        stdout=subprocess.PIPE,
        cwd=where,
        env=environment,
    )
    assert child.stdout is not None
    child.stdout.readline()
    first = time.monotonic()
    child.stdout.read()
    child.stdout.close()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    wall = time.monotonic() - started
    after = " " * 9
    if uri.startswith("http"):
        with urlopen(f"{uri}/last") as answer:
            after = f"{first - float(answer.read()):>9.2f}"
    return f"{after}{wall:>9.2f}{usage.ru_utime + usage.ru_stime:>9.2f}{usage.ru_maxrss / 1000:>8.0f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.trackers", description=__doc__)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--values", type=int, default=VALUES, metavar="N", help="values of a metric of a file (100000)")
    told = parser.parse_args()
    if told.serve:
        serve()
        return
    title = f"{METRICS} metrics x {VALUES:,} values"
    print(f"{title:<40}{'first s':>9}{'wall s':>9}{'cpu s':>9}{'MB':>8}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        with serving() as url:
            print(f"{'MLflow server, long histories sampled':<40}{measure(Path(name), url)}", flush=True)
        folder(Path(name))
        print(f"{'MLflow folder, every value':<40}{measure(Path(name), 'mlruns')}", flush=True)
        print(f"{FILED} metrics x {told.values:,} values", flush=True)
        for title, path, write in (
            ("event file of TensorBoard", "events.out.tfevents.1.host.1.0", board),
            ("offline run of W&B", "run-owl.wandb", offline),
        ):
            write(Path(name) / path, told.values)
            print(f"{title:<40}{measure(Path(name), '', path)}", flush=True)


if __name__ == "__main__":
    main()
