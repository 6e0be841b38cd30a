"""Folders in which an early, quiet line accounts for a loud end: files that were never written, pods that were deleted, waits that somebody ended."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

import runtriage
from runtriage.model.report import Report


def told(folder: Path, **files: str) -> Report:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return runtriage.diagnose(str(folder))


def steps(start: int, end: int) -> str:
    return "\n".join(
        f"2026-10-05 02:{step // 60:02d}:{step % 60:02d} step {step} loss {2 - step / 4000:.4f}"
        for step in range(start, end)
    )


REFUSED = "2026-10-05 02:03:00 WARNING upload of shard-07.safetensors: An error occurred (SlowDown) when calling the PutObject operation (reached max retries: 4): Please reduce your request rate."
MISSED = """
2026-10-05 02:20:05 resuming
Traceback (most recent call last):
  File "/srv/train.py", line 88, in <module>
    state = load(path)
  File "/srv/train.py", line 31, in load
    raise FileNotFoundError(f"incomplete: no {name}")
FileNotFoundError: incomplete: no shard-0%d.safetensors
"""


@pytest.mark.parametrize(("missed", "line"), [(7, 61), (4, None)])
def test_what_could_not_be_written_is_the_root_of_its_being_missed_later(
    tmp_path: Path, missed: int, line: int | None
) -> None:
    log = f"{steps(120, 180)}\n{REFUSED}\n{steps(190, 700)}{MISSED % missed}"
    report = told(tmp_path, train__log=log)
    assert report.primary_cause == "io-checkpoint"
    root = report.evidence[0].citation.first_line
    assert root == line if line is not None else root != 61


EVENTS = """
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Event
  firstTimestamp: "2026-09-01T08:31:51Z"
  lastTimestamp: "2026-09-01T08:31:51Z"
  involvedObject:
    kind: Pod
    name: tagger-0
  message: "Preempted by pod 4f1c on node n7"
  reason: Preempted
  type: Normal
"""


def test_events_printed_as_yaml_are_read_and_wishes_are_not(tmp_path: Path) -> None:
    assert told(tmp_path, events__yaml=EVENTS).routed == "preempted"
    wished = EVENTS.replace("involvedObject", "spec")
    assert told(tmp_path, events__yaml=wished).routed is None


TABLE = """
LAST SEEN   TYPE      REASON             OBJECT                     MESSAGE
40m         Normal    SuccessfulDelete   statefulset/worker         delete Pod worker-2 in StatefulSet worker successful
39m         Normal    Killing            pod/worker-2               Stopping container main
38m         Warning   Unhealthy          pod/worker-2               Liveness probe failed: command timed out after 20s
"""


def test_a_pod_that_is_being_stopped_answers_no_probe(tmp_path: Path) -> None:
    grid = "extract success\nfit failed\nreport upstream_failed\n"
    report = told(tmp_path, events__txt=TABLE, grid__txt=grid)
    assert report.failure_mode == "orch/user-cancel"
    assert report.evidence[0].citation.first_line == 2


def test_a_roll_out_beside_a_run_that_completed_is_no_failure(tmp_path: Path) -> None:
    log = f"{steps(120, 700)}\n2026-10-05 02:20:00 training finished, model saved to out/final.pt\n"
    report = told(tmp_path, events__txt=TABLE, train__log=log)
    assert report.primary_cause is None


STACK = """
Process {pid}: python -u train.py --local_rank={rank}
Python v3.11.11 (/opt/bin/python3.11)

Thread {pid} (idle): "MainThread"
    wait (torch/utils/file_baton.py:52)
    _jit_compile (torch/utils/cpp_extension.py:2072)
    load (torch/utils/cpp_extension.py:1623)
    main (train.py:188)
"""


def test_who_interrupts_ranks_that_all_wait_for_a_build_did_not_fail_the_run(tmp_path: Path) -> None:
    stacks = {f"rank{rank}__txt": STACK.format(pid=400 + rank, rank=rank) for rank in range(4)}
    log = 'building extension op\n^C\nTraceback (most recent call last):\n  File "/srv/train.py", line 188, in main\n    load()\nKeyboardInterrupt\n'
    report = told(tmp_path, console__log=log, **stacks)
    assert report.failure_mode == "stall/compile-or-jit-lock"
    assert report.culprit is not None and report.culprit.rank is None


def test_an_interruption_alone_is_one(tmp_path: Path) -> None:
    log = f'{steps(120, 200)}\nTraceback (most recent call last):\n  File "/srv/train.py", line 188, in main\n    step()\nKeyboardInterrupt\n'
    assert told(tmp_path, console__log=log).failure_mode == "crash/sigint-user"


def test_the_talk_of_a_scheduler_is_no_standstill(tmp_path: Path) -> None:
    kinds = (
        "Adopting orphaned tasks",
        "Setting next_run to None",
        "Sending task agg to the queue",
        "Task load finished: state=success",
    )
    said = [f"Setting next_run of dag_{at} to {at + 7}" for at in range(99)]
    said += [kinds[(at * at + at // 3) % 4] for at in range(120)]
    log = "\n".join(
        f"2026-03-15 {5 + at // 60:02d}:{at % 60:02d}:00 INFO scheduler - {text}" for at, text in enumerate(said)
    )
    assert told(tmp_path, scheduler__log=log + "\n").primary_cause is None


def communicators(interface: str, address: str) -> str:
    lines: list[str] = []
    for node, name, where in (("n1", "eno1", "10.4.0.11"), ("n2", "eno1", "10.4.0.12"), ("n3", interface, address)):
        lines += [
            f"{node}:{300 + rank}:{300 + rank} [{rank}] NCCL INFO Bootstrap: Using {name}:{where}<0>"
            for rank in range(2)
        ]
    lines += [
        f"n1:300:380 [0] misc/socket.cc:585 NCCL WARN socketPollConnect: connect to {address}<43366> returned Connection refused, exceeded error retry count (35)"
    ]
    lines += [
        "[rank0]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:77, unhandled system error, NCCL version 2.26.2"
    ]
    return "\n".join(lines) + "\n"


def test_the_address_of_an_interface_that_one_node_alone_uses_is_why_nobody_reached_it(tmp_path: Path) -> None:
    report = told(tmp_path, all__log=communicators("docker0", "172.17.0.1"))
    assert report.failure_mode == "nccl/socket-interface"
    assert report.culprit is not None and report.culprit.node == "n3"
    assert report.evidence[0].citation.first_line == 5


def test_a_node_that_refuses_on_the_interface_of_all_others_is_not_on_a_wrong_one(tmp_path: Path) -> None:
    assert told(tmp_path, all__log=communicators("eno1", "10.4.0.13")).failure_mode != "nccl/socket-interface"


PODS = """
{"apiVersion": "v1", "kind": "List", "items": [
 {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "slice-0"}, "spec": {"nodeName": "a1"}, "status": {"phase": "Failed", "containerStatuses": [{"name": "train",
  "state": {"terminated": {"exitCode": 132, "reason": "Error", "finishedAt": "2026-11-03T10:04:54Z"}}}]}},
 {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "slice-1"}, "spec": {"nodeName": "a2"}, "status": {"phase": "Failed", "containerStatuses": [{"name": "train",
  "state": {"terminated": {"exitCode": 134, "reason": "Error", "finishedAt": "2026-11-03T10:06:54Z"}}}]}}]}
"""


def test_a_process_own_last_words_lead_over_the_code_that_its_pod_left(tmp_path: Path) -> None:
    fatal = 'Fatal Python error: Illegal instruction\n\nCurrent thread 0x00007c5b (most recent call first):\n  File "/app/regrid.py", line 57 in conservative\n'
    folder = tmp_path / "pods"
    folder.mkdir()
    (folder / "slice-0.log").write_text(fatal, encoding="utf-8")
    report = told(tmp_path, pods__json=PODS)
    assert report.failure_mode == "crash/illegal-instruction"
    assert report.evidence[0].citation.artifact == "pods/slice-0.log"
    assert report.culprit is not None and report.culprit.pod == "slice-0"


FETCHED = """
step 40 loss 0.612
Traceback (most recent call last):
  File "/opt/lib/python3.11/site-packages/torch/utils/data/_utils/worker.py", line 374, in _worker_loop
    data = fetcher.fetch(index)
  File "/srv/train.py", line 8, in __getitem__
    return torch.load("/data/shards/shard_00333.pt")
  File "/opt/lib/python3.11/site-packages/torch/serialization.py", line 776, in __init__
    super().__init__(open(name, mode))
FileNotFoundError: [Errno 2] No such file or directory: '/data/shards/shard_00333.pt'
"""


def test_tensors_that_are_fetched_as_samples_are_no_checkpoint_to_resume_from(tmp_path: Path) -> None:
    assert told(tmp_path, train__log=FETCHED).failure_mode == "data/file-missing"
    resumed = FETCHED.replace("in _worker_loop", "in main").replace("in __getitem__", "in resume")
    assert told(tmp_path, train__log=resumed).failure_mode == "ckpt/not-found"


RANK = """
2026-05-12T09:30:00Z [rank8] step 900 loss 2.01
2026-05-12T09:31:05Z [rank8]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:2251, remote process exited or there was a network error, NCCL version 2.21.5
2026-05-12T09:31:05Z [rank8]: ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.
2026-05-12T09:31:05Z [rank8]: Last error: socketPollConnect: Connect to 10.2.0.7<43211> failed with error Connection refused
"""


@pytest.mark.parametrize("clock", ["2026-05-12T09:31:05Z ", ""])
def test_what_a_rank_says_of_its_collective_reports_no_stage(tmp_path: Path, clock: str) -> None:
    report = told(tmp_path, worker__log=RANK.replace("2026-05-12T09:31:05Z ", clock))
    assert report.primary_cause == "nccl-distributed"
    assert not any("stage" in one.claim for one in report.evidence)


@pytest.mark.parametrize(
    "end",
    [
        "进程退出,返回码 1",
        "プロセス終了コード: 1",
        "프로세스 종료 코드: 1",
        "Процесс завершён, код возврата 1",
        "terminé, code de sortie 1",
        "fin del proceso, código de salida: 1",
        "processo encerrado, código de saída 1",
        "beendet, Rückgabewert 1",
    ],
)
def test_a_code_that_says_how_it_ended_is_no_result_in_any_language(tmp_path: Path, end: str) -> None:
    log = "".join(f"step {at} loss {2 - at / 500:.3f}\n" for at in range(60))
    assert told(tmp_path, train__log=f"{log}{end}\n").run_status != "completed"
