import inspect
from pathlib import Path

import pytest
from msgspec.structs import replace

from runtriage.api.exit_codes import of
from runtriage.cli import check_failed_run, diagnose
from runtriage.cli.chosen import chosen
from runtriage.cli.errors import CommandError
from runtriage.cli.main import with_command
from runtriage.cli.progress import ProgressLine
from runtriage.cli.settings import instant
from runtriage.model.report import Coverage, Culprit, LastProgress, Report, RootCause, Tool


def _defaults(command, **given: object) -> dict[str, object]:
    return {name: parameter.default for name, parameter in inspect.signature(command).parameters.items()} | given


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ([], ["--help"]),
        (["train.log"], ["diagnose", "train.log"]),
        (["--traceback"], ["diagnose", "--traceback"]),
        (["-"], ["diagnose", "-"]),
        (["verify", "r.json"], ["verify", "r.json"]),
        (["./verify"], ["diagnose", "./verify"]),
        (["--help"], ["--help"]),
    ],
)
def test_a_first_word_that_is_no_command_is_a_target(given: list[str], meant: list[str]) -> None:
    assert with_command(given) == meant


@pytest.mark.parametrize(
    ("flags", "targets"),
    [
        ({"target": ["a.log", "b.log"]}, ["a.log", "b.log"]),
        ({"target": ["a.log"], "artifacts": ["out"]}, ["a.log", "out"]),
        ({"artifacts": ["out"]}, ["out"]),
        ({"traceback": True}, ["-"]),
        ({"target": ["t.txt"], "traceback": True}, ["t.txt"]),
        ({"pid": 4321}, ["pid:4321"]),
        ({"proc": "train"}, ["proc:train"]),
        ({"wandb": "team/run"}, ["wandb:team/run"]),
        ({"mlflow": "abc"}, ["mlflow:abc"]),
        ({"vertex": "7", "project": "p"}, ["vertex:projects/p/locations/us-central1/pipelineJobs/7"]),
        ({"vertex": "7", "project": "p", "region": "eu"}, ["vertex:projects/p/locations/eu/pipelineJobs/7"]),
        ({"vertex": "projects/p/locations/r/pipelineJobs/7"}, ["vertex:projects/p/locations/r/pipelineJobs/7"]),
    ],
)
def test_flags_are_spellings_of_targets(flags: dict[str, object], targets: list[str]) -> None:
    assert list(chosen(_defaults(diagnose.command, **flags)).targets) == targets


def test_every_parameter_of_a_command_reaches_the_choices() -> None:
    choices = chosen(
        _defaults(
            diagnose.command,
            target=["x"],
            last=5,
            framework="jax",
            task="regression",
            label_column="y",
            context=3,
            redact="strict",
            format="json",
            output=Path("o"),
            out_dir=Path("d"),
            run_id="r",
            no_cache=True,
            exit_zero=True,
            as_of="1",
            signatures=[Path("s")],
        )
    )
    assert (choices.last, choices.framework, choices.task, choices.label_column) == (5, "jax", "regression", "y")
    assert (choices.context, choices.redact, choices.format, choices.output) == (3, "strict", "json", Path("o"))
    assert (choices.out_dir, choices.run_id, choices.no_cache, choices.exit_zero, choices.as_of) == (
        Path("d"),
        "r",
        True,
        True,
        "1",
    )


def test_the_convention_reads_500_lines_by_default() -> None:
    assert chosen(_defaults(check_failed_run.command, target=["x"])).last == 500


def test_a_time_needs_a_zone() -> None:
    assert instant("1970-01-01T00:01:00Z") == instant("1970-01-01T02:01:00+02:00") == instant("60") == 60.0
    with pytest.raises(CommandError):
        instant("2026-05-14 02:00")


def _report(status: str, **changes: object) -> Report:
    blank = Report(
        tool=Tool(version="0"), target="x", run_id="r", timestamp="t", duration_seconds=0, run_status=status, framework="unknown",
        primary_cause=None, failure_mode=None, confidence_score=0, confidence="low", decision="NO-GO", summary="",
        root_cause=RootCause(proximate="", root=""), culprit=Culprit(), last_progress=LastProgress(),
    )  # fmt: skip
    return replace(blank, **changes)


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (_report("completed"), 0),
        (_report("recovered", primary_cause="oom"), 0),
        (_report("running"), 0),
        (_report("crashed", routed="preempted"), 0),
        (_report("crashed", primary_cause="oom"), 1),
        (_report("hung", primary_cause="stalled"), 1),
        (_report("degraded", primary_cause="evaluation-mismatch"), 1),
        (_report("diverged", primary_cause="nan-inf"), 1),
        (_report("unknown", abstained="too little"), 5),
        (_report("crashed", abstained="two causes fit"), 5),
        (_report("unknown", abstained="x", coverage=Coverage(files=0, not_seen=["pod (forbidden)"], denied=1)), 4),
        (_report("unknown", abstained="x", coverage=Coverage(files=0, not_seen=["dump (refused)"])), 5),
    ],
)
def test_the_exit_code_follows_the_report(report: Report, code: int) -> None:
    assert of(report) == code


def test_progress_is_silent_for_a_second_then_one_line_that_erases_itself(monkeypatch) -> None:
    import io

    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    stream = io.StringIO()
    line = ProgressLine(stream)
    line.advance(50, 100, 0)
    assert stream.getvalue() == ""
    clock[0] = 2.0
    line.advance(75_000_000, 100_000_000, 3)
    assert stream.getvalue().startswith("\rreading  75% (75 MB, ")
    line.erase()
    assert stream.getvalue().rsplit("\r", 2)[1].strip() == ""
