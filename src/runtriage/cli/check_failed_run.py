"""`runtriage check-failed-run`: the arguments and habits of the check-failed-run convention."""

from __future__ import annotations

from pathlib import Path

from runtriage.cli import flags
from runtriage.cli.chosen import chosen
from runtriage.cli.diagnosis import diagnose as run

HELP = """
The same diagnosis with the habits of the check-failed-run convention.

Reads the last 500 lines of each log, and writes check-failed-run.json into --out-dir or the working folder.

\b
  runtriage check-failed-run train.log --framework pytorch --task language-modeling
  runtriage check-failed-run outputs/ --out-dir report/ --last 2000
  runtriage check-failed-run --traceback < pasted.txt
"""


def command(
    target: flags.Targets = None,
    last: flags.Last = 500,
    framework: flags.Framework = None,
    task: flags.Task = None,
    artifacts: flags.Artifacts = None,
    data: flags.Data = None,
    label_column: flags.LabelColumn = None,
    traceback: flags.Traceback = False,
    once: flags.Once = False,
    interval: flags.Interval = None,
    no_history: flags.NoHistory = False,
    out_dir: flags.OutDir = None,
    redact: flags.Redact = None,
    run_id: flags.RunId = None,
    exit_zero: flags.ExitZero = False,
    pid: flags.Pid = None,
    proc: flags.Proc = None,
    wandb: flags.Wandb = None,
    mlflow: flags.Mlflow = None,
    vertex: flags.Vertex = None,
    project: flags.Project = None,
    region: flags.Region = None,
) -> int:
    """Diagnose, write the convention's document and return the exit code."""
    return run(chosen(locals() | {"out_dir": out_dir or Path()}))
