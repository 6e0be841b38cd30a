"""`runtriage diagnose`."""

from __future__ import annotations

from runtriage.cli import flags
from runtriage.cli.chosen import chosen
from runtriage.cli.diagnosis import diagnose as run

HELP = """
Say why a run failed, with proof, and what to do next.

Reads everything that is given. Writes what it is told to, and the diagnosis into the history (--no-history).

\b
  runtriage diagnose outputs/run-17/
  runtriage diagnose a.log --artifacts outputs/ --framework pytorch
  runtriage diagnose a.log --last 500 --task language-modeling
  runtriage diagnose a.log --context 20
  runtriage diagnose a.log --redact strict --format markdown -o issue.md
  runtriage diagnose outputs/run-17/ --open
  kubectl logs trainer-0 --previous | runtriage diagnose -
"""


def command(
    target: flags.Targets = None,
    last: flags.Last = None,
    framework: flags.Framework = None,
    task: flags.Task = None,
    artifacts: flags.Artifacts = None,
    data: flags.Data = None,
    label_column: flags.LabelColumn = None,
    traceback: flags.Traceback = False,
    as_of: flags.AsOf = None,
    signatures: flags.SignatureFolders = None,
    no_cache: flags.NoCache = False,
    no_history: flags.NoHistory = False,
    once: flags.Once = False,
    interval: flags.Interval = None,
    format: flags.Format = None,
    output: flags.Output = None,
    open: flags.Open = False,
    out_dir: flags.OutDir = None,
    context: flags.Context = 0,
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
    """Diagnose and return the exit code."""
    return run(chosen(locals()))
