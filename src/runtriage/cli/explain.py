"""`runtriage explain`."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from runtriage.cli import flags
from runtriage.cli.errors import CommandError
from runtriage.cli.files import show
from runtriage.model.pattern import deferred

_XID: Final = deferred(r"(?:xid[-: ]?)?(\d{1,4})")
_SUSPECTS: Final = {
    "app": "the program",
    "app-first": "the program, then the hardware",
    "driver": "the driver",
    "hardware": "the hardware",
    "symptom": "another event, which this one follows",
    "information": "nothing: it informs",
}

HELP = """
Explain a failure mode, or an Xid number of a GPU: what it means, how it is recognised, what helps.

A report names its mode as failure_mode.

\b
  runtriage explain oom/gpu-alloc
  runtriage explain xid-79                 a number that NVIDIA's driver prints
  runtriage explain nccl-distributed       all modes of a class
"""


def command(
    mode: Annotated[
        str, typer.Argument(metavar="MODE", help="A failure mode of a report, a primary class, or an Xid number.")
    ],
    signatures: flags.SignatureFolders = None,
) -> int:
    """Explain and return the exit code."""
    from runtriage.api.pages import pages
    from runtriage.cli.settings import config
    from runtriage.model.taxonomy import PRIMARY_CLASSES, modes
    from runtriage.render.page import terminal

    if mode in PRIMARY_CLASSES:
        show("".join(f"{each.id:<40}  {each.title}\n" for each in modes().values() if each.primary_class == mode))
        return 0
    if found := _XID.fullmatch(mode.lower()):
        mode = _of_number(int(found[1]))
        if not mode:
            return 0
    known = modes().get(mode) or modes().get(mode.partition(".")[0])
    if known is None:
        raise CommandError(_unknown(mode, [*PRIMARY_CLASSES, *modes()]))
    written = pages([*config().signatures.folders, *(signatures or ())])
    show(terminal(written[known.id]))
    return 0


def _of_number(number: int) -> str:
    """Print what an Xid number means and return the mode it stands for; empty where it stands for none. Ends the command for unknown ones."""
    from runtriage.model.xids import xids

    row = xids().get(number)
    if row is None:
        raise CommandError(f"Xid {number} is in no row of the table of numbers; NVIDIA's Xid catalogue may tell of it")
    meaning = f"Xid {number} ({row.mnemonic}): {row.meaning}.\nSuspected first: {_SUSPECTS[row.who]}.\n"
    show(meaning + ("\n" if row.mode else "It stands for no failure of a run.\n"))
    return row.mode


def _unknown(mode: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(mode, known, n=3)
    hint = (
        f"did you mean {' or '.join(near)}?"
        if near
        else "give a class to list its modes, such as: runtriage explain oom"
    )
    return f"{mode} is no failure mode; {hint}"
