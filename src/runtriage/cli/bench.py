"""`runtriage bench`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from runtriage.cli.errors import CommandError

HELP = """
Score a diagnosis on the zoo of recorded failures: this program's, or another's.

Needs a checkout of the project; the zoo is not part of the installed package.

\b
  runtriage bench                              this program, development split
  runtriage bench --calibration                how often it was right at each confidence
  runtriage bench --ablations                  the loss with one source of evidence hidden
  runtriage bench --tool 'other-tool {log}'    another program's JSON or text
"""


def command(
    tool: Annotated[
        str, typer.Option(metavar="CMD", help="Score this command instead; {log} stands for the log or folder.")
    ] = "",
    calibration: Annotated[bool, typer.Option("--calibration", help="Draw the reliability diagram.")] = False,
    ablations: Annotated[
        bool, typer.Option("--ablations", help="Hide each source of evidence in turn and print the loss.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    checkout: Annotated[Path, typer.Option(metavar="DIR", help="The checkout that holds the zoo.")] = Path(),
) -> int:
    """Score and return the exit code."""
    options = [
        name for name, on in (("--calibration", calibration), ("--ablations", ablations), ("--json", json)) if on
    ]
    if tool:
        options += ["--tool", tool]
    return int(_scorer(checkout).main([*options, "--split", "dev"]))


def _scorer(checkout: Path) -> Any:
    if not (checkout / "zoo" / "score.py").is_file():
        raise CommandError(f"no zoo in {checkout.resolve()}; run this in a checkout or name one with --checkout")
    sys.path.insert(0, str(checkout.resolve()))
    return importlib.import_module("zoo.score")
