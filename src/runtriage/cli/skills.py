"""`runtriage skills`: skills for agents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from runtriage.cli.errors import CommandError
from runtriage.cli.files import show
from runtriage.model.exit_code import UNUSABLE

HELP = """
Skills for agents in the open Agent Skills format.

\b
  runtriage skills list
  runtriage skills install --dir ~/.agents/skills
"""

app = typer.Typer(rich_markup_mode="rich", no_args_is_help=True)


@app.command("list")
def list_() -> int:
    """Print the name and the description of each skill.

    \b
      runtriage skills list
    """
    from runtriage.skills.install import skills

    for name, text in skills().items():
        description = next(line for line in text.splitlines() if line.startswith("description: "))
        show(f"{name:<24} {description.removeprefix('description: ')}\n")
    return 0


@app.command()
def install(
    directory: Annotated[
        Path | None, typer.Option("--dir", metavar="DIR", help="Folder of skills; .agents/skills without it.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Overwrite skills that differ.")] = False,
) -> int:
    """Copy the skills to where agents look for them.

    \b
      runtriage skills install
      runtriage skills install --dir ~/.agents/skills
    """
    from runtriage.skills.install import DEFAULT, OccupiedError
    from runtriage.skills.install import install as write

    try:
        written = write((directory or DEFAULT).expanduser(), replace=replace)
    except OccupiedError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename}: {(error.strerror or '').lower()}", UNUSABLE) from None
    show("".join(f"{path}\n" for path in written))
    return 0
