"""A wrapped command cannot tell that it is wrapped; only a failure adds words."""

from __future__ import annotations

import os
import pty
import select
import shlex
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.launch.running import PYTHON, kept, plain, record, run, start, surroundings, wrapped

FAILS = "import sys; print('step 1 loss=2.0'); sys.exit(int('x'))"


def test_success_adds_nothing_and_output_comes_through_on_its_own_stream(tmp_path: Path) -> None:
    program = "import sys; print(sys.stdin.read().upper()); print('warned', file=sys.stderr)"
    alone = plain(tmp_path, PYTHON, "-c", program, stdin="words")
    done = run(tmp_path, PYTHON, "-c", program, stdin="words")
    assert (done.returncode, done.stdout, done.stderr) == (0, alone.stdout, alone.stderr)


def test_a_failure_is_diagnosed_on_standard_error_and_keeps_its_code(tmp_path: Path) -> None:
    done = run(tmp_path, PYTHON, "-c", FAILS)
    assert done.returncode == 1
    assert done.stdout == "step 1 loss=2.0\n"
    assert "Status: crashed" in done.stderr
    assert "invalid literal for int() with base 10: 'x'" in done.stderr.split("Evidence:")[1]
    assert str(kept(tmp_path)) in done.stderr


def test_a_history_that_cannot_be_used_costs_one_line_and_no_diagnosis(tmp_path: Path) -> None:
    (tmp_path / "history").write_bytes(b"nonsense " * 999)
    done = run(tmp_path, PYTHON, "-c", FAILS, RUNTRIAGE_HISTORY=str(tmp_path / "history"))
    assert done.returncode == 1
    assert "Status: crashed" in done.stderr
    assert done.stderr.count("runtriage: history: ") == 1


def test_a_place_that_cannot_be_written_costs_one_line_and_no_diagnosis(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    done = run(tmp_path, PYTHON, "-c", FAILS, RUNTRIAGE_RUNS=str(tmp_path / "file" / "runs"), TMPDIR=str(tmp_path))
    assert done.returncode == 1
    assert "not a directory; the run is kept in " in done.stderr.splitlines()[0]
    assert "Status: crashed" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="needs a small disk")
def test_a_flood_of_output_leaves_the_last_of_the_disk_to_the_run(tmp_path: Path) -> None:
    program = "import os\nfor _ in range(2200): os.write(1, b'y' * 65536)"
    small = f"mount -t tmpfs -o size=1100m none {tmp_path} || exit 77; " + shlex.join(
        ["env", f"RUNTRIAGE_RUNS={tmp_path}", *wrapped(PYTHON, "-c", program)]
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", f"{small} | wc -c; du -sm {tmp_path}"],
        env=surroundings(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip("no file system may be mounted apart here")
    passed, kept_here = done.stdout.split()[:2]
    assert int(passed) == 2200 * 65536
    assert 60 < int(kept_here) < 140
    assert "less than 1 GiB is free there" in done.stderr


def test_the_logs_hold_both_streams_and_the_record_how_it_ended(tmp_path: Path) -> None:
    run(tmp_path, "sh", "-c", "echo out; echo err >&2; printf part; exit 7", options=("--name", "my run/1"))
    assert (kept(tmp_path) / "stdout.log").read_text("utf-8") == "out\npart"
    assert (kept(tmp_path) / "stderr.log").read_text("utf-8") == "err\n"
    assert record(tmp_path)["exit_code"] == 7
    assert kept(tmp_path).name.startswith("my-run-1-")


@pytest.mark.parametrize("code", [0, 1, 2, 42, 126, 134, 137, 139, 143, 255])
def test_the_exit_code_is_that_of_the_command(tmp_path: Path, code: int) -> None:
    assert run(tmp_path, "sh", "-c", f"exit {code}").returncode == code


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM])
def test_a_death_by_signal_is_passed_on_as_one(tmp_path: Path, number: signal.Signals) -> None:
    done = run(tmp_path, "sh", "-c", f"kill -{int(number)} $$")
    assert done.returncode == -number
    assert record(tmp_path)["signal"] == number


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [("no-such-program", 127, "no such file"), ("./plain.txt", 126, "permission denied")],
)
def test_what_cannot_be_started_leaves_as_a_shell_does(tmp_path: Path, command: str, code: int, says: str) -> None:
    (tmp_path / "plain.txt").write_text("words", "utf-8")
    done = run(tmp_path, command)
    assert done.returncode == code
    assert f"runtriage: {command}: {says}" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP])
def test_signals_reach_the_command(tmp_path: Path, number: signal.Signals) -> None:
    program = (
        "import signal, sys, time\n"
        f"signal.signal({int(number)}, lambda n, f: sys.exit(50 + n))\n"
        "print('ready', flush=True)\n"
        "while True: time.sleep(0.05)"
    )
    with start(tmp_path, PYTHON, "-c", program) as going:
        assert going.stdout is not None
        assert going.stdout.readline() == "ready\n"
        going.send_signal(number)
        assert going.wait(30) == 50 + number


COUNTS = """
import os, signal, time
told, tell = os.pipe()
os.set_blocking(told, False), os.set_blocking(tell, False)
signal.set_wakeup_fd(tell)
for number in (2, 15): signal.signal(number, lambda *_: None)
print("ready", flush=True)
until = time.monotonic() + 1
while time.monotonic() < until: time.sleep(0.02)
print(list(os.read(told, 99)), flush=True)
"""


@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("way", ["typed in a terminal", "to the whole group", "to us alone"])
def test_a_signal_reaches_the_command_exactly_once_whatever_way_it_was_sent(
    tmp_path: Path, way: str, turn: int
) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execve(PYTHON, wrapped(PYTHON, "-c", COUNTS), surroundings(tmp_path))
    seen = b""
    while b"ready" not in seen:
        seen += os.read(terminal, 99)
    if way == "typed in a terminal":
        os.write(terminal, b"\x03")
    elif way == "to the whole group":
        os.killpg(pid, signal.SIGTERM)
    else:
        os.kill(pid, signal.SIGTERM)
    with suppress(OSError):
        while piece := os.read(terminal, 99):
            seen += piece
    os.close(terminal)
    os.waitpid(pid, 0)
    assert (b"[2]" if way == "typed in a terminal" else b"[15]") in seen, seen


def test_a_run_that_stood_still_is_explained_to_whoever_interrupts_it(tmp_path: Path) -> None:
    program = (
        "import queue\ndef load_batch(): queue.Queue().get()\nprint('step 1/9 loss=2.0', flush=True)\nload_batch()"
    )
    (tmp_path / "train.py").write_text(program, "utf-8")
    with start(tmp_path, PYTHON, "train.py", options=("--hang-timeout", "1s")) as going:
        assert going.stderr is not None
        assert "stacks of 1 processes kept" in going.stderr.readline()
        going.send_signal(signal.SIGINT)
        assert going.wait(30) == -signal.SIGINT
        said = going.stderr.read()
    assert "Status: hung" in said and "Primary cause: stalled" in said
    assert "waits for data" in said


def test_an_interrupted_command_is_not_diagnosed(tmp_path: Path) -> None:
    with start(tmp_path, PYTHON, "-c", "import time; print('ready', flush=True); time.sleep(60)") as going:
        assert going.stdout is not None and going.stderr is not None
        going.stdout.readline()
        going.send_signal(signal.SIGINT)
        assert going.wait(30) == -signal.SIGINT
        assert "Status:" not in going.stderr.read()


def test_output_is_passed_on_at_once(tmp_path: Path) -> None:
    with start(tmp_path, PYTHON, "-c", "import time; print('half', end='', flush=True); time.sleep(60)") as going:
        assert going.stdout is not None
        ready, _, _ = select.select([going.stdout], [], [], 30)
        assert ready
        assert os.read(going.stdout.fileno(), 10) == b"half"
        going.terminate()


def test_a_terminal_stays_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    program = "import sys; print(sys.stdout.isatty(), sys.stderr.isatty(), sys.stdin.isatty())"
    subprocess.run(
        wrapped(PYTHON, "-c", program),
        cwd=tmp_path,
        env=surroundings(tmp_path),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        timeout=60,
        check=True,
    )
    assert os.read(ours, 100) == b"True True True\r\n"
    os.close(ours)
    os.close(theirs)


def test_a_command_does_not_outlive_us_when_we_are_killed_outright(tmp_path: Path) -> None:
    program = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    with start(tmp_path, PYTHON, "-c", program) as going:
        assert going.stdout is not None
        pid = int(going.stdout.readline())
        time.sleep(0.3)
        going.kill()
        assert going.wait(30) == -signal.SIGKILL
        for _ in range(100):
            with suppress(ProcessLookupError):
                os.kill(pid, 0)
                state = Path(f"/proc/{pid}/stat")
                if state.exists() and state.read_text("utf-8").rpartition(")")[2].split()[0] != "Z":
                    time.sleep(0.05)
                    continue
            break
        else:
            pytest.fail("the command lives on")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_changes_nothing(tmp_path: Path, closed: str) -> None:
    line = " ".join(map(shlex.quote, wrapped("sh", "-c", "exit 3")))
    done = subprocess.run(
        ["sh", "-c", f"{line} {closed}"],
        env=surroundings(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 3


def test_a_reader_that_goes_away_ends_the_command_as_without_us(tmp_path: Path) -> None:
    program = "import sys\nwhile True: sys.stdout.write('y' * 8000 + chr(10))"
    with start(tmp_path, PYTHON, "-c", program) as going:
        assert going.stdout is not None
        going.stdout.read(10)
        going.stdout.close()
        assert going.wait(30) == 1


def test_a_daemon_that_is_left_behind_does_not_hold_us_up_and_goes_on_printing(tmp_path: Path) -> None:
    with start(
        tmp_path, "sh", "-c", "(while [ ! -e go ]; do sleep 0.1; done; echo late; echo later) & echo first"
    ) as going:
        assert going.stdout is not None
        assert going.stdout.readline() == "first\n"
        assert going.wait(30) == 0
        (tmp_path / "go").touch()
        assert going.stdout.read() == "late\nlater\n"


def test_of_several_ranks_one_speaks_and_says_one_line(tmp_path: Path) -> None:
    ranks = [
        start(
            tmp_path,
            PYTHON,
            "-c",
            FAILS,
            RANK=str(rank),
            WORLD_SIZE="3",
            MASTER_ADDR="127.0.0.1",
            MASTER_PORT="29511",
            TORCHELASTIC_RUN_ID="job1",
        )
        for rank in range(3)
    ]
    errors = [going.communicate(timeout=60)[1] for going in ranks]
    spoken = [line for text in errors for line in text.splitlines() if line.startswith("runtriage: ")]
    assert [going.returncode for going in ranks] == [1, 1, 1]
    assert len(spoken) == 1
    assert "of 3 failed first here: " in spoken[0]
    assert sorted(path.name for path in kept(tmp_path).glob("*.log")) == [
        f"rank{rank}.{stream}.log" for rank in range(3) for stream in ("stderr", "stdout")
    ]


def test_stacks_are_taken_after_a_time_of_silence(tmp_path: Path) -> None:
    program = "import time\ndef wait_for_a_bus(): time.sleep(60)\nprint('step 1', flush=True)\nwait_for_a_bus()"
    (tmp_path / "train.py").write_text(program, "utf-8")
    with start(tmp_path, PYTHON, "train.py", options=("--hang-timeout", "1s")) as going:
        assert going.stderr is not None
        said = going.stderr.readline()
        going.terminate()
    assert "no output for 1 s; stacks of 1 processes kept" in said
    (stacks,) = kept(tmp_path).glob("stacks-1-*.json")
    assert "wait_for_a_bus" in stacks.read_text("utf-8")


def test_stacks_of_a_wait_that_the_run_got_over_are_dropped(tmp_path: Path) -> None:
    program = "import sys\nprint('step 1', flush=True)\nsys.stdin.read()\nprint('step 2', flush=True)\nsys.stdin.close()\nimport time\ntime.sleep(3)"
    going = subprocess.Popen(
        wrapped(PYTHON, "-c", program, options=("--hang-timeout", "2s")),
        cwd=tmp_path,
        env=surroundings(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with going:
        assert going.stderr is not None and going.stdin is not None
        assert "stacks of 1 processes kept" in going.stderr.readline()
        assert list(kept(tmp_path).glob("stacks-1-*"))
        going.stdin.close()
        assert "output goes on after " in going.stderr.readline()
        assert not list(kept(tmp_path).glob("*-1*.json"))
        going.terminate()


def test_a_run_that_is_interrupted_after_a_silence_keeps_its_stacks_and_is_said_to_have_stood_still(
    tmp_path: Path,
) -> None:
    program = "import threading\nfor n in range(30): print('step', n, 'loss', 1 / (n + 1), flush=True)\nthreading.Event().wait()"
    (tmp_path / "train.py").write_text(program, "utf-8")
    command = ("timeout", "-s", "INT", "5", PYTHON, "train.py")
    with start(tmp_path, *command, options=("--hang-timeout", "1s")) as going:
        said = going.communicate(timeout=90)[1]
    assert "KeyboardInterrupt" in said
    assert list(kept(tmp_path).glob("stacks-1-*.json"))
    assert "Primary cause: stalled" in said
    assert "what wait (threading.py" not in said
    assert "spawn or forkserver" not in said
    assert "give that wait a time limit" in said


def test_a_rank_that_never_prints_is_not_silent_while_another_rank_does(tmp_path: Path) -> None:
    job = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29512", "TORCHELASTIC_RUN_ID": "job2"}
    prints = "import time\nfor n in range(30): print(n, flush=True); time.sleep(0.15)"
    with (
        start(
            tmp_path, PYTHON, "-c", "import time; time.sleep(4)", options=("--hang-timeout", "2s"), RANK="1", **job
        ) as mute,
        start(tmp_path, PYTHON, "-c", prints, RANK="0", **job) as loud,
    ):
        said = mute.communicate(timeout=60)[1]
        loud.communicate(timeout=60)
    assert said == ""


@pytest.mark.parametrize("text", ["soon", "0", "-1m", "10 parsecs"])
def test_a_time_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    done = run(tmp_path, "true", options=(f"--hang-timeout={text}",))
    assert done.returncode == 2
    assert "--hang-timeout" in done.stderr
