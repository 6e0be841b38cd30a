"""What a person is told to do first: it fits the run that failed, and uses what the run itself tells."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import runtriage

_STEPS = "".join(f"step {step} loss {1 / (step + 1):.3f}\n" for step in range(30))
_HOST = """{steps}Traceback (most recent call last):
  File "/app/fill.py", line 6, in <module>
    rows.append(torch.randn(1024, 1024, 8))
RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to \
allocate {asked} bytes. Error code 12 (Cannot allocate memory)
"""
_GPU = """{head}{steps}Traceback (most recent call last):
  File "/app/tune.py", line 74, in main
    loss = model(**batch).loss
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.91 GiB. GPU 0 has a total capacity of 79.10 GiB of which \
2.11 GiB is free. Including non-PyTorch memory, this process has 76.98 GiB memory in use.
"""
_POD = """Name:             tune-0
Namespace:        ml
Node:             gpu-a/10.0.3.11
Status:           Running
Containers:
  trainer:
    State:          {state}
      Reason:       {reason}
    Last State:     {last}
    Ready:          False
    Restart Count:  4
    Limits:
      memory:          32Gi
"""
_KILLED = """Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Finished:     Mon, 30 Nov 2026 01:31:40 +0000"""


def diagnosed(tmp_path: Path, text: str, name: str = "train.log") -> runtriage.Report:
    log = tmp_path / name
    log.write_text(text, encoding="utf-8")
    return runtriage.diagnose(str(log))


def actions(report: runtriage.Report) -> list[str]:
    return [step.action for step in report.plan]


@pytest.mark.parametrize(("asked", "blocks"), [(33554432, False), (14400000000, True)])
def test_work_in_blocks_is_advised_only_where_one_request_is_large(tmp_path: Path, asked: int, blocks: bool) -> None:
    report = diagnosed(tmp_path, _HOST.format(steps=_STEPS, asked=asked))
    assert any(action.startswith("Work in blocks") for action in actions(report)) is blocks
    assert not any("GPU memory" in step.action and "no GPU" not in step.action for step in report.plan)
    assert any(command.startswith("free -h") for command in report.next_commands)


@pytest.mark.parametrize(
    ("head", "shares"),
    [("world_size=1 device=cuda:0\n", None), ("", None), ("world_size=8 device=cuda\n", "over the 8 GPUs")],
)
def test_one_gpu_is_not_told_to_share_with_others(tmp_path: Path, head: str, shares: str | None) -> None:
    told = "\n".join(actions(diagnosed(tmp_path, _GPU.format(head=head, steps=_STEPS))))
    assert (shares in told) if shares else "FSDP" not in told


def test_a_damaged_checkpoint_is_answered_with_the_newest_whole_one_first(tmp_path: Path) -> None:
    saved = tmp_path / "checkpoints"
    saved.mkdir()
    for step in (100, 200, 300):
        with zipfile.ZipFile(saved / f"step_{step}.pt", "w") as archive:
            archive.writestr("archive/data.pkl", b"\x80\x02}q\x00.")
            archive.writestr("archive/version", b"3\n")
    newest = saved / "step_300.pt"
    newest.write_bytes(newest.read_bytes()[:90])
    text = (
        'resuming from checkpoints/step_300.pt\nTraceback (most recent call last):\n  File "/app/t.py", line 10, in '
        "<module>\n    state = torch.load(path)\nRuntimeError: PytorchStreamReader failed reading zip archive: failed "
        "finding central directory\n"
    )
    (tmp_path / "train.log").write_text(text, encoding="utf-8")
    first, *rest = actions(runtriage.diagnose(str(tmp_path)))
    assert "checkpoints/step_200.pt" in first
    assert not any("newest earlier checkpoint" in action for action in rest)
    alone = diagnosed(saved, text, "alone.txt")
    assert "newest" in actions(alone)[0]


def test_a_full_shared_segment_is_looked_at(tmp_path: Path) -> None:
    text = (
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\n"
        "RuntimeError: DataLoader worker (pid(s) 312) exited unexpectedly\n"
    )
    assert "df -h /dev/shm" in diagnosed(tmp_path, text).next_commands


@pytest.mark.parametrize(
    ("state", "reason", "last", "command"),
    [
        ("Waiting", "CrashLoopBackOff", _KILLED, "kubectl -n ml logs tune-0 -c trainer --previous"),
        (
            _KILLED.partition("\n")[0],
            _KILLED.partition("\n")[2].split(":", 1)[1].strip(),
            "",
            "kubectl -n ml logs tune-0 -c trainer",
        ),
        ("Waiting", "ErrImagePull", "", "kubectl -n ml describe pod tune-0"),
    ],
)
def test_the_named_pod_is_asked(tmp_path: Path, state: str, reason: str, last: str, command: str) -> None:
    text = _POD.format(state=state, reason=reason, last=last).replace("    Last State:     \n", "")
    assert command in diagnosed(tmp_path, text, "describe-pod.txt").next_commands


def test_the_record_of_the_job_is_read_where_slurm_ended_it(tmp_path: Path) -> None:
    text = f"{_STEPS}slurmstepd: error: Detected 1 oom_kill event in StepId=48300.0. Some of the step tasks have been OOM Killed.\n"
    report = diagnosed(tmp_path, text, "slurm-48300.out")
    assert any(command.startswith("sacct -j 48300 ") for command in report.next_commands)


@pytest.mark.parametrize(
    "text",
    [
        (
            "huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1-66b)\n\nCannot access gated repo for url "
            "https://huggingface.co/kite-lab/Kite-8B/resolve/main/config.json.\nAccess to model kite-lab/Kite-8B is restricted. You "
            "must have access to it and be authenticated to access it. Please log in.\n"
        ),
        (
            "huggingface_hub.errors.RepositoryNotFoundError: 404 Client Error. (Request ID: Root=1-66b)\n\nRepository Not Found for "
            "url: https://huggingface.co/api/datasets/kite-lab/Kite-8B/revision/main.\nPlease make sure you specified the correct "
            "`repo_id` and `repo_type`.\n"
        ),
    ],
)
def test_a_repository_that_may_not_be_read_is_named(tmp_path: Path, text: str) -> None:
    report = diagnosed(tmp_path, text)
    assert report.failure_mode == "perm/hf-gated"
    assert all("kite-lab/Kite-8B" in action and "Kite-8B/" not in action for action in actions(report)[:2])


def test_every_place_shows_what_stands_there(tmp_path: Path) -> None:
    report = diagnosed(
        tmp_path, _POD.format(state="Waiting", reason="CrashLoopBackOff", last=_KILLED), "describe-pod.txt"
    )
    assert all(item.excerpt for item in report.evidence)
