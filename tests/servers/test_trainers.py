"""Trainers that really fail with our callback in them: the exception and the exit code are theirs, the diagnosis lies beside the run.

The trainers come from the environments of the zoo, which are large: `make test-trainers` makes them first; elsewhere these tests are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from zoo.layout import venvs_folder

import runtriage

pytestmark = pytest.mark.server

LIGHTNING = """
import lightning, torch
from runtriage.launch.callbacks import lightning as callback
class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)
    def training_step(self, batch, index):
        if index == 6: {end}
        loss = self.layer(batch).mean()
        self.log("train_loss", loss)
        return loss
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)
quiet = dict(logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
trainer = lightning.Trainer(max_epochs=1, accelerator="cpu", callbacks=[callback("out")], **quiet)
trainer.fit(Model(), torch.utils.data.DataLoader(torch.ones(64, 2), batch_size=4))
print("fitted")
"""
HUGGING_FACE = """
import torch
from transformers import Trainer, TrainingArguments
from runtriage.launch.callbacks import hugging_face
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.count = torch.nn.Linear(2, 1), 0
    def forward(self, x, labels):
        self.count += 1
        if self.count == 6: {end}
        return {{"loss": ((self.layer(x) - labels) ** 2).mean()}}
rows = [{{"x": torch.ones(2), "labels": torch.ones(1)}} for _ in range(64)]
args = TrainingArguments(output_dir="out", logging_steps=1, report_to=[], use_cpu=True, save_strategy="no", num_train_epochs=1)
Trainer(model=Model(), args=args, train_dataset=rows, callbacks=[hugging_face("out")]).train()
print("fitted")
"""
BOTH = pytest.mark.parametrize(("venv", "program"), [("lightning", LIGHTNING), ("transformers", HUGGING_FACE)])
FAILS, ENDS, FINE = "raise ValueError('no colour')", "raise SystemExit(4)", "pass"


def train(folder: Path, venv: str, program: str, end: str) -> subprocess.CompletedProcess[str]:
    """Run a training in an environment of the zoo, with this checkout and what it needs behind everything that is there."""
    python = venvs_folder() / venv / "bin" / "python"
    if not python.exists():
        pytest.skip(f"there is no environment {python.parent.parent}; make test-trainers makes it")
    behind = [str(Path(runtriage.__file__).parent.parent), sysconfig.get_paths()["purelib"]]
    (folder / "train.py").write_text(f"import sys\nsys.path += {behind!r}\n" + program.format(end=end), "utf-8")
    return subprocess.run(
        [str(python), "train.py"],
        cwd=folder,
        env=os.environ
        | {"HOME": str(folder), "RUNTRIAGE_HISTORY": "off", "PYTHONWARNINGS": "ignore", "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def document(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "out" / "check-failed-run.json").read_text("utf-8"))


@BOTH
def test_a_training_that_fails_leaves_its_diagnosis_and_its_own_exception(
    tmp_path: Path, venv: str, program: str
) -> None:
    done = train(tmp_path, venv, program, FAILS)
    assert done.returncode == 1
    assert done.stderr.count("\nValueError: no colour\n") == 1
    told = document(tmp_path)
    assert "no colour" in told["summary"] and "after step " in told["summary"]


@BOTH
@pytest.mark.parametrize(("end", "code"), [(ENDS, 4), (FINE, 0)])
def test_what_is_no_failure_leaves_nothing(tmp_path: Path, venv: str, program: str, end: str, code: int) -> None:
    done = train(tmp_path, venv, program, end)
    assert done.returncode == code, done.stderr
    assert not (tmp_path / "out" / "check-failed-run.json").exists()


@BOTH
def test_a_place_that_cannot_be_written_masks_nothing(tmp_path: Path, venv: str, program: str) -> None:
    (tmp_path / "out").write_text("a file", "utf-8")
    broken = program.replace('output_dir="out"', 'output_dir="elsewhere"')
    done = train(tmp_path, venv, broken, FAILS)
    assert done.returncode == 1
    assert done.stderr.count("\nValueError: no colour\n") == 1
