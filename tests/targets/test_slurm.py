"""A Slurm job through commands that print what Slurm 22.05 prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import runtriage
from runtriage.targets.errors import TargetError
from runtriage.targets.grammar import parse
from runtriage.targets.slurm import open_target

FIELDS = "JobIDRaw JobID JobName State ExitCode DerivedExitCode Reason Elapsed Timelimit MaxRSS ReqMem NodeList WorkDir"
TRACE = 'step 3 loss 1.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nValueError: label 12 is bad\n'


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put commands on the path that print a text; each also notes how it was called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    def put(name: str, body: str) -> Path:
        (folder / name).write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/{name}.calls\n{body}\n')
        (folder / name).chmod(0o755)
        return tmp_path / f"{name}.calls"

    return put


def accounting(state: str, code: str, work: Path, reason: str = "None") -> str:
    row = f"7|7|fit|{state}|{code}|0:0|{reason}|00:00:01|01:00:00||300M|vm1|{work}"
    header = FIELDS.replace(" ", "|")
    return f'case "$1" in --helpformat) echo "{FIELDS}";; *) printf "%s\\n" "{header}" "{row}";; esac'


def test_the_output_named_by_the_record_is_read_with_it(commands, tmp_path: Path) -> None:
    (tmp_path / "slurm-7.out").write_text(TRACE)
    calls = commands("sacct", accounting("FAILED", "1:0", tmp_path))
    report = runtriage.diagnose("slurm:7")
    assert (report.run_status, report.primary_cause) == ("crashed", "data-pipeline")
    assert {read.artifact for read in report.coverage.artifacts} == {"sacct.txt", "slurm-7.out"}
    asked = calls.read_text().splitlines()[-1]
    assert "--noconvert -D -j 7 -o JobIDRaw,JobID" in asked
    assert "StdOut" not in asked


def test_memory_that_ran_out_is_told_by_accounting_alone(commands, tmp_path: Path) -> None:
    commands("sacct", accounting("OUT_OF_MEMORY", "0:125", tmp_path))
    report = runtriage.diagnose("slurm:7")
    assert (report.primary_cause, report.failure_mode) == ("oom", "oom/slurm-step")
    assert any("slurm-7.out" in item for item in report.coverage.not_seen)


def test_the_controller_says_where_the_output_went(commands, tmp_path: Path) -> None:
    (tmp_path / "fit.log").write_text(TRACE)
    shown = f"JobId=7 JobName=fit\\n   JobState=FAILED Reason=NonZeroExitCode\\n   ExitCode=1:0 NodeList=vm1\\n   StdErr={tmp_path}/fit.log\\n   StdOut={tmp_path}/fit.log"
    calls = commands("scontrol", f'printf "{shown}\\n"')
    report = runtriage.diagnose("slurm:7")
    assert report.primary_cause == "data-pipeline"
    assert "show node vm1" in calls.read_text()


def test_a_job_that_accounting_calls_completed_while_its_output_ends_in_an_error_is_told(
    commands, tmp_path: Path
) -> None:
    (tmp_path / "slurm-7.out").write_text(TRACE)
    commands("sacct", accounting("COMPLETED", "0:0", tmp_path))
    report = runtriage.diagnose("slurm:7")
    assert report.run_status == "crashed"


def test_one_command_that_fails_leaves_the_other_alone(commands, tmp_path: Path) -> None:
    commands("sacct", accounting("TIMEOUT", "0:15", tmp_path))
    commands("scontrol", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1")
    report = runtriage.diagnose("slurm:7")
    assert report.failure_mode == "orch/time-limit"
    assert any("Invalid job id" in item for item in report.coverage.not_seen)


def test_a_job_nobody_knows_no_commands_and_no_id_have_their_exit_codes(commands, tmp_path: Path, monkeypatch) -> None:
    for text in ("slurm:7; rm x", "slurm:--help"):
        with pytest.raises(TargetError) as wrong:
            open_target(parse(text))
        assert wrong.value.code == 2
    commands("sacct", 'echo "JobIDRaw|JobID|State|ExitCode"')
    commands("scontrol", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1")
    with pytest.raises(TargetError, match="no record of job 7") as unknown:
        open_target(parse("slurm:7"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TargetError, match="sacct") as none:
        open_target(parse("slurm:7"))
    assert (unknown.value.code, none.value.code) == (3, 4)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("echo 'sacct: error: Slurm accounting storage is disabled' >&2; exit 1", 3),
        ("echo 'sacct: error: _open_persist_conn: failed to open persistent connection' >&2; exit 1", 4),
        (f'case "$1" in --helpformat) echo "{FIELDS}";; *) echo "{FIELDS.replace(" ", "|")}";; esac', 3),
    ],
    ids=["switched-off", "out-of-reach", "answers"],
)
def test_a_job_is_unknown_only_where_accounting_answered_or_is_not_kept(commands, said: str, code: int) -> None:
    commands("sacct", said)
    commands("scontrol", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1")
    with pytest.raises(TargetError, match="no record of job 7") as refused:
        open_target(parse("slurm:7"))
    assert refused.value.code == code
