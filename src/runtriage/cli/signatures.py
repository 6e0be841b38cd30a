"""`runtriage signatures`: the catalogue of failure signatures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runtriage.cli import flags
from runtriage.cli.errors import CommandError
from runtriage.cli.files import show as print_text
from runtriage.cli.files import write
from runtriage.model.exit_code import UNUSABLE

if TYPE_CHECKING:
    from runtriage.model.catalogue import Catalogue

HELP = """
List, show, check and draft failure signatures.

\b
  runtriage signatures list
  runtriage signatures new oom/my-allocator
  runtriage signatures test oom/my-allocator
"""

DraftFolder = Annotated[Path, typer.Option("--signatures", metavar="DIR", help="Folder that drafts lie in.")]

app = typer.Typer(rich_markup_mode="rich", no_args_is_help=True)


@app.command("list")
def list_(signatures: flags.SignatureFolders = None) -> int:
    """Print one line for each signature.

    Those of installed packages and of your own folders are among them.

    \b
      runtriage signatures list
      runtriage signatures list --signatures mine/
    """
    from runtriage.signatures.listing import list_text

    print_text(list_text(_catalogue(signatures)) + "\n")
    return 0


@app.command()
def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="Id of a signature.")],
    signatures: flags.SignatureFolders = None,
) -> int:
    """Print everything known about one signature.

    Evidence in a report that a signature found names its id.

    \b
      runtriage signatures show oom/gpu-alloc.torch
    """
    from runtriage.signatures.listing import show_text

    print_text(show_text(_catalogue(signatures), id) + "\n")
    return 0


@app.command()
def fixes(signatures: flags.SignatureFolders = None) -> int:
    """Print one line for each fix that a signature may name.

    \b
      runtriage signatures fixes
    """
    from runtriage.signatures.listing import fixes_text

    print_text(fixes_text(_catalogue(signatures)) + "\n")
    return 0


@app.command()
def test(
    file: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Signature files, or names that were given to new; all packaged ones without.",
            show_default=False,
        ),
    ] = None,
    folder: DraftFolder = Path("signatures"),
) -> int:
    """Run the examples of signature files as tests, and check that no two files claim one text.

    Leaves with 1 when something is wrong, and says what.

    \b
      runtriage signatures test oom/my-allocator
      runtriage signatures test mine/oom/my-allocator.toml
      runtriage signatures test
    """
    from runtriage.redact import clean
    from runtriage.signatures.check import check_files

    files = [_drafted(each, folder) for each in file or ()]
    problems = check_files(files, clean)
    print_text("".join(f"{problem}\n" for problem in problems) or f"{_counted(files)}: every example holds\n")
    return 1 if problems else 0


@app.command()
def new(
    name: Annotated[
        str, typer.Argument(metavar="CLASS/NAME", help="Primary class and a name, such as oom/my-allocator.")
    ],
    folder: DraftFolder = Path("signatures"),
) -> int:
    """Draft a signature file with every key explained.

    Put the text you saw into an example, write the pattern, test the file, use its folder.

    \b
      runtriage signatures new oom/my-allocator
      runtriage train.log --signatures signatures/
    """
    from runtriage.signatures.scaffold import draft

    path, content = draft(name)
    place = folder / path
    if place.exists():
        raise CommandError(f"{place} exists already; choose another name")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{place.parent}: {(error.strerror or '').lower()}", UNUSABLE) from None
    write(place, content)
    print_text(f"{place}: fill it in, then run: runtriage signatures test {place}\n")
    return 0


def _catalogue(folders: list[Path] | None) -> Catalogue:
    from runtriage.cli.settings import config
    from runtriage.signatures import load

    return load([*config().signatures.folders, *(folders or ())])


def _drafted(file: Path, folder: Path) -> Path:
    """Return the draft that a name given to `new` stands for; a file stays itself."""
    draft = folder / f"{file}.toml"
    return draft if not file.exists() and draft.is_file() else file


def _counted(files: list[Path]) -> str:
    return f"{len(files)} file{'s' if len(files) > 1 else ''}" if files else "all packaged signatures"
