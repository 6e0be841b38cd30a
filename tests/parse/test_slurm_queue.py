"""A table of the queue says how one job stands; of several it does not say which is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.api.diagnosis import diagnose
from runtriage.model.artifact import Artifact
from runtriage.parse import recognise
from tests.parse.documents import parsed

HEADER = "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"


def row(code: str, last: str, job: str = "4411") -> str:
    return f"              {job}      h100    train      ana {code:>2}       0:00      2 {last}\n"


def told(text: str) -> list[tuple[str, str, str | None]]:
    events = parsed("squeue.txt", "slurm", text.encode()).events
    return [
        (
            event.captures["state"].raw,
            event.captures["reason"].raw if "reason" in event.captures else "",
            event.subject.node,
        )
        for event in events
    ]


def test_a_job_that_waits_says_why() -> None:
    assert told(HEADER + row("PD", "(QOSMaxGRESPerUser)")) == [("PENDING", "QOSMaxGRESPerUser", None)]


def test_a_reason_may_have_blanks() -> None:
    assert told(HEADER + row("PD", "(launch failed requeued held)"))[0][1] == "launch failed requeued held"


def test_a_job_that_runs_says_where() -> None:
    assert told(HEADER + row("R", "n07")) == [("RUNNING", "", "n07")]
    assert told(HEADER + row("R", "n[07-08]")) == [("RUNNING", "", None)]


def test_the_long_form_spells_states_out() -> None:
    long = "Mon Nov 16 10:00:00 2026\n" + HEADER.replace(" ST ", " STATE ")
    assert told(long + row("PENDING", "(Priority)")) == [("PENDING", "Priority", None)]


def test_of_several_jobs_none_is_taken() -> None:
    assert told(HEADER + row("PD", "(Priority)") + row("R", "n1", job="4412")) == []


def test_text_that_only_speaks_of_jobs_is_left_to_the_log_engine() -> None:
    assert recognise(Artifact(path="a.txt", kind="log"), b"JOBID is 77\nstep 1\n") is None


@pytest.mark.parametrize("reason", ["(Resources)", "(QOSMaxGRESPerUser)", "(AssocGrpGRES)"])
def test_a_job_that_waits_for_a_limit_is_no_failure(tmp_path: Path, reason: str) -> None:
    (tmp_path / "squeue.txt").write_text(HEADER + row("PD", reason))
    verdict = diagnose(str(tmp_path))
    assert (verdict.routed, verdict.primary_cause) == ("pending", None)


def test_a_job_that_can_never_start_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "squeue.txt").write_text(HEADER + row("PD", "(InvalidAccount)"))
    assert diagnose(str(tmp_path)).failure_mode == "quota/slurm-account"


def test_a_listing_below_its_command_and_a_date_is_read() -> None:
    text = "$ date; squeue -j 4411\nThu Nov 19 00:39:56 UTC 2026\n" + HEADER + row("R", "nm-001")
    assert recognise(Artifact(path="squeue.txt", kind="slurm"), text.encode()) is not None
    assert told(text) == [("RUNNING", "", "nm-001")]
