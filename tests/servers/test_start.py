"""What tests leave running is ended, also where they were cut off; nothing else is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers.start import listed

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to an ancestor that asks for them")
STARTER = "import sys; from tests.servers.start import run; raise SystemExit(run(sys.argv[1:]))"
LEAVES = """
import os, pathlib, subprocess, sys, time
words = [sys.executable, "-c", "import time; time.sleep(600)"]
nested = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:], start_new_session=True, stdout=2).pid)"
own = subprocess.Popen(words, start_new_session=True)
orphan = subprocess.run([sys.executable, "-c", nested, *words], stdout=subprocess.PIPE, text=True)
part = pathlib.Path(sys.argv[1] + ".part")
part.write_text(f"{own.pid} {orphan.stdout}")
part.rename(sys.argv[1])
time.sleep(float(sys.argv[2]))
os._exit(3)
"""


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def start(told: Path, seconds: float) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-c", STARTER, sys.executable, "-c", LEAVES, str(told), str(seconds)]
    return subprocess.Popen(words, start_new_session=True, cwd=Path(__file__).parents[2])


@linux
def test_servers_of_tests_that_exit_at_once_are_ended_and_no_others(tmp_path: Path) -> None:
    told = tmp_path / "left"
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as other:
        try:
            assert start(told, 0).wait(60) == 3
            left = [int(word) for word in told.read_text().split()]
            assert len(left) == 2 and not any(map(alive, left))
            assert other.poll() is None
        finally:
            other.kill()


@linux
def test_servers_are_ended_where_the_tests_are_told_to_end(tmp_path: Path) -> None:
    told = tmp_path / "left"
    starter = start(told, 600)
    while not told.exists():
        assert starter.poll() is None
        time.sleep(0.05)
    os.kill(starter.pid, signal.SIGTERM)
    assert starter.wait(60) != 0
    assert not any(alive(int(word)) for word in told.read_text().split())


def test_each_service_names_the_command_that_shows_that_it_is_there() -> None:
    services = listed()
    assert {"vertex-sdk", "ray", "mlflow", "wandb"} <= {service["name"] for service in services}
    assert all(service["command"] and isinstance(service["packages"], list) for service in services)


@pytest.mark.parametrize(("ci", "status"), [("true", 1), ("", 0)])
def test_a_tracker_that_is_missing_fails_the_whole_under_ci_alone(ci: str, status: int) -> None:
    program = (
        "from tests.servers import start; "
        "start.listed = lambda: [{'name': 'vertex-sdk', 'command': 'no-such-client', 'packages': []}]; "
        "raise SystemExit(start.main(['true']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status
    assert "service vertex-sdk: not to be had (make test-servers" in done.stderr
