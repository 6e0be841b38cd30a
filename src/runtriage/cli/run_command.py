"""`runtriage run`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from runtriage.cli.errors import CommandError

if TYPE_CHECKING:
    from runtriage.launch.run import Kept

HELP = """
Run a command as it is, keep its output, and say why when it fails.

Terminal, signals, exit code and output of the command stay as they are; on success nothing is added.
The log is kept among the user's state (or in RUNTRIAGE_RUNS) and can be diagnosed again at any time.

\b
  runtriage run -- python train.py --lr 1e-4
  runtriage run --name bert -- torchrun --nproc-per-node 8 train.py
  runtriage run --hang-timeout 10m -- python train.py
  srun runtriage run -- python train.py      one line a job, not a rank
"""

_TIME = re.compile(r"(\d+(?:\.\d+)?)(s|m|h|d)?")
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}

Command = Annotated[list[str], typer.Argument(metavar="COMMAND...", help="What to run, with its arguments.")]
Name = Annotated[str | None, typer.Option(metavar="NAME", help="Name of the folder the run is kept in.")]
HangTimeout = Annotated[
    str | None,
    typer.Option(
        metavar="TIME", help="Take stacks of all its Python processes after so long without output: 90s, 10m."
    ),
]

SETTINGS: Final = {"allow_interspersed_args": False}
"""What follows the command to run belongs to it."""


def command(command: Command, name: Name = None, hang_timeout: HangTimeout = None) -> int:
    """Run the command and return its exit code."""
    limit = None if hang_timeout is None else seconds("--hang-timeout", hang_timeout)
    from runtriage.launch.child import leave
    from runtriage.launch.run import run

    kept = run(command, name=name, hang_timeout=limit)
    if kept.speaks and kept.folder is not None and sys.stderr is not None:
        _report(kept, kept.folder)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    return leave(kept.ended)


def seconds(flag: str, text: str) -> float:
    """Return a time such as `90s`, `10m` or `600` in seconds. Ends the command for anything else."""
    found = _TIME.fullmatch(text.strip().lower())
    if found is None or not float(found[1]):
        raise CommandError(f"{flag}: {text!r} is no time; write it as 90s, 10m or 2h")
    return float(found[1]) * _UNITS[found[2] or "s"]


def _report(kept: Kept, folder: Path) -> None:
    """Print the diagnosis on standard error; a fault of ours changes nothing for the run."""
    from runtriage.cli.quick import quick_imports

    try:
        with quick_imports():
            from runtriage.api.diagnosis import diagnose
        from runtriage.cli.remembered import remembering
        from runtriage.cli.settings import config, preferred
        from runtriage.store.cache import user_cache

        with remembering() as history:
            report = diagnose(
                str(folder),
                options=preferred(),
                signatures=config().signatures.folders,
                cache=user_cache(),
                history=history,
            )
    except Exception as error:  # noqa: BLE001 - the command's own end must reach the caller whatever happens here
        sys.stderr.write(f"runtriage: no diagnosis ({type(error).__name__}); the log is in {folder}\n")
        return
    if kept.place is not None:
        sys.stderr.write(
            f"runtriage: rank {kept.place.rank} of {kept.place.size} failed first here: {report.summary} "
            f"More: runtriage {folder}\n"
        )
        return
    from runtriage.render import terminal

    sys.stderr.write(f"\n{terminal.plain(report)}\nKept in {folder}\n")
