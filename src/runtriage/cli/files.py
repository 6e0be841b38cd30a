"""Writes what the user asked for, whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from runtriage.cli.errors import CommandError
from runtriage.model.exit_code import UNUSABLE

_BEGIN: Final = (b"Status: ", b"<!doctype html>", b"<svg")
"""How files begin that an earlier diagnosis wrote as text, page or picture."""
_HOLD: Final = (b'"schema": "runtriage.report/', b'"skill_name": "check-failed-run"', b"| Status | **")
"""What stands near the start of one that it wrote as JSON or Markdown."""


def check_writable(path: Path, inputs: Sequence[str] = ()) -> None:
    """End the command before any work when the file cannot be written or is one of the inputs."""
    folder = path.parent
    if not folder.is_dir():
        raise CommandError(f"{path}: the folder {folder} does not exist")
    if path.is_dir():
        raise CommandError(f"{path} is a folder; name a file in it")
    if not os.access(path if path.exists() and not _replaceable(path) else folder, os.W_OK):
        raise CommandError(f"{path}: no right to write there; choose another place")
    for given in inputs:
        if path.exists() and Path(given).exists() and path.samefile(given):
            raise CommandError(f"{path} is what is to be read; choose another file to write")
        if path.is_file() and Path(given).is_dir() and _inside(path, Path(given)) and not _is_report(path):
            raise CommandError(f"{path} is a file of the run; choose another file to write")


def check_folder(option: str, folder: Path, names: Sequence[str] = ()) -> None:
    """End the command where a folder that files go to can neither be used nor made, before any work is done.

    Files of these names are written there; none may be a link, for whoever wrote the folder chose where that leads.
    """
    for name in names:
        if (folder / name).is_symlink():
            raise CommandError(f"{option}: {folder / name} is a link; remove it, or name another folder")
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir():
        raise CommandError(f"{option}: {nearest} is a file; name a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise CommandError(f"{option}: {nearest}: permission denied")


def write(path: Path, text: str) -> None:
    """Write a text file atomically; devices and pipes are written as they are. Ends the command where that fails."""
    try:
        if not _replaceable(path):
            path.write_text(text, encoding="utf-8")
            return
        real = Path(os.path.realpath(path))
        import tempfile

        descriptor, draft = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            Path(draft).chmod(_mode(real))
            Path(draft).replace(real)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise CommandError(f"{path}: {(error.strerror or 'cannot be written').lower()}", UNUSABLE) from None


def private(name: str) -> Path:
    """Return the path of a new file in a temporary folder that nobody else may read. Ends the command where there is none."""
    try:
        import tempfile

        return Path(tempfile.mkdtemp(prefix="runtriage-")) / name
    except OSError as error:
        raise CommandError(
            f"temporary folder: {(error.strerror or '').lower()}; name a file with -o", UNUSABLE
        ) from None


def show(text: str) -> None:
    """Print text; a reader that went away, or an encoding without some letter, is no error. Ends the command where the disk is full."""
    if sys.stdout is None:
        return
    try:
        _print(text)
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        discard_output()
        raise CommandError(f"standard output: {(error.strerror or 'cannot be written').lower()}", UNUSABLE) from None


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def discard_output() -> None:
    """Let what is left in the buffer go nowhere, so that leaving does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _inside(path: Path, folder: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _is_report(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    return not head.strip() or head.startswith(_BEGIN) or any(mark in head for mark in _HOLD)


def _replaceable(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def _mode(path: Path) -> int:
    """Return the mode of the file that is replaced, or what the user's mask gives a new one."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask
