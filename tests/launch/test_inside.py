"""A program that diagnoses itself ends as it would have ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from runtriage.launch.inside import Metrics, report_of, write
from tests.cli.running import environment

INSTALL = "import runtriage\nruntriage.install()\n"


def run(folder: Path, program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "train.py").write_text(program, "utf-8")
    return subprocess.run(
        [sys.executable, "train.py"],
        cwd=folder,
        env=environment(folder) | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def raised(message: str) -> ValueError:
    try:
        raise ValueError(message)
    except ValueError as error:
        return error


def test_the_traceback_stays_as_it_is_and_the_diagnosis_follows(tmp_path: Path) -> None:
    plain = run(tmp_path, "\n\nimport torch_not_there\n")
    done = run(tmp_path, INSTALL + "import torch_not_there\n")
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (1, "")
    assert done.stderr.startswith(plain.stderr)
    assert "Primary cause: config-error" in done.stderr
    assert "module torch_not_there" in done.stderr


def test_a_rank_of_a_larger_job_says_one_line(tmp_path: Path) -> None:
    done = run(tmp_path, INSTALL + "raise ValueError('no colour')\n", RANK="2", WORLD_SIZE="4")
    assert done.stderr.splitlines()[-1].startswith("runtriage: rank 2 of 4: Crashed")
    assert "Status:" not in done.stderr


@pytest.mark.parametrize(
    ("end", "code"), [("raise KeyboardInterrupt", -2), ("raise SystemExit(4)", 4), ("print('fine')", 0)]
)
def test_what_is_no_failure_adds_no_word(tmp_path: Path, end: str, code: int) -> None:
    done = run(tmp_path, INSTALL + f"{end}\n")
    assert done.returncode == code
    assert "Status:" not in done.stderr


def test_the_hook_that_was_there_before_still_runs_and_once_is_enough(tmp_path: Path) -> None:
    before = "import sys\nsys.excepthook = lambda *_: print('mine', file=sys.stderr)\n"
    done = run(tmp_path, before + INSTALL + INSTALL + "raise ValueError('no colour')\n")
    assert done.stderr.startswith("mine\n")
    assert done.stderr.count("Status:") == 1


def test_a_fault_of_ours_never_hides_the_exception(tmp_path: Path) -> None:
    broken = "import runtriage.launch.inside as inside\ninside.report_of = None\n"
    done = run(tmp_path, INSTALL + broken + "raise ValueError('no colour')\n")
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("ValueError: no colour")


def test_importing_is_silent_and_loads_next_to_nothing(tmp_path: Path) -> None:
    heavy = "('pydantic', 'typer', 'rich', 'hyperscan', 'runtriage.api', 'runtriage.pipeline', 'runtriage.targets')"
    done = run(tmp_path, INSTALL + f"import sys\nprint([name for name in {heavy} if name in sys.modules])\n")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_what_was_logged_before_is_part_of_the_diagnosis() -> None:
    metrics = Metrics()
    for step in range(1, 60):
        metrics.add(step, {"loss": 2.0 / step if step < 50 else float("nan"), "name": "words"})
    report = report_of(raised("loss is not finite"), metrics)
    assert report.last_progress.step == 59
    assert report.primary_cause == "nan-inf"


def test_the_document_is_written_and_ranks_do_not_overwrite_each_other(tmp_path: Path) -> None:
    for rank in (0, 3):
        write(raised("no colour"), Metrics(), tmp_path / "new", rank)
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == ["check-failed-run.json", "check-failed-run.rank3.json"]
    assert "no colour" in json.loads((tmp_path / "new" / names[0]).read_text("utf-8"))["summary"]


def test_a_place_that_cannot_be_written_is_no_second_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    write(raised("no colour"), Metrics(), tmp_path / "file", 0)


DISPATCHED = """
import sys
from types import SimpleNamespace
from transformers.trainer_callback import CallbackHandler, DefaultFlowCallback, TrainerControl, TrainerState
from runtriage.launch.callbacks import hugging_face

args, state, control = SimpleNamespace(process_index={rank}), TrainerState(), TrainerControl()
handler = CallbackHandler([DefaultFlowCallback(), hugging_face("out")], None, None, None, None)
handler.on_train_begin(args, state, control)
for state.global_step in range(1, 6):
    handler.on_log(args, state, control, {{"loss": 3.0 - state.global_step / 10, "note": "words"}})
{end}
"""
"""What the Trainer of Hugging Face does around its steps; the loop itself needs PyTorch, what calls the callbacks does not."""
FAILS, STOPS = "raise ValueError('no colour')", "handler.on_train_end(args, state, control)"


@pytest.mark.parametrize(("rank", "name"), [(0, "check-failed-run.json"), (3, "check-failed-run.rank3.json")])
def test_the_dispatcher_of_hugging_face_leaves_a_diagnosis_and_the_exception_alone(
    tmp_path: Path, rank: int, name: str
) -> None:
    done = run(tmp_path, DISPATCHED.format(rank=rank, end=FAILS))
    assert done.returncode == 1
    assert done.stderr.count("\nValueError: no colour\n") == 1
    told = json.loads((tmp_path / "out" / name).read_text("utf-8"))
    assert "no colour" in told["summary"] and "after step 5" in told["summary"]


@pytest.mark.parametrize(
    ("end", "code"), [(STOPS, 0), (f"{STOPS}\n{FAILS}", 1), ("raise SystemExit(4)", 4), ("raise KeyboardInterrupt", -2)]
)
def test_what_ends_otherwise_than_by_a_training_that_failed_leaves_no_document(
    tmp_path: Path, end: str, code: int
) -> None:
    assert run(tmp_path, DISPATCHED.format(rank=0, end=end)).returncode == code
    assert not (tmp_path / "out").exists()
