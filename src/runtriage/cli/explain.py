"""`runtriage explain`."""

from __future__ import annotations

from typing import Annotated

import typer

from runtriage.cli import flags
from runtriage.cli.errors import CommandError
from runtriage.cli.files import show

HELP = """
Explain a failure mode: what it means, how it is recognised, what helps.

A report names its mode as failure_mode.

\b
  runtriage explain oom/gpu-alloc
  runtriage explain nccl-distributed       all modes of a class
"""


def command(
    mode: Annotated[str, typer.Argument(metavar="MODE", help="A failure mode of a report, or a primary class.")],
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
    known = modes().get(mode) or modes().get(mode.partition(".")[0])
    if known is None:
        raise CommandError(_unknown(mode, [*PRIMARY_CLASSES, *modes()]))
    found = pages([*config().signatures.folders, *(signatures or ())])
    show(terminal(found[known.id]))
    return 0


def _unknown(mode: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(mode, known, n=3)
    hint = (
        f"did you mean {' or '.join(near)}?"
        if near
        else "give a class to list its modes, such as: runtriage explain oom"
    )
    return f"{mode} is no failure mode; {hint}"
