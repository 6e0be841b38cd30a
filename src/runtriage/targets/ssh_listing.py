"""What a path on another machine names: a file with the configs beside it, a folder, or the files that fit a pattern."""

from __future__ import annotations

import posixpath
import shlex
from typing import Final

from msgspec import Struct, field

from runtriage.targets.errors import NO_ACCESS
from runtriage.targets.names import order
from runtriage.targets.ssh_client import Ssh

_MAGIC: Final = "*?["
_MOST: Final = 5_000
_DEPTH: Final = 8
_COMPANIONS: Final = 1 << 20
"""Bytes up to which a config beside the log is read with it."""


class Found(Struct, frozen=True):
    """One file there: `named` says that the user named it, `companion` that it only lies beside what he named."""

    path: str
    size: int
    mtime: float
    named: bool = False
    companion: bool = False


class Listed(Struct):
    """What a look found; `problem` and exit `code` say why there is nothing."""

    files: list[Found] = field(default_factory=list[Found])
    problem: str | None = None
    code: int | None = None
    cut: str | None = None


def listing(ssh: Ssh, path: str) -> Listed:
    """Look once, in one question. Raises `Unanswered`.

    A name that holds the end of a line is passed over: what follows in it would read as another file.
    """
    word = _pattern(path)
    tell = "! -path \"*$n*\" -exec stat -c '%s %Y %n' {} +"
    script = (
        "n='\n'; "
        f'for p in {word}; do case "$p" in *"$n"*) continue;; esac; '
        f'if [ -d "$p" ]; then echo FOLDER; find -L "$p" -maxdepth {_DEPTH} -type f {tell}; '
        f'elif [ -e "$p" ]; then echo FILE; stat -L -c "%s %Y %n" -- "$p"; '
        f'else ls -d -- "$p"; fi; done; '
    )
    if not any(sign in path for sign in _MAGIC):
        script += (
            f'p={word}; d=$(dirname -- "$p"); if [ -f "$p" ]; then echo BESIDE; '
            f'find "$d" -maxdepth 1 -type f -size -{_COMPANIONS // 1024}k {tell}; fi'
        )
    output, said = ssh.script(script)
    return _read(output.decode("utf-8", "surrogateescape"), said)


def _pattern(path: str) -> str:
    """Return a path as a word of the shell in which only the signs of a pattern keep their meaning; `~/` is the home there."""
    home, rest = ("~/", path[2:]) if path.startswith("~/") else ("", path)
    if not home and not rest.startswith("/"):
        rest = f"./{rest}"
    if not any(sign in rest for sign in _MAGIC):
        return home + shlex.quote(rest)
    return home + "".join(letter if letter in "*?[]" else shlex.quote(letter) for letter in rest)


def _read(output: str, said: str) -> Listed:
    found = Listed()
    mode, alone = "", 0
    for line in output.split("\n"):
        if line in ("FOLDER", "FILE", "BESIDE"):
            mode = line
            continue
        size, _, rest = line.partition(" ")
        when, _, path = rest.partition(" ")
        if not path or not size.isdecimal():
            continue
        if len(found.files) >= _MOST:
            found.cut = f"only the first {_MOST:,} files were taken in"
            break
        alone += mode == "FILE"
        known = any(each.path == path for each in found.files) if mode == "BESIDE" else False
        if not known and (mode != "BESIDE" or alone):
            found.files.append(
                Found(posixpath.normpath(path), int(size), float(when or 0), mode == "FILE", mode == "BESIDE")
            )
    if not any(not each.companion for each in found.files):
        found.files = []
        denied = "ermission denied" in said
        found.problem = "permission denied there" if denied else "no such file or folder there"
        found.code = NO_ACCESS if denied else None
    elif "ermission denied" in said:
        found.cut = "some folders there may not be read"
    found.files.sort(key=lambda each: order(each.path))
    return found
