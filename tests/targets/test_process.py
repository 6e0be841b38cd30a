"""Processes that really run: what the kernel shows of them, where they stand, and what may not be seen."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from runtriage.api.diagnosis import diagnose
from runtriage.model.artifact import Collected, Empty
from runtriage.model.report import Report
from runtriage.parse.document import read_all
from runtriage.targets import TargetError
from runtriage.targets.grammar import parse
from runtriage.targets.process import open_target
from runtriage.targets.process_tree import stat

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")

WAITS = "import queue\ndef load_batch(): queue.Queue().get()\ndef main(): load_batch()\n"
REDUCES = "import time\ndef all_reduce(): time.sleep(600)\ndef main(): all_reduce()\n"
LOGS = (
    "log = open('train.log', 'a')\nfor n in range(5): print(f'step {n}/900 loss={3 - n / 10}', file=log, flush=True)\n"
)
RANKS = """
import os, subprocess, sys
log = open('train.log', 'a')
print('step 3/900 loss=2.5', file=log, flush=True)
ranks = [subprocess.Popen([sys.executable, f], env=os.environ | {'RANK': str(n)}) for n, f in enumerate(sys.argv[1:])]
print('ready', flush=True)
[rank.wait() for rank in ranks]
"""


@contextmanager
def running(folder: Path, program: str, arguments: Sequence[str] = ()) -> Iterator[subprocess.Popen[bytes]]:
    """A Python program that has printed `ready`; it and its children are gone at the end."""
    path = folder / "train_it.py"
    path.write_text(program, "utf-8")
    with subprocess.Popen(
        [sys.executable, str(path), *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGCONT)
            os.killpg(process.pid, signal.SIGKILL)


def claims(report: Report) -> str:
    return "\n".join(item.claim for item in report.evidence)


def silent_for(path: Path, seconds: float) -> None:
    """Make a log look as if nothing had been written for a while."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_a_process_that_goes_on_is_running_and_its_log_is_found(tmp_path: Path) -> None:
    with running(tmp_path, LOGS + WAITS + "print('ready', flush=True)\nmain()") as process:
        report = diagnose(f"pid:{process.pid}")
    assert (report.run_status, report.routed, report.primary_cause) == ("running", "running", None)
    assert report.last_progress is not None and report.last_progress.step == 4
    assert "resident" in claims(report) and ", last wrote " in claims(report)
    assert f" inodes are free where {tmp_path / 'train.log'} lies" in claims(report) or " MiB are free where" in claims(
        report
    )
    assert "stands in load_batch (" in claims(report)


def test_the_busiest_thread_is_told(tmp_path: Path) -> None:
    program = "import threading, time\ndef spin():\n  while True: sum(range(999))\nthreading.Thread(target=spin, daemon=True).start()\n"
    with running(tmp_path, program + "print('ready', flush=True)\ntime.sleep(600)") as process:
        report = diagnose(f"pid:{process.pid}")
    assert "CPUs in 2 threads (busiest: " in claims(report)


def test_memory_is_told_against_the_limit_of_the_process_itself(tmp_path: Path) -> None:
    limited = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
    with running(tmp_path, limited + LOGS + "print('ready', flush=True)\nimport time\ntime.sleep(600)") as process:
        report = diagnose(f"pid:{process.pid}")
    assert "of 3,072 MiB that its limit allows (ulimit -v)" in claims(report)


def test_a_silent_process_is_hung_and_what_it_waits_for_is_named(tmp_path: Path) -> None:
    with running(tmp_path, LOGS + WAITS + "print('ready', flush=True)\nmain()") as process:
        silent_for(tmp_path / "train.log", 3600)
        report = diagnose(f"pid:{process.pid}")
    assert (report.run_status, report.primary_cause) == ("hung", "stalled")
    assert "waits for data" in claims(report)
    assert "has written nothing for 3,6" in claims(report)


def test_the_rank_that_holds_its_peers_up_is_named(tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text(REDUCES + "main()", "utf-8")
    (tmp_path / "late.py").write_text(WAITS + "main()", "utf-8")
    with running(tmp_path, RANKS, ["waits.py", "waits.py", "late.py", "waits.py"]) as process:
        time.sleep(0.7)
        silent_for(tmp_path / "train.log", 900)
        report = diagnose(f"pid:{process.pid}")
    assert report.run_status == "hung"
    assert report.culprit is not None and report.culprit.rank == 2
    assert "3 ranks wait for a collective" in claims(report)


GATE = """
import os
def read_shard(): os.posix_spawn('/bin/true', ['true'], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, 'gate', os.O_RDONLY, 0)])
"""
"""Starting a program suspends its parent in the kernel, uninterruptibly, until the child has opened its files: here a pipe nobody writes to."""


def blocked(pid: int) -> bool:
    """Wait until a process sleeps uninterruptibly, if it ever does here."""
    for _ in range(100):
        if Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] == "D":
            return True
        time.sleep(0.05)
    return False


def test_a_process_that_the_kernel_does_not_let_go_is_told_with_where_its_code_stands(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    with running(tmp_path, GATE + LOGS + "print('ready', flush=True)\nread_shard()") as process:
        assert blocked(process.pid)
        silent_for(tmp_path / "train.log", 3600)
        report = diagnose(f"pid:{process.pid}")
    assert (report.run_status, report.failure_mode) == ("hung", "stall/storage-read-blocked")
    assert "is in uninterruptible sleep" in claims(report) and "stands in read_shard (" in claims(report)


def test_a_rank_that_the_kernel_does_not_let_go_is_the_one_its_peers_wait_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    (tmp_path / "waits.py").write_text(REDUCES + "main()", "utf-8")
    (tmp_path / "late.py").write_text(GATE + "read_shard()", "utf-8")
    with running(tmp_path, RANKS, ["waits.py", "late.py", "waits.py"]) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()
        assert any(blocked(int(pid)) for pid in children[1:2])
        silent_for(tmp_path / "train.log", 900)
        report = diagnose(f"pid:{process.pid}")
    assert report.failure_mode == "stall/storage-read-blocked"
    assert report.culprit is not None and report.culprit.rank == 1
    assert "rank 1 is in uninterruptible sleep" in claims(report) and "stands in read_shard (" in claims(report)


def test_a_stopped_process_is_told_from_a_hung_one(tmp_path: Path) -> None:
    with running(tmp_path, LOGS + "print('ready', flush=True)\nimport time\ntime.sleep(600)") as process:
        os.kill(process.pid, signal.SIGSTOP)
        report = diagnose(f"pid:{process.pid}")
    assert "is stopped: SIGCONT lets it go on" in claims(report)


def test_a_zombie_tells_how_it_ended(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"], cwd=tmp_path) as process:
        for _ in range(100):
            if Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] == "Z":
                break
            time.sleep(0.05)
        report = diagnose(f"pid:{process.pid}")
    assert report.failure_mode == "crash/segv"


HELPER = """
import os, subprocess, sys, time
end = 'import os, time\\nwhile not os.path.exists("go"): time.sleep(0.02)\\nos.kill(os.getpid(), 11)'
helper = subprocess.Popen([sys.executable, '-c', end], env=os.environ | dict({environment}))
{wait}
log = open('train.log', 'a')
print('step 3/900 loss=2.5', file=log, flush=True)
print('ready', flush=True)
time.sleep(600)
"""
DEAD = "while ') Z ' not in open(f'/proc/{helper.pid}/stat').read(): time.sleep(0.02)"


def test_a_dead_child_nobody_waits_for_is_not_the_end_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "go").touch()
    with running(tmp_path, HELPER.format(environment="", wait=DEAD)) as process:
        report = diagnose(f"pid:{process.pid}")
    assert report.run_status == "running"
    assert report.failure_mode is None


def test_a_rank_that_dies_while_it_is_looked_at_counts(tmp_path: Path) -> None:
    program = HELPER.format(environment="RANK='1'", wait="")
    with running(tmp_path, program) as process, open_target(parse(f"pid:{process.pid}")) as target:
        (tmp_path / "go").touch()
        request = next(request for request in target.first_requests() if request.kind == "process")
        told = target.collect(request)
        assert isinstance(told, Collected)
        with target.open(told.artifacts[1]) as stream:
            child = json.loads(read_all(stream, 1 << 20)[0])
    assert (child["rank"], child["exit_status"], child["helper"]) == (1, 11, False)


@pytest.mark.parametrize(
    ("target", "says", "code"),
    [
        ("pid:4194305", "no such process", 3),
        ("pid:2", "thread of the kernel", 3),
        ("pid:0", "no process number", 2),
        ("pid:abc", "no process number", 2),
        ("proc:no-such-program-at-all", "no process has that name", 3),
    ],
)
def test_what_is_no_process_is_one_sentence(target: str, says: str, code: int) -> None:
    if target == "pid:2" and Path("/proc/2/comm").exists() is False:
        pytest.skip("the threads of the kernel are not to be seen here")
    with pytest.raises(TargetError, match=says) as error:
        diagnose(target)
    assert error.value.code == code


def test_a_name_finds_its_process_and_several_are_listed(tmp_path: Path) -> None:
    program = "import sys\nprint('ready', flush=True)\nsys.stdin.read()\nimport time\ntime.sleep(600)"
    name = f"only-here-{os.getpid()}"
    with running(tmp_path, program, [name]) as one:
        assert diagnose(f"proc:{name}").run_status == "running"
        with running(tmp_path, program, [name]) as two:
            with pytest.raises(TargetError, match="2 processes match") as error:
                diagnose(f"proc:{name}")
            assert f"{one.pid} (" in str(error.value) and f"{two.pid} (" in str(error.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another user")
def test_a_number_that_now_is_another_process_is_not_read_as_the_one_that_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path, "print('ready', flush=True)\nimport time\ntime.sleep(60)\n") as process:
        target = open_target(parse(f"pid:{process.pid}"))
        true = stat(process.pid)
        assert true is not None
        monkeypatch.setattr("runtriage.targets.process.stat", lambda _: replace(true, started=true.started + 9))
        outcomes = [target.collect(request) for request in target.first_requests()]
    (states,) = [one for one in outcomes if isinstance(one, Collected) and one.request.kind == "process"]
    with target.open(states.artifacts[0]) as stream:
        assert json.loads(read_all(stream, 1 << 20)[0])["state"] == "gone"
    assert [one for one in outcomes if isinstance(one, Empty) and one.request.kind == "stacks"]


def test_rights_that_are_missing_are_said_and_the_rest_is_read(tmp_path: Path) -> None:
    with running(tmp_path, LOGS + WAITS + "print('ready', flush=True)\nmain()") as process:
        denied = [
            "setpriv",
            "--bounding-set",
            "-sys_ptrace",
            "--inh-caps",
            "-sys_ptrace",
            "--reuid",
            "65534",
            "--clear-groups",
        ]
        plain = subprocess.run([*denied, "ls", f"/proc/{process.pid}/fd"], capture_output=True, check=False)
        assert b"denied" in plain.stderr
        words = "import sys; from runtriage.api.diagnosis import diagnose; r = diagnose(f'pid:{sys.argv[1]}'); print(r.summary, *r.coverage.not_seen, sep=chr(10))"
        done = subprocess.run(
            [*denied, sys.executable, "-c", words, str(process.pid)],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        )
        if "Permission" in done.stderr and not done.stdout:
            pytest.skip("another user may not run this interpreter")
    summary, *unseen = done.stdout.splitlines()
    assert summary == "No failure found in what could be read; the run is going on."
    assert [line.partition(" (")[0] for line in unseen] == [
        f"{what} of process {process.pid}" for what in ("output", "stacks")
    ]
    assert "the right to list its open files is missing" in unseen[0]
    assert "the right to trace it is missing" in unseen[1] or "py-spy is not installed" in unseen[1]


APART = "exec 2>/dev/null; mount -t tmpfs none {folder} && exec {python} -c {program}"


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
def test_the_log_of_a_process_in_a_container_is_its_own_and_not_the_file_of_that_name_here(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("step 1 loss=2\nValueError: not of this run\n", "utf-8")
    log = tmp_path / "train.log"
    program = f"log = open({str(log)!r}, 'a'); print('step 7/900 loss=2.5', file=log, flush=True); print('ready', flush=True); import time; time.sleep(600)"
    inside = APART.format(folder=tmp_path, python=sys.executable, program=shlex.quote(program))
    with subprocess.Popen(["unshare", "-m", "sh", "-c", inside], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if process.stdout.readline() != b"ready\n":
            pytest.skip("no file system may be mounted apart here")
        try:
            report = diagnose(f"pid:{process.pid}")
        finally:
            process.kill()
    assert log.read_text("utf-8").endswith("not of this run\n")
    assert (report.run_status, report.last_progress.step) == ("running", 7)
