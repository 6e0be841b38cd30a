"""A program that diagnoses itself ends as it would have ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def test_a_lightning_run_that_fails_leaves_its_diagnosis(tmp_path: Path) -> None:
    lightning: Any = pytest.importorskip("lightning")
    torch: Any = pytest.importorskip("torch")
    from runtriage.launch.callbacks import lightning as callback

    class Model(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(2, 1)

        def training_step(self, batch: Any, index: int) -> Any:
            if index > 3:
                raise ValueError("no colour")
            return self.layer(batch).mean()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

    trainer = lightning.Trainer(
        max_epochs=1,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        accelerator="cpu",
        callbacks=[callback(tmp_path)],
    )
    with pytest.raises(ValueError, match="no colour"):
        trainer.fit(Model(), torch.utils.data.DataLoader(torch.ones(64, 2), batch_size=4))
    assert "no colour" in (tmp_path / "check-failed-run.json").read_text("utf-8")


def test_a_run_of_the_hugging_face_trainer_that_fails_leaves_its_diagnosis(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    program = """
import torch
from transformers import Trainer, TrainingArguments
from runtriage.launch.callbacks import hugging_face
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.count = torch.nn.Linear(2, 1), 0
    def forward(self, x, labels):
        self.count += 1
        if self.count > 4: raise ValueError("no colour")
        return {"loss": ((self.layer(x) - labels) ** 2).mean()}
rows = [{"x": torch.ones(2), "labels": torch.ones(1)} for _ in range(64)]
args = TrainingArguments(output_dir="out", logging_steps=1, report_to=[], use_cpu=True)
Trainer(model=Model(), args=args, train_dataset=rows, callbacks=[hugging_face("out")]).train()
"""
    done = run(tmp_path, program)
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("ValueError: no colour")
    assert "no colour" in (tmp_path / "out" / "check-failed-run.json").read_text("utf-8")
