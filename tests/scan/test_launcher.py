from __future__ import annotations

import pytest

from runtriage.scan.draft import Draft
from tests.scan.cueing import drafts, log, printed


def exits(text: str) -> list[Draft]:
    return [draft for draft in drafts(text, readers={"exit"}) if draft.kind == "exit"]


@pytest.mark.parametrize(
    ("line", "by", "code", "signal"),
    [
        (
            "E1129 14:08:56.639000 6343 torch/distributed/elastic/multiprocessing/api.py:1002] failed (exitcode: -9) local_rank: 1 (pid: 6369) of binary: /opt/venv/bin/python3",
            "launcher",
            -9,
            9,
        ),
        (
            "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 0 (pid: 31) of binary: /usr/bin/python",
            "launcher",
            1,
            None,
        ),
        (
            "[2026-06-01 01:17:51,220] [ERROR] [launch.py:325:sigkill_handler] ['python', 'sft.py', '--local_rank=3'] exits with return code = -9",
            "launcher",
            -9,
            9,
        ),
        (
            "mpirun noticed that process rank 1 with PID 4242 on node gpu-3 exited on signal 9 (Killed).",
            "launcher",
            None,
            9,
        ),
        (
            "prterun noticed that process rank 1 with PID 4242 on node gpu-3 exited on signal 6 (Aborted).",
            "launcher",
            None,
            6,
        ),
        (
            "[rank: 2] Child process with PID 2210 terminated with code -9. Forcefully terminating all other processes to avoid zombies 🧟",
            "launcher",
            -9,
            9,
        ),
        ("Global rank 13 (PID 11813) exited with code 1", "launcher", 1, None),
        ("Global rank 0 (PID 1180) exited with code -15", "launcher", -15, 15),
        ("ERROR:composer.cli.launcher:Rank 13 crashed with exit code 1.", "launcher", 1, None),
        ("MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD with errorcode 77.", "program", 77, None),
        ("srun: error: gpu-17: task 3: Exited with exit code 1", "scheduler", 1, None),
        ("srun: error: gpu-17: tasks 0-3: Killed", "scheduler", None, 9),
        ("srun: error: gpu-17: task 3: Segmentation fault (core dumped)", "scheduler", None, 11),
        ("srun: error: gpu-17: task 3: Out Of Memory", "scheduler", None, 9),
        ("fit.sh: Zeile 4: 16945 Getötet                sh -c run", "shell", None, 9),
        ("fit.sh : ligne 5 : 17109 Erreur de segmentation  python3 fit.py", "shell", None, 11),
        ("fit.sh: línea 4: 17269 Terminado (killed)      python3 fit.py", "shell", None, 9),
        ("fit.sh, linha 6: 17821 Abortado                python3 fit.py", "shell", None, 6),
        ("fit.sh: строка 4: 17915 Убито              python3 fit.py", "shell", None, 9),
        ("fit.sh: 第 4 行\uff1a18065 已杀死               python3 fit.py", "shell", None, 9),
        ("fit.sh: 行 5: 18066 段错误               \uff08核心已转储\uff09python3 fit.py", "shell", None, 11),
        ("fit.sh: 4 行: 18204 強制終了            python3 fit.py", "shell", None, 9),
        ("fit.sh: 줄 5: 18336 세그멘테이션 오류 python3 fit.py", "shell", None, 11),
        ("Speicherzugriffsfehler (Speicherabzug geschrieben)", "shell", None, 11),
        ("段错误 (核心已转储)", "shell", None, 11),
        ("已杀死", "shell", None, 9),
        ("wandb: Waiting for W&B process to finish... (failed 3). Press Control-C to abort syncing.", "shell", 3, None),
        ("[sup] worker 3 exited with signal 11", "launcher", None, 11),
        ("driver: worker pid 3312 died (status 139)", "shell", 139, 11),
        ("+ exit 139", "shell", 139, 11),
        ("launch.sh: line 4:  8014 Killed                  python train.py", "shell", None, 9),
        ("run.sh: line 3: 17531 Segmentation fault      (core dumped) python train.py", "shell", None, 11),
        ("/bin/bash: line 1:    17 Bus error               (core dumped) python train.py", "shell", None, 7),
        ("Killed", "shell", None, 9),
        ("Aborted (core dumped)", "shell", None, 6),
        ("Terminated", "shell", None, 15),
        ("train.py exited with 137", "shell", 137, 9),
        ("job 4181 finished with exit code 143", "shell", 143, 15),
        ("training failed, code 139", "shell", 139, 11),
        ("[launcher] time budget used up, status 124", "shell", 124, None),
        ("exit=0", "shell", 0, None),
        ("EXIT CODE: 1", "shell", 1, None),
        ("Process finished with exit code 137 (interrupted by signal 9: SIGKILL)", "shell", 137, 9),
        ("Command exited with non-zero status 1", "shell", 1, None),
        (
            "subprocess.CalledProcessError: Command '['python', 'train.py']' returned non-zero exit status 1.",
            "shell",
            1,
            None,
        ),
        ("subprocess.CalledProcessError: Command '['python']' died with <Signals.SIGKILL: 9>.", "launcher", None, 9),
        ("make: *** [Makefile:3: train] Error 137", "shell", 137, 9),
        ("##[error]Process completed with exit code 1.", "shell", 1, None),
        (
            "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL",
            "launcher",
            None,
            9,
        ),
    ],
)
def test_a_line_that_says_how_a_process_ended_gives_code_and_signal(
    line: str, by: str, code: int | None, signal: int | None
):
    (draft,) = exits(f"step 5 loss 1.0\n{line}\n")
    assert draft.captures["by"] == by
    assert (draft.numbers.get("code"), draft.numbers.get("signal")) == (code, signal)
    assert draft.name == ("exit-code" if signal is None else "signal")


@pytest.mark.parametrize(
    "line",
    [
        "request failed with status code 500",
        "early exit after 3 epochs",
        "exiting with 3 epochs left",
        "Killed 3 stale workers of the last run",
        "return code path is not covered",
        "the exit status of workers is checked every 30 s",
        "Aborted transaction was retried",
    ],
)
def test_a_line_that_only_sounds_like_an_exit_gives_nothing(line: str):
    assert exits(f"{line}\n") == []


def test_who_ended_is_told_as_far_as_the_line_says():
    (elastic,) = exits("failed (exitcode: -6) local_rank: 2 (pid: 48103) of binary: /opt/venv/bin/python3.11\n")
    assert (elastic.subject.local_rank, elastic.subject.pid) == (2, 48103)
    assert elastic.captures["binary"] == "/opt/venv/bin/python3.11"
    (srun,) = exits("srun: error: gpu-17: task 3: Exited with exit code 1\n")
    assert (srun.subject.rank, srun.subject.node) == (3, "gpu-17")
    (composer,) = exits("Global rank 13 (PID 11813) exited with code 1\n")
    assert (composer.subject.rank, composer.subject.pid) == (13, 11813)
    (wrapped,) = exits("prterun noticed that process rank 9 with PID 20117 on node c3 exited on\nsignal 11.\n")
    assert (wrapped.subject.rank, wrapped.subject.node, wrapped.subject.pid) == (9, "c3", 20117)
    (many,) = exits("srun: error: gpu-17: tasks 0-3: Killed\n")
    assert many.subject.rank is None


def test_a_cancelled_slurm_job_says_why():
    (draft,) = exits("slurmstepd: error: *** JOB 9 ON gpu-1 CANCELLED AT 2026-11-29T13:13:08 DUE TO TIME LIMIT ***\n")
    assert (draft.name, draft.captures["by"], draft.captures["reason"]) == ("cancelled", "scheduler", "time-limit")


def test_a_torchelastic_summary_gives_one_entry_a_worker():
    text = log("tracebacks/elastic.txt")
    failure, root = (draft for draft in drafts(text, readers={"summary"}) if draft.kind == "launcher")
    assert (failure.captures["section"], failure.subject.rank, failure.numbers["code"]) == ("failure", 0, -15)
    assert failure.numbers["signal"] == 15
    assert (root.captures["section"], root.subject.rank, root.numbers["code"]) == ("root-cause", 1, 1)
    assert root.captures["error_file"].endswith("attempt_1/1/error.json")
    assert root.when is not None
    assert "1 (local_rank: 1)" in printed(text, root)
    assert printed(text, root).count("\n") == 1


def test_a_traceback_that_the_summary_quotes_belongs_to_its_worker():
    quoted = [
        draft for draft in drafts(log("tracebacks/elastic.txt"), readers={"summary"}) if draft.kind == "exception"
    ]
    assert [(draft.name, draft.subject.rank, draft.captures["quoted"]) for draft in quoted] == [
        ("ValueError", 1, "yes")
    ]


def test_starts_and_restarts_are_numbered_as_printed():
    found = [
        (draft.name, draft.numbers.get("attempt"))
        for draft in drafts(log("tracebacks/elastic-tee.txt"), readers={"attempt"})
    ]
    assert found == [("start", None), ("start", 0), ("restart", 1), ("start", 1)]


@pytest.mark.parametrize(("status", "said"), [("0x8b", ("signal", 11.0)), ("0x300", ("exit-code", 3.0))])
def test_a_status_of_wait_holds_the_signal_or_the_code(status: str, said: tuple[str, float]) -> None:
    (draft,) = exits(f"supervisor: child 4127 is gone (wait status {status})\n")
    assert (draft.name, draft.numbers["signal" if draft.name == "signal" else "code"]) == said
