"""`runtriage checkpoints`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from msgspec import to_builtins

from runtriage.cli.errors import CommandError
from runtriage.cli.files import show
from runtriage.model.exit_code import ABSTAINED, FAILED, NO_ACCESS, NOT_FOUND, OK

if TYPE_CHECKING:
    from runtriage.api.checkpoints import Inventory
    from runtriage.model.report import CheckpointModel

_NONE: Final = "no checkpoint was found; name the folder that holds them, or one of their files"

HELP = """
List the checkpoints of a run, say which are whole, and name the last good one.

Reads headers, directories and sizes; nothing is loaded, no pickle is run. --deep also reads the weights of safetensors and torch files.

\b
  runtriage checkpoints outputs/run-17/
  runtriage checkpoints outputs/run-17/ --deep
  runtriage checkpoints outputs/run-17/ --format json

Leaves with 0 when there is one to go on from, 1 when none is whole, 3 when there is none at all, 5 when none could be checked.
"""


def command(
    target: Annotated[list[str], typer.Argument(metavar="TARGET...", help="A folder, or files of checkpoints.")],
    deep: Annotated[bool, typer.Option("--deep", help="Look for weights that are NaN or infinite.")] = False,
    format: Annotated[str, typer.Option(metavar="text|json", help="How to print the list.")] = "text",
) -> int:
    """List and return the exit code."""
    from runtriage.api.checkpoints import checkpoints

    if format not in {"text", "json"}:
        raise CommandError(f"--format {format}: choose text or json")
    try:
        found = checkpoints(target, deep=deep)
    except ImportError:
        raise CommandError("--deep needs numpy; pip install 'runtriage[fast]'", NO_ACCESS) from None
    show(_json(found) if format == "json" else _text(found, target))
    if found.last_good:
        return OK
    if not found.checkpoints:
        raise CommandError(_NONE, NOT_FOUND)
    return ABSTAINED if any(item.valid is None for item in found.checkpoints) else FAILED


def _json(found: Inventory) -> str:
    good = found.last_good
    document = {
        "checkpoints": to_builtins(found.checkpoints),
        "last_good": good.path if good else None,
        "unread": [{"path": path, "reason": reason} for path, reason in found.unread],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _text(found: Inventory, targets: list[str]) -> str:
    if not found.checkpoints:
        return _unread(found)
    rows = [("step", "saved", "size", "format", "state", "path"), *map(_row, found.checkpoints)]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[5]]) for row in rows
    ]
    good = found.last_good
    folder = Path(targets[0]) if len(targets) == 1 else None
    inside = folder / good.path if good and folder is not None and folder.is_dir() else None
    last = f"last good: {inside or good.path}" if good else "none of them was found whole and fit to go on from"
    return "\n".join([*lines, "", last]) + "\n" + _unread(found)


def _row(item: CheckpointModel) -> tuple[str, str, str, str, str, str]:
    from runtriage.render.extras import size

    state = "whole" if item.valid else "not checked" if item.valid is None else "damaged"
    if item.valid and item.optimizer is False:
        state = "weights only"
    step = "-" if item.step is None else f"{item.step:,}"
    large = "-" if item.size is None else size(item.size)
    path = f"{item.path}: {item.problem}" if item.problem else item.path
    return step, (item.time or "-")[:19], large, item.format, state, path.replace("\n", " ")


def _unread(found: Inventory) -> str:
    return "".join(f"not read: {path}: {reason}\n" for path, reason in found.unread)
