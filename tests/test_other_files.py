"""What one source says of a run and another one accounts for: the cause in the other file is named, and a run that goes on is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import runtriage
from runtriage import Report

STEPS = "".join(f"2026-03-02 10:{minute:02}:00 step {minute} loss {2 - minute / 100:.3f}\n" for minute in range(30))


def told(folder: Path, **files: str) -> Report:
    for name, text in files.items():
        path = folder / name.replace("__", ".").replace("_", "-")
        path.write_text(text, encoding="utf-8")
    return runtriage.diagnose(str(folder))


def tracked(heard: int, state: str = "crashed") -> str:
    run: dict[str, object] = {
        "id": "UnVuOg==",
        "name": "9kd1zz",
        "displayName": "dlrm-11",
        "state": state,
        "createdAt": "2026-03-02T03:58:00Z",
        "heartbeatAt": f"2026-03-02T{3 + heard:02}:58:00Z",
        "summaryMetrics": "{}",
        "projectName": "p",
        "entityName": "e",
        "user": {"name": "a", "username": "a"},
        "historyKeys": {"keys": {}, "lastStep": 94, "sets": list[str]()},
    }
    return json.dumps(run)


QUEUE = """\
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
             90551       ads     dlrm    priya  R   {elapsed}      2 ads-[03-04]
"""


@pytest.mark.parametrize(("elapsed", "cause"), [("1-19:57:40", None), ("12:00:00", None), ("7:30:00", "process-crash")])
def test_a_tracker_that_lost_its_line_says_nothing_of_a_job_that_its_scheduler_sees_run_on(
    tmp_path: Path, elapsed: str, cause: str | None
) -> None:
    report = told(tmp_path, wandb_run__json=tracked(7), squeue__txt=QUEUE.format(elapsed=elapsed))
    assert report.primary_cause == cause


def test_accounts_of_a_running_job_outlive_a_tracker_too(tmp_path: Path) -> None:
    accounts = (
        "JobID|JobName|State|ExitCode|Elapsed|Timelimit|NodeList\n90551|dlrm|RUNNING|0:0|20:11:03|2-00:00:00|ads-03\n"
    )
    assert told(tmp_path, wandb_run__json=tracked(7), sacct__txt=accounts).primary_cause is None


LIMIT = (
    "slurmstepd: error: *** JOB 771920 ON tg12 CANCELLED AT 2026-03-03T06:02:20 DUE TO TIME LIMIT ***\n"
    "slurmstepd: error: *** STEP 771920.0 ON tg12 CANCELLED AT 2026-03-03T06:02:20 DUE TO TIME LIMIT ***\n"
)
LOCKED = "2026-03-02 18:02:4{n} | DEBUG | filelock | Lock 23030{n} not acquired on /gpfs/hf/web_default_0.0/train.lock, waiting 0.05 seconds ...\n"
QUOTED = "2026-03-02 18:{n}2:12 hub: WARNING Retrying in 300s [Retry {n}/40].\n"
TRIES = "2026-03-02 18:{n}2:12 store: connection refused, next try in 60 s (try {n} of 500)\n"


@pytest.mark.parametrize("wait", [LOCKED, QUOTED, TRIES])
def test_a_wait_that_outlasts_the_run_is_the_cause_and_the_limit_only_ends_it(tmp_path: Path, wait: str) -> None:
    log = "2026-03-02 18:01:40 start\n" + "".join(wait.format(n=n) for n in range(1, 5)) + LIMIT
    report = told(tmp_path, slurm_771920__out=log)
    assert report.primary_cause == "stalled", report.summary


@pytest.mark.parametrize("wait", [LOCKED, QUOTED, TRIES])
def test_a_wait_that_was_over_before_the_limit_is_not(tmp_path: Path, wait: str) -> None:
    steps = "".join(f"2026-03-03 0{hour}:00:00 step {hour}00 loss {2 - hour / 10:.2f}\n" for hour in range(1, 6))
    steps += "2026-03-03 06:02:10 step 602 loss 1.40\n"
    log = "2026-03-02 18:01:40 start\n" + "".join(wait.format(n=n) for n in range(1, 5)) + steps + LIMIT
    assert told(tmp_path, slurm_771920__out=log).failure_mode == "orch/time-limit"


@pytest.mark.parametrize("wait", [LOCKED, QUOTED, TRIES])
def test_a_run_that_waited_and_completed_is_fine(tmp_path: Path, wait: str) -> None:
    log = "".join(wait.format(n=n) for n in range(1, 5)) + STEPS + "2026-03-02 10:31:00 Training completed\n"
    report = told(tmp_path, train__log=log)
    assert (report.primary_cause, report.run_status) == (None, "completed")


SERVER = """\
INFO:     Application startup complete.
(EngineCore pid=214) ERROR 03-02 09:26:38 [core.py:710] Traceback (most recent call last):
(EngineCore pid=214) ERROR 03-02 09:26:38 [core.py:710]   File "/usr/lib/python3/dist-packages/vllm/core.py", line 918, in update
(EngineCore pid=214) ERROR 03-02 09:26:38 [core.py:710]     assert len(blocks) > 0
(EngineCore pid=214) ERROR 03-02 09:26:38 [core.py:710] AssertionError: no blocks left for request 7702
INFO:     Shutting down
INFO:     Finished server process [1]
"""
CLIENT = """\
{{'loss': 0.02, 'epoch': 0.33}}
{{'loss': 0.01, 'epoch': 0.34}}
Traceback (most recent call last):
  File "/app/grpo.py", line 61, in <module>
    trainer.train()
  File "/usr/lib/python3/dist-packages/client/adapters.py", line 700, in send
    raise ConnectionError(e, request=request)
{error}
"""


@pytest.mark.parametrize(
    "error",
    [
        "requests.exceptions.ConnectionError: HTTPConnectionPool(host='job-rollout-0.job', port=8000): Max retries exceeded with url: /generate/",
        "aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host job-rollout-0-0.job.ns.svc:8000 ssl:default",
        "httpx.ConnectError: [Errno 111] Connection refused: http://rollout-0:8000/generate",
    ],
)
def test_a_request_that_found_no_server_is_explained_by_the_server_that_it_names(tmp_path: Path, error: str) -> None:
    report = told(tmp_path, rollout_0__log=SERVER, trainer_0__log=CLIENT.format(error=error))
    assert report.root_cause.root is not None
    assert "rollout-0.log" in report.evidence[0].citation.artifact


def test_a_request_to_another_server_is_its_own_fault(tmp_path: Path) -> None:
    error = "httpx.ConnectError: [Errno 111] Connection refused: http://tracker-9:8000/log"
    report = told(
        tmp_path, trainer_0__log=CLIENT.format(error=error), rollout_0__log="INFO: Finished server process [1]\n"
    )
    assert report.evidence[0].citation.artifact == "trainer-0.log"


@pytest.mark.parametrize(
    "look",
    [
        "$ lsmod | grep -E 'mlx5_ib'; echo rc=$?\nrc=1\n",
        'root@w1:~# ping -c1 w2 >/dev/null; echo "exit code: $?"\nexit code: 2\n',
        "$ test -e /dev/infiniband/uverbs0 || echo exit=$?\nexit=1\n",
    ],
)
def test_the_code_of_a_command_that_looks_at_a_machine_is_none_of_the_run(tmp_path: Path, look: str) -> None:
    log = STEPS + "2026-03-02 10:31:00 Training completed\n"
    assert told(tmp_path, train__log=log, w1__txt=look).primary_cause is None


def test_the_code_of_the_run_itself_counts_at_a_prompt(tmp_path: Path) -> None:
    log = "$ python train.py; echo rc=$?\n" + STEPS + "rc=3\n"
    assert told(tmp_path, console__txt=log).failure_mode == "crash/exit-no-error"


@pytest.mark.parametrize(
    "line",
    [
        "  \u00d7 No solution found when resolving dependencies:",
        "Because app depends on timm (1.0.99) which does not match any versions, version solving failed.",
        "LibMambaUnsatisfiableError: Encountered problems while solving:",
        "ERROR: No matching distribution found for timm==1.0.99",
    ],
)
def test_what_no_resolver_can_install_explains_a_setup_that_failed(tmp_path: Path, line: str) -> None:
    job = {
        "job_id": 88,
        "job_name": "vit",
        "task_name": "vit",
        "status": "FAILED_SETUP",
        "schedule_state": "DONE",
        "failure_reason": "The setup command of the task returned a non-zero exit code.",
        "recovery_count": 0,
        "task_id": 0,
    }
    log = f"(setup pid=2210) Using Python 3.12\n(setup pid=2210) {line}\nERROR: Job 1's setup failed with return code list: [1]\n"
    assert told(tmp_path, queue__json=json.dumps([job]), job__log=log).primary_cause == "config-error"


@pytest.mark.parametrize(
    "record",
    [
        "[Tue Mar  3 02:26:19 2026] ena 0000:4f:00.0 ens5: Keep alive watchdog timeout.",
        "[552231.012345] NETDEV WATCHDOG: eth0 (tg3): transmit queue 3 timed out",
        "Mar  3 02:26:19 n7 kernel: watchdog: timer expired, terminating",
    ],
)
def test_a_record_of_the_kernel_is_no_word_of_the_program(tmp_path: Path, record: str) -> None:
    report = told(tmp_path, train__log=STEPS, node__txt=f"$ dmesg | tail -1\n{record}\n")
    assert report.primary_cause != "stalled"


ACCOUNTS = "JobID|JobName|State|ExitCode|Elapsed|Timelimit|NodeList\n41202|asr|{first}|0:0|01:10:03|2-00:00:00|n3\n41202|asr|COMPLETED|0:0|05:10:03|2-00:00:00|n4\n"
DONE = STEPS + "2026-03-02 10:31:00 Training completed\n"
CUT = "2026-03-02 08:00:00 step 1 loss 2.500\n2026-03-02 08:01:00 step 2 loss 2.400\n"


@pytest.mark.parametrize(
    ("first", "notice"),
    [
        (
            "NODE_FAIL",
            "slurmstepd: error: *** JOB 41202 ON n3 CANCELLED AT 2026-03-02T08:02:00 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***\n",
        ),
        (
            "PREEMPTED",
            "slurmstepd: error: *** JOB 41202 ON n3 CANCELLED AT 2026-03-02T08:02:00 DUE TO PREEMPTION ***\n",
        ),
        (
            "REQUEUED",
            "slurmstepd: error: *** JOB 41202 ON n3 CANCELLED AT 2026-03-02T08:02:00 DUE TO JOB REQUEUE ***\n",
        ),
    ],
)
def test_a_job_that_was_put_back_into_the_queue_and_finished_did_not_fail(
    tmp_path: Path, first: str, notice: str
) -> None:
    report = told(tmp_path, slurm_41202__out=CUT + notice + DONE, sacct__txt=ACCOUNTS.format(first=first))
    assert report.primary_cause is None, report.summary


@pytest.mark.parametrize(
    "noise",
    [
        "W0302 10:31:01.100000 77 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 78 closing signal SIGTERM\n",
        "[rank0]:[W302 10:31:01.1 ProcessGroupNCCL.cpp:1250] Warning: WARNING: process group has NOT been destroyed before we destruct ProcessGroupNCCL.\n",
        "INFO:     Shutting down\nINFO:     Finished server process [1]\n",
        "wandb: 429 encountered (Filestream rate limit exceeded, retrying in 2.1 seconds.), retrying request\n",
    ],
)
def test_noise_behind_the_end_is_no_failure(tmp_path: Path, noise: str) -> None:
    report = told(tmp_path, train__log=DONE + noise, dmesg__txt="[552231.012345] ena 0000:00:06.0 ens6: Link is up\n")
    assert (report.primary_cause, report.run_status) == (None, "completed")
