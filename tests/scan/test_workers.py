from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runtriage.model.artifact import Artifact
from runtriage.scan.tail import Memory
from runtriage.scan.workers import worth

KILLED_WITH_WORKERS = """
import os, signal
from runtriage.scan.workers import forked
with forked(lambda task: os.getpid(), 2) as submit:
    print(*{submit(each).result() for each in range(8)}, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def _there(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in ("Z", "X")


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")
def test_workers_end_when_the_process_that_started_them_is_killed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED_WITH_WORKERS],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=dict(os.environ),
        timeout=60,
        check=False,
    )
    workers = [int(word) for word in done.stdout.split()]
    assert workers
    until = time.monotonic() + 20
    while any(map(_there, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not [pid for pid in workers if _there(pid)]


def _two_cores(_pid: int) -> set[int]:
    return {0, 1}


class _Near(Memory):
    local = True


@pytest.mark.parametrize(("count", "several"), [(16, False), (4096, True)])
def test_many_files_are_worth_several_workers_however_small_each_is(
    count: int, several: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", _two_cores, raising=False)
    artifacts = [Artifact(path=f"rank{number}.log", kind="log", size=2_000) for number in range(count)]

    assert worth(lambda _: _Near(b"step 1\n"), artifacts, None) == (2 if several else 1)
