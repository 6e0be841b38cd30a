"""Which targets a client may name: what the server was started with, and nothing beside it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.targets.errors import TargetError
from runtriage.targets.grammar import GLOB, PATH, SCHEMES, STDIN, Spec, parse

REGISTRY: Final = "registry"
REMOTE: Final = tuple(sorted({*SCHEMES, REGISTRY} - {"file", "proc"}))
"""Kinds of target that `--allow-remote` may name, `registry` being images. A process by name is none: it may be another user's."""


class RefusedError(Exception):
    """The server may not read what was named; one line that says what it may read."""


class Policy(Struct, frozen=True):
    """`roots` are folders that paths must lie in, with every link followed; `remote` are the kinds of other targets."""

    roots: tuple[Path, ...]
    remote: frozenset[str] = frozenset()
    apply: bool = False

    def admit(self, target: str) -> str:
        """Return the target as it is to be opened. Raises `RefusedError`."""
        try:
            spec = parse(target, self._exists)
        except TargetError as error:
            raise RefusedError(str(error)) from None
        if spec.scheme in (PATH, GLOB):
            return self._inside(spec)
        if spec.scheme == STDIN:
            raise RefusedError("standard input carries the protocol; name a path")
        if spec.scheme not in self.remote:
            allowed = f"--allow-remote {spec.scheme}" if spec.scheme in REMOTE else "nothing"
            raise RefusedError(
                f"{spec.scheme}: targets are not allowed here; {allowed} would allow them when the server starts"
            )
        if spec.scheme == "pid":
            _own_process(spec.rest)
        return target

    def holds(self, place: str | None) -> bool:
        """Tell whether a remembered run lies where this server may read; what came through a pipe lies nowhere."""
        if not place:
            return False
        try:
            spec = parse(place, lambda text: Path(text).is_absolute())
        except TargetError:
            return False
        if spec.scheme != PATH:
            return spec.scheme in self.remote
        return Path(spec.rest).is_absolute() and self._within(_real(spec.rest))

    def may_show(self, name: str, value: str) -> bool:
        """Tell whether a step may look at a process (`name` is pid) or a folder, which a run's text may have named."""
        if name != "pid":
            return Path(value).is_absolute() and self._within(_real(value))
        try:
            _own_process(value)
        except RefusedError:
            return False
        return name in self.remote

    def _within(self, real: Path) -> bool:
        return any(real == each or each in real.parents for each in self.roots)

    def _exists(self, text: str) -> bool:
        here = os.path.lexists(text) and self._within(_real(text))
        return here or any(os.path.lexists(root / text) for root in self.roots)

    def _inside(self, spec: Spec) -> str:
        """Return the real path of what is named, which lies in a root; a relative path counts from the first root that has it.

        Where none has it, it counts from the folder the server was started in, as `--allow` does.
        """
        if spec.scheme == GLOB:
            raise RefusedError("name a file or folder; patterns are not read here")
        if "\0" in spec.rest:
            raise RefusedError("a path may not hold a zero byte")
        given = Path(spec.rest)
        if given.parts[:1] == ("~",):
            raise RefusedError("write the path out; ~ is not expanded here")
        for root in (*self.roots, Path()):
            try:
                real = Path(os.path.realpath(root / given))
            except ValueError:  # text that no file name can hold
                continue
            if self._within(real) and there(real):
                return str(real)
        raise RefusedError(f"no such file or folder in what this server may read ({self.told()})")

    def told(self) -> str:
        """Return what may be read, for people."""
        remote = [f"{name}: targets" for name in sorted(self.remote)]
        return ", ".join([*(str(root) for root in self.roots), *remote]) or "nothing; start it with --allow PATH"


def _real(text: str) -> Path:
    """Return where a path leads, whether anything is there or not; nowhere for text that no file name can hold."""
    try:
        return Path(os.path.realpath(text))
    except (OSError, ValueError):
        return Path()


def there(path: str | Path) -> bool:
    """Tell whether a path exists; one that no system takes, or that may not be looked at, does not."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def policy(allow: Sequence[Path], remote: Sequence[str] = (), *, apply: bool = False) -> Policy:
    """Return the policy of folders that exist, as real paths. Raises `RefusedError` for one that does not and for an unknown kind."""
    roots: list[Path] = []
    for path in allow:
        real = Path(os.path.realpath(path))
        if not there(real):
            raise RefusedError(f"--allow {path}: no such file or folder")
        roots.append(real)
    for name in remote:
        if name not in REMOTE:
            raise RefusedError(f"--allow-remote {name}: it may be {', '.join(REMOTE)}")
    return Policy(tuple(dict.fromkeys(roots)), frozenset(remote), apply)


def _own_process(text: str) -> None:
    number = text.strip("/")
    if not number.isdigit():
        raise RefusedError("pid: takes a number")
    try:
        owner = Path(f"/proc/{number}").stat().st_uid
    except OSError:
        raise RefusedError(f"no process {number}") from None
    if owner != os.getuid():
        raise RefusedError(f"process {number} belongs to another user")
