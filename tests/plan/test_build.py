from __future__ import annotations

from typing import Any

import msgspec
import pytest

from runtriage.model.catalogue import Catalogue
from runtriage.model.event import COMMAND, Event
from runtriage.model.facts import Checkpoint, Facts, Setting
from runtriage.model.finding import Evidence
from runtriage.model.options import Options
from runtriage.model.place import Citation
from runtriage.model.plan import Fix
from runtriage.model.verdict import Verdict
from runtriage.plan import plan

pytestmark = pytest.mark.usefixtures("untouched_world")


def fix(name: str, **changes: Any) -> Fix:
    content: dict[str, Any] = {
        "id": name,
        "action": name,
        "risk": "needs-approval",
        "expected_impact": "helps",
        "impact": 0.5,
        "minutes": 10,
        "reversible": True,
        "validate": "50 steps pass",
        "proceeds": True,
    }
    return Fix(**{**content, **changes})


RESTART = fix("restart-unchanged", risk="safe", command="{command}", impact=0.7)


def verdict(*fixes: str, **changes: Any) -> Verdict:
    content: dict[str, Any] = {
        "run_status": "crashed",
        "primary_class": "process-crash",
        "mode": "crash/segv",
        "confidence": 0.8,
        "summary": "s",
        "proximate": "p",
        "root_cause": "r",
        "fixes": fixes,
    }
    return Verdict(**{**content, **changes})


def catalogue(*fixes: Fix) -> Catalogue:
    return Catalogue({}, {item.id: item for item in fixes}, "")


def facts(command: str | None = None, checkpoints: tuple[Checkpoint, ...] = ()) -> Facts:
    place = Citation(artifact="train.log", first_line=1, last_line=1)
    events = (
        (Event(kind=COMMAND, name="c", citation=place, excerpt="", captures={"command": command}),) if command else ()
    )
    return Facts(target="run", options=Options(), events=events, checkpoints=checkpoints)


def test_steps_are_ordered_by_impact_against_risk() -> None:
    known = catalogue(fix("risky", risk="dangerous", impact=0.9), fix("good", impact=0.6), fix("better", impact=0.9))
    built = plan(verdict("risky", "good", "better"), facts(), known)
    assert [step.action for step in built.steps] == ["better", "good", "risky"]


def test_at_equal_score_the_quick_step_comes_first() -> None:
    built = plan(
        verdict("slow", "quick"),
        facts(),
        catalogue(fix("slow", minutes=60, impact=0.42), fix("quick", minutes=5, impact=0.6)),
    )
    assert [step.action for step in built.steps] == ["quick", "slow"]


@pytest.mark.parametrize(
    ("name", "value", "advised"),
    [
        ("fp16", "True", True),
        ("dtype", "float16", True),
        ("precision", "16-mixed", True),
        ("fp16", "false", False),
        ("dtype", "bfloat16", False),
        ("precision", "bf16-mixed", False),
        ("lr", "0.5", False),
    ],
)
def test_another_half_precision_is_advised_only_where_float16_is_used(name: str, value: str, advised: bool) -> None:
    setting = Setting(name=name, value=value, citation=Citation(artifact="config.yaml", first_line=1, last_line=1))
    read = msgspec.structs.replace(facts(), settings=(setting,))
    built = plan(
        verdict("use-bfloat16", "lower", mode="nan/loss-nonfinite"), read, catalogue(fix("use-bfloat16"), fix("lower"))
    )
    assert ("use-bfloat16" in [step.fix for step in built.steps]) is advised


def test_a_safe_restart_whose_command_is_known_is_go() -> None:
    built = plan(verdict("restart-unchanged"), facts("python train.py --lr 1"), catalogue(RESTART))
    assert built.decision == "GO"
    assert "python train.py --lr 1" in built.next_commands


def test_a_restart_whose_command_nobody_gave_is_no_go_and_prints_no_placeholder() -> None:
    built = plan(verdict("restart-unchanged"), facts(), catalogue(RESTART))
    assert built.decision == "NO-GO"
    assert not any("{" in command for command in built.next_commands)


def test_a_deterministic_failure_is_never_answered_with_a_restart() -> None:
    built = plan(verdict("restart-unchanged", deterministic=True), facts("python train.py"), catalogue(RESTART))
    assert not built.steps


def test_a_change_that_needs_approval_is_no_go() -> None:
    assert plan(verdict("a"), facts(), catalogue(fix("a"))).decision == "NO-GO"


def test_reading_never_counts_as_proceeding() -> None:
    known = catalogue(fix("look", risk="safe", proceeds=False, impact=1.0), fix("change", impact=0.5))
    built = plan(verdict("look", "change"), facts(), known)
    assert built.steps[0].action == "look"
    assert built.decision == "NO-GO"


def test_a_run_that_did_not_fail_is_go() -> None:
    assert plan(verdict(run_status="completed", primary_class=None, mode=None), facts(), catalogue()).decision == "GO"


def test_the_newest_whole_checkpoint_is_named_and_not_a_newer_broken_one() -> None:
    made = [
        Checkpoint(path=f"ckpt/{step}", step=step, mtime=1.0, size=1, format="torch", valid=valid)
        for step, valid in ((100, True), (200, True), (300, False))
    ]
    built = plan(verdict(), facts(checkpoints=tuple(made)), catalogue())
    assert "ckpt/200" in built.steps[-1].action


def test_weights_alone_are_gone_on_from_only_where_nothing_holds_the_optimizer() -> None:
    def kept(step: int, *, optimizer: bool) -> Checkpoint:
        return Checkpoint(
            path=f"ckpt/{step}", step=step, mtime=1.0, size=1, format="torch", valid=True, optimizer=optimizer
        )

    both = (kept(200, optimizer=True), kept(300, optimizer=False))
    action = plan(verdict(), facts(checkpoints=both), catalogue()).steps[-1].action
    assert "ckpt/200" in action.split(",")[0]
    assert "ckpt/300 is newer and holds no state of the optimizer" in action
    alone = (kept(100, optimizer=False), kept(300, optimizer=False))
    assert "ckpt/300" in plan(verdict(), facts(checkpoints=alone), catalogue()).steps[-1].action


def test_a_missing_value_falls_back_to_the_plain_wording() -> None:
    known = catalogue(fix("a", action="Read {path}", plain="Read the file"))
    assert plan(verdict("a"), facts(), known).steps[0].action == "Read the file"


def test_the_remedy_its_author_put_first_comes_before_a_little_better_one() -> None:
    known = catalogue(fix("remedy", impact=0.8), fix("look", risk="safe", impact=0.5))
    assert [step.action for step in plan(verdict("remedy", "look"), facts(), known).steps] == ["remedy", "look"]
    assert [step.action for step in plan(verdict("look", "remedy"), facts(), known).steps] == ["look", "remedy"]


def test_a_command_takes_what_the_run_printed_as_one_word() -> None:
    known = catalogue(fix("look", risk="safe", command="ls -lat {folder}"))
    built = plan(verdict("look", values={"file": "/data/a b;reboot/last.pt"}), facts(), known)
    assert built.steps[0].command == "ls -lat '/data/a b;reboot'"


@pytest.mark.parametrize("file", ["train.log", "ckpt/last.pt", ""])
def test_a_command_whose_place_is_not_known_is_left_out(file: str) -> None:
    known = catalogue(fix("look", risk="safe", command="ls -lat {folder}"))
    assert plan(verdict("look", values={"file": file}), facts(), known).steps[0].command is None


@pytest.mark.parametrize(
    ("artifact", "excerpt", "settings", "job"),
    [
        ("logs/slurm-88213.out", "Killed", {}, "88213"),
        ("slurm-88213_4.out.gz", "Killed", {}, "88213_4"),
        ("train.log", "/var/spool/slurmd/job90002/slurm_script: line 14: 20011 Killed    python train.py", {}, "90002"),
        ("train.log", "slurmstepd: error: *** STEP 7001.0 ON gpu03 CANCELLED AT 2026-11-23T22:00:14 ***", {}, "7001"),
        ("train.log", "Killed", {"SLURM_JOB_ID": "4711"}, "4711"),
        ("train.log", "StepId=12.batch", {"SLURM_JOB_ID": "4711"}, None),
        ("train.log", "Killed", {}, None),
    ],
)
def test_the_record_of_a_job_is_asked_for_by_the_number_that_the_run_tells(
    artifact: str, excerpt: str, settings: dict[str, str], job: str | None
) -> None:
    place = Citation(artifact=artifact, first_line=9, last_line=9)
    told = verdict("find-sender", root=place, evidence=(Evidence(claim="", citation=place, excerpt=excerpt),))
    known = Facts(
        target="run",
        options=Options(),
        settings=tuple(Setting(name=name, value=value, citation=place) for name, value in settings.items()),
    )
    (step,) = plan(told, known, catalogue(fix("find-sender", risk="safe", command="sacct -j {slurm_job}"))).steps
    assert step.command == (f"sacct -j {job}" if job else None)


def test_where_no_folder_is_known_the_command_looks_at_all_of_them() -> None:
    space = fix("space", risk="safe", command="df -h {folder}", plain_command="df -h")
    assert plan(verdict("space"), facts(), catalogue(space)).steps[0].command == "df -h"
    known = verdict("space", values={"path": "/mnt/runs/last.pt"})
    assert plan(known, facts(), catalogue(space)).steps[0].command == "df -h /mnt/runs"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("no rows in /data/night/part-3", True),
        ("[Errno 2] No such file or directory: 'rows.csv'", True),
        ("cannot read s3://bucket/rows", True),
        ("expected 4 rows per block, got 3", False),
        ("<b>x</b> | a/b, see mia@lab.example 10.1.2.3", False),
    ],
)
def test_a_message_is_told_as_where_data_is_only_where_it_names_a_place(message: str, told: bool) -> None:
    step = fix("data", action="Correct it: {path_message}", plain="Look at the data")
    made = plan(verdict("data", values={"message": message}), facts(), catalogue(step))
    assert made.steps[0].action == (f"Correct it: {message}" if told else "Look at the data")
