"""A run under watch: warned of once, read across rotation, and left with a reason."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from runtriage.launch.follow import Followed
from runtriage.launch.growth import Growth
from runtriage.launch.watch import DECISION, DELIVERED, INSUFFICIENT, STABLE, End, Plan, Watch
from runtriage.launch.webhook import post
from runtriage.targets import TargetError
from runtriage.targets.process_tree import stat
from tests.cli.running import runtriage

HEALTHY = "".join(f"step {n}/900 loss={3 - n / 200:.4f}\n" for n in range(1, 41))
FAILED = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\nValueError: no colour\n'


def steps(first: int, last: int, loss: str = "") -> str:
    return "".join(f"step {n}/900 loss={loss or f'{3 - n / 200:.4f}'}\n" for n in range(first, last))


def watch(
    path: Path, *turns: Callable[[], object] | str, stall: float = 5.0, once: bool = False
) -> tuple[End, list[tuple[str, str]]]:
    """Watch a log while each turn changes it: text is written at its end."""
    warned: list[tuple[str, str]] = []
    script = iter(turns)

    def pause(_: float) -> None:
        turn = next(script, "")
        if isinstance(turn, str):
            with path.open("a", encoding="utf-8") as log:
                log.write(turn)
        else:
            turn()

    def warn(mode: str, sentence: str, report: object) -> None:
        warned.append((mode, sentence))

    end = Watch([str(path)], Plan(interval=1.0, stall=stall, once=once), warn, None, pause).run()
    return end, warned


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "train.log"
    path.write_text(HEALTHY, "utf-8")
    return path


def test_a_crash_ends_the_watch_with_its_diagnosis(log: Path) -> None:
    end, warned = watch(log, steps(41, 60), steps(60, 70) + FAILED)
    assert (end.reason, end.report.run_status, warned) == (DELIVERED, "crashed", [])
    assert "no colour" in end.report.evidence[0].claim


def test_a_completed_run_ends_in_stable_progress(log: Path) -> None:
    end, warned = watch(log, steps(41, 901) + "Training completed.\n")
    assert (end.reason, end.report.run_status, warned) == (STABLE, "completed", [])


def test_a_loss_that_is_no_number_is_warned_of_once_while_the_run_goes_on(log: Path) -> None:
    end, warned = watch(log, *(steps(n, n + 10, "nan") for n in range(41, 101, 10)))
    assert [mode.partition("/")[0] for mode, _ in warned] == ["nan", "no-output"]
    assert (end.reason, end.report.primary_cause) == (DECISION, "nan-inf")


def test_a_log_that_says_nothing_more_ends_with_what_is_missing(log: Path) -> None:
    end, warned = watch(log, stall=3.0)
    assert [mode for mode, _ in warned] == ["no-output"]
    assert end.reason == INSUFFICIENT
    assert end.detail


def test_a_fault_that_the_run_got_over_ends_in_stable_progress(log: Path) -> None:
    end, warned = watch(log, steps(41, 60, "nan"), lambda: log.write_text(HEALTHY + steps(41, 200), "utf-8"))
    assert len(warned) == 1
    assert (end.reason, end.detail) == (STABLE, "50 steps past the fault")


@pytest.mark.parametrize("how", ["moved", "copied and emptied"])
def test_a_rotated_log_stays_one_run(log: Path, how: str) -> None:
    def rotate() -> None:
        older = log.with_name("train.log.1")
        if how == "moved":
            log.rename(older)
        else:
            older.write_bytes(log.read_bytes())
        log.write_text(steps(60, 63), "utf-8")

    log.with_name("train.log.old").write_text(FAILED, "utf-8")
    end, _ = watch(log, steps(41, 60), rotate, steps(63, 70) + FAILED)
    assert sorted(one.artifact for one in end.report.coverage.artifacts) == ["train.log", "train.log.1"]
    assert end.report.run_status == "crashed"


def test_logs_whose_names_move_on_at_each_rotation_stay_in_order(log: Path) -> None:
    def rotate() -> None:
        older, oldest = log.with_name("train.log.1"), log.with_name("train.log.2")
        if older.exists():
            older.rename(oldest)
        log.rename(older)
        log.write_text(steps(60, 63), "utf-8")

    followed = Followed([str(log)])
    followed.poll()
    for turn in (1, 2):
        os.utime(log, ns=(turn * 10**9, turn * 10**9))
        followed.poll()
        rotate()
        found = followed.poll()
    assert [os.path.basename(name) for name in found] == ["train.log.2", "train.log.1", "train.log"]  # noqa: PTH119


def test_one_look_is_enough_where_that_is_asked_for(log: Path) -> None:
    end, _ = watch(log, once=True)
    assert end.reason in (INSUFFICIENT, STABLE)


@pytest.mark.parametrize("once", [True, False])
def test_a_run_that_says_it_finished_does_not_go_on_whatever_became_of_its_loss(log: Path, once: bool) -> None:
    with log.open("a", encoding="utf-8") as more:
        more.write(steps(41, 901, "nan") + "Training finished. Saved to out/final.pt\n")
    end, _ = watch(log, once=once, stall=50.0)
    assert (end.report.run_status, end.report.observed.ended, end.reason) == ("diverged", True, DELIVERED)


def test_a_run_whose_loss_is_no_number_goes_on_until_it_says_otherwise(log: Path) -> None:
    with log.open("a", encoding="utf-8") as more:
        more.write(steps(41, 300, "nan"))
    end, _ = watch(log, once=True)
    assert (end.report.run_status, end.report.observed.ended, end.reason) == ("diverged", False, DECISION)


def memory(first: int, last: int, size: Callable[[int], float]) -> str:
    return "".join(f"step {n}/900 loss={3 - n / 200:.4f} rss={size(n):.2f}GB\n" for n in range(first, last))


def test_memory_that_a_run_logs_and_that_only_grows_is_warned_of_once(log: Path) -> None:
    log.write_text("", "utf-8")
    end, warned = watch(log, *(memory(n, n + 20, lambda step: 4 + step / 20) for n in range(1, 161, 20)), once=False)
    assert [mode for mode, _ in warned] == ["memory-growth", "no-output"]
    assert "rss grew from" in warned[0][1]
    assert end.reason == INSUFFICIENT


def test_memory_that_reaches_its_level_is_no_warning(log: Path) -> None:
    log.write_text("", "utf-8")
    _, warned = watch(log, *(memory(n, n + 20, lambda step: 4 + min(step, 15) / 3) for n in range(1, 161, 20)))
    assert [mode for mode, _ in warned] == ["no-output"]


def test_a_process_that_takes_more_at_every_look_is_warned_of_once() -> None:
    program = (
        "import sys\nheld = []\nfor line in sys.stdin: held.append(bytearray(20 << 20)); print('more', flush=True)"
    )
    growth = Growth()
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        followed = Followed([f"pid:{process.pid}"])
        told: list[str | None] = []
        for _ in range(10):
            process.stdin.write(b"more\n")
            process.stdin.flush()
            process.stdout.readline()
            told.append(growth.of_processes(followed.memory))
        still = [growth.of_processes(followed.memory) for _ in range(8)]
        process.stdin.close()
    assert [sentence is not None for sentence in told].count(True) == 1
    assert still == [None] * 8


def looks(sizes: Sequence[float]) -> list[str]:
    growth = Growth()
    return [told for size in sizes if (told := growth.of_processes(int(size * 2**20))) is not None]


def test_a_slow_leak_of_a_process_is_warned_of_once_over_many_looks() -> None:
    (told,) = looks([1000 + 4 * look + look % 2 for look in range(900)])
    assert told.startswith("memory grew from look to look, from 1,")


@pytest.mark.parametrize(
    "size", [lambda look: 1000 + 500 * min(look, 30) / 30, lambda look: 1000 + 400 * (look % 50) / 50, lambda _: 1000.0]
)
def test_memory_of_a_process_that_fills_up_or_comes_and_goes_is_no_warning(size: Callable[[int], float]) -> None:
    assert looks([size(look) for look in range(900)]) == []


def test_what_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(TargetError):
        watch(tmp_path / "absent.log")


def test_a_process_that_is_gone_is_said_at_once() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait(30)
    with pytest.raises(TargetError, match="no such process"):
        Watch([f"pid:{process.pid}"], Plan(interval=0.1, stall=1.0), lambda *_: None, None).run()


def test_a_process_that_nobody_has_waited_for_has_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        followed = Followed([f"pid:{process.pid}"])
        assert followed.alive is True
        assert process.stdin is not None
        process.stdin.close()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert followed.alive is False


def test_another_process_under_the_same_number_is_not_the_one_that_was_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed = Followed([f"pid:{os.getpid()}"])
    assert followed.alive is True
    later = replace(stat(os.getpid()), started=10.0**9)
    monkeypatch.setattr("runtriage.launch.follow.stat", lambda _: later)
    assert followed.alive is False


def test_a_process_is_followed_to_its_end_and_its_log_is_diagnosed(tmp_path: Path) -> None:
    program = f"log = open('out.log', 'w')\nprint({HEALTHY!r}, file=log, flush=True)\nprint('written', flush=True)\ninput()\nprint({FAILED!r}, file=log, flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.readline()
        let_go = process.stdin

        def pause(_: float) -> None:
            if not let_go.closed:
                let_go.write("go on\n")
                let_go.close()
            process.wait(30)

        end = Watch([f"pid:{process.pid}"], Plan(interval=0.2, stall=60.0), lambda *_: None, None, pause).run()
    assert (end.reason, end.report.run_status) == (DELIVERED, "crashed")
    assert "no colour" in end.report.evidence[0].claim


class _Hook(http.server.BaseHTTPRequestHandler):
    got: list[Any]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).got.append((self.path, self.headers["Content-Type"], json.loads(body)))
        moved = self.path == "/moved"
        self.send_response(302 if moved else 404 if self.path == "/none" else 204)
        if moved:
            self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@contextmanager
def hook() -> Iterator[tuple[str, list[Any]]]:
    """A real receiver on this machine."""
    kind = type("Hook", (_Hook,), {"got": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", kind.got
        server.shutdown()


def test_a_notification_carries_the_reason_and_the_report_without_secrets(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    (tmp_path / "train.log").write_text(HEALTHY + FAILED.replace("no colour", f"token {secret} refused"), "utf-8")
    with hook() as (url, got):
        done = runtriage("watch", "train.log", "--once", "--notify", f"{url}/T0/secret", cwd=tmp_path)
    assert done.returncode == 1
    assert "Stop reason: diagnosis delivered" in done.stdout
    ((path, kind, told),) = [one for one in got if one[2]["event"] == "end"]
    assert (path, kind, told["stop_reason"]) == ("/T0/secret", "application/json", "diagnosis delivered")
    assert told["report"]["run_status"] == "crashed"
    assert secret not in json.dumps(got)


def test_no_redirect_is_followed_and_a_failed_notification_never_shows_its_url() -> None:
    with hook() as (url, got):
        assert post(f"{url}/moved", {}) == "the notification was not delivered (HTTP 302)"
        assert post(f"{url}/none", {}) == "the notification was not delivered (HTTP 404)"
        assert post(f"{url}/fine", {}) is None
    assert [path for path, *_ in got] == ["/moved", "/none", "/fine"]


def test_lines_for_programs_are_one_object_each(tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(HEALTHY + FAILED, "utf-8")
    done = runtriage("watch", "train.log", "--once", "--format", "json", cwd=tmp_path)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert told[-1]["event"] == "end"
    assert os.path.basename(told[-1]["report"]["target"]) == "train.log"  # noqa: PTH119


@pytest.mark.parametrize("once", [True, False])
def test_a_silence_from_before_the_watching_is_told_at_the_first_look(log: Path, once: bool) -> None:
    age = time.time() - 7200.0
    os.utime(log, (age, age))
    _, warned = watch(log, stall=1800.0, once=once)
    assert warned == [("no-output", "no output for 2 h")]


def test_nobody_is_told_of_the_silence_of_a_run_that_ended(log: Path) -> None:
    log.write_text(HEALTHY + FAILED, "utf-8")
    age = time.time() - 7200.0
    os.utime(log, (age, age))
    end, warned = watch(log, stall=1800.0, once=True)
    assert (end.report.run_status, warned) == ("crashed", [])
