"""A real Ray on this machine: one head with its dashboard, in a folder and at ports of its own, stopped at the end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

from tests.servers.slurmd import free_port
from tests.servers.tracking import python_of

_TRIES = 3
"""Starts. A node waits 15 s for its dashboard agent, a time that cannot be set, and a busy machine does not keep it."""
_START = 240.0
"""Seconds for a node that answers, all starts together. On two busy cores one start takes about a minute."""
_PATIENCE = 300.0
"""Seconds for one job, from its submission to its end; with a start this is less than pytest waits for a test of a server (Makefile)."""
_ENDED = frozenset({"SUCCEEDED", "FAILED", "STOPPED"})
_ROOM = 4 << 20
"""KiB above what the machine uses now at which the memory monitor acts."""


@dataclass
class Ray:
    """The running head: the address of its dashboard, its folder, and its environment."""

    url: str
    folder: Path
    variables: Mapping[str, str]

    @property
    def session(self) -> Path:
        """The folder of the session."""
        return (self.folder / "session_latest").resolve()

    def ready(self) -> bool:
        """Tell whether jobs may be submitted: the dashboard answers, and the node's agent is known to it."""
        try:
            return bool(self.asked("/api/v0/nodes")["data"]["result"]["result"])
        except (OSError, KeyError, TypeError, ValueError):
            return False

    def job(self, name: str, program: str, **variables: str) -> dict[str, Any]:
        """Run a program as a job and return the record of its end."""
        path = self.folder / f"{name}.py"
        path.write_text(program)
        body = {
            "entrypoint": f"{python_of('ray')} {path}",
            "submission_id": name,
            "runtime_env": {"env_vars": variables} if variables else {},
        }
        until, state = time.monotonic() + _PATIENCE, "not known"
        while time.monotonic() < until:
            found = self._known(name)
            if found is None:
                with contextlib.suppress(OSError):
                    self.asked("/api/jobs/", body)
            elif found["status"] in _ENDED:
                return found
            else:
                state = found["status"]
            time.sleep(0.5)
        raise AssertionError(
            f"the Ray job {name} did not end within {_PATIENCE:.0f} s, its state is {state}; {_busy()}"
        )

    def _known(self, name: str) -> dict[str, Any] | None:
        """The record of a job, None where it is not known yet: a submission that was not answered in time may have been taken all the same."""
        try:
            return self.asked(f"/api/jobs/{name}")
        except OSError:
            return None

    def asked(self, path: str, body: object = None) -> Any:
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, sent, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def ray_head() -> Generator[Ray]:
    """Run the head for as long as the `with` lasts; its folder has a short path, for sockets lie in it."""
    folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))
    started: list[subprocess.Popen[bytes]] = []
    try:
        until = time.monotonic() + _START
        for _ in range(_TRIES):
            running = _start(folder, started, until)
            if running is not None:
                yield running
                return
            _stop(folder, started)
        log = (folder / "start.log").read_text(errors="replace")
        raise AssertionError(f"Ray did not start within {_START:.0f} s; {_busy()}: {log[-500:]}")
    finally:
        _stop(folder, started)
        rmtree(folder, ignore_errors=True)


def _busy() -> str:
    return f"{os.cpu_count()} cores have a load of {os.getloadavg()[0]:.1f}"


def _start(folder: Path, started: list[subprocess.Popen[bytes]], until: float) -> Ray | None:
    python = python_of("ray")
    assert python is not None
    port, board = free_port(), free_port()
    variables = {
        **os.environ,
        "PATH": f"{Path(python).parent}:{os.environ.get('PATH', '')}",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_agent_register_timeout_ms": "180000",
        "RAY_memory_monitor_refresh_ms": "100",
        "RAY_memory_usage_threshold": f"{_threshold():.4f}",
    }
    words = ["start", "--head", "--block", "--include-dashboard=true", "--dashboard-host=127.0.0.1", "--num-cpus=2"]
    words += [f"--dashboard-port={board}", f"--port={port}", "--object-store-memory=100000000", f"--temp-dir={folder}"]
    words += [
        "--node-ip-address=127.0.0.1",
        f"--dashboard-agent-listen-port={free_port()}",
        f"--ray-client-server-port={free_port()}",
    ]
    with (folder / "start.log").open("wb") as log:
        process = subprocess.Popen(
            [str(Path(python).with_name("ray")), *words],
            env=variables,
            cwd=folder,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    started.append(process)
    url = f"http://127.0.0.1:{board}"
    while time.monotonic() < until:
        if process.poll() is not None:
            return None
        running = Ray(url, folder, variables)
        if running.ready():
            return running
        time.sleep(0.5)
    return None


def _threshold() -> float:
    told = {line.split(":")[0]: int(line.split()[1]) for line in Path("/proc/meminfo").read_text().splitlines()}
    return min((told["MemTotal"] - told["MemAvailable"] + _ROOM) / told["MemTotal"], 0.95)


def _stop(folder: Path, started: list[subprocess.Popen[bytes]]) -> None:
    """End what was started, and every part of it that names its folder."""
    for process in started:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    started.clear()
    for entry in Path("/proc").iterdir():
        try:
            ours = entry.name.isdigit() and f"{folder}/".encode() in (entry / "cmdline").read_bytes()
            if ours:
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            continue
