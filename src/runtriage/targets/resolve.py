"""From what the user typed to a target, or to one clear sentence that says why not."""

from __future__ import annotations

import errno
import os
import shlex
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.targets.errors import ABSTAINED, NO_ACCESS, NOT_FOUND, USAGE, TargetError
from runtriage.targets.grammar import GLOB, PATH, STDIN, Spec, parse
from runtriage.targets.kinds import LOG, READABLE, sniff
from runtriage.targets.live import open_beside, open_live
from runtriage.targets.local import LocalTarget
from runtriage.targets.names import order, shown
from runtriage.targets.regular import HEAD, SOCKET, encoding_told, why
from runtriage.targets.spool import Spool
from runtriage.targets.survey import Survey, counts, survey
from runtriage.targets.together import OpenTarget, Together

STDIN_NAME: Final = "-"
_RUN_ID: Final = deferred(r"[0-9a-f]{32}")
_LOOKED: Final = 5_000
"""Folders of a store that are looked at."""


def resolve(
    texts: Sequence[str],
    stdin: BinaryIO | None = None,
    *,
    accept: frozenset[str] = READABLE,
    data: Sequence[str] = (),
    tables: bool = False,
) -> OpenTarget:
    """Return the target that the strings name together. Raises `TargetError` where there is nothing to diagnose.

    `stdin` stands in for the process's standard input; `accept` are the kinds of which local files must hold one. `data` names
    tables of training data, `tables` says that those in folders are wanted too.
    """
    specs = [parse(text) for text in dict.fromkeys(texts)]
    if not specs:
        raise TargetError("no target; give a log, a folder, or - for standard input", USAGE)
    runs = [spec for spec in specs if _is_run_of_mlflow(spec)]
    _refuse_stores(specs)
    local = [spec for spec in specs if spec.scheme in {PATH, GLOB, STDIN} and spec not in runs]
    opener = open_live if len(specs) == 1 else open_beside
    members: list[OpenTarget] = [opener(spec) for spec in specs if spec not in local and spec not in runs]
    members += map(_run_of_mlflow, runs)
    if local or data:
        members.append(_local(local, stdin, accept, _Data(data, tables)))
    label = specs[0].text if len(specs) == 1 else shlex.join(spec.text for spec in specs)
    return members[0] if len(members) == 1 else Together(shown(label), members)


def _is_run_of_mlflow(spec: Spec) -> bool:
    """Tell whether a path is the folder of one run in a store of MLflow, whose files only the names of the folders above them tell."""
    path = Path(spec.rest).absolute()
    return spec.scheme == PATH and _RUN_ID.fullmatch(path.name) is not None and os.access(path / "meta.yaml", os.R_OK)


def _refuse_stores(specs: Sequence[Spec]) -> None:
    """Refuse a store or an experiment of MLflow that holds several runs: they are no attempts of one. Raises `TargetError`.

    What may not be looked at is left to who reads the folder.
    """
    for path in (Path(spec.rest) for spec in specs if spec.scheme == PATH):
        if os.access(path, os.R_OK) and path.is_dir() and _RUN_ID.fullmatch(path.absolute().name) is None:
            found = (meta.parent for shape in ("*/meta.yaml", "*/*/meta.yaml") for meta in path.glob(shape))
            runs = sorted(run for run in islice(found, _LOOKED) if _RUN_ID.fullmatch(run.name))
            if len(runs) > 1:
                raise TargetError(
                    f"{shown(str(path))} holds {len(runs)} runs of MLflow; give the folder of one: {shown(str(runs[0]))}",
                    USAGE,
                )


def _run_of_mlflow(spec: Spec) -> OpenTarget:
    from runtriage.targets.mlflow_store import from_folder

    path = Path(spec.rest).absolute()
    return from_folder(shown(spec.text), path.parent.parent, path.name)


class _Data(Struct, frozen=True):
    paths: Sequence[str]
    tables: bool


def _local(specs: Sequence[Spec], stdin: BinaryIO | None, accept: frozenset[str], data: _Data) -> LocalTarget:
    paths = [path for spec in specs if spec.scheme != STDIN for path in _paths(spec)]
    named = [path for text in data.paths for path in _paths(parse(text))]
    found = survey(paths, named, tables=data.tables)
    if any(spec.scheme == STDIN for spec in specs):
        _take_stdin(found, stdin)
    if specs and not any(entry.artifact.kind in accept for entry in found.entries.values()):
        _check(found, paths, alone=len(specs) == 1)
    label = specs[0].text if len(specs) == 1 else shlex.join([*(spec.text for spec in specs)] or list(data.paths))
    return LocalTarget(shown(label), found, [path for path in paths if path.is_dir()])


def _paths(spec: Spec) -> list[Path]:
    if spec.scheme == GLOB:
        import glob

        matches = sorted(glob.glob(spec.rest, recursive=True), key=order)  # noqa: PTH207 - the pattern may be absolute
        if not matches:
            raise TargetError(f"nothing matches {shown(spec.text)}", NOT_FOUND)
        return [Path(match) for match in matches]
    path = Path(spec.rest)
    try:
        path.stat()
    except OSError as error:
        raise _no_such(path, error) from None
    return [path]


def _no_such(path: Path, error: OSError) -> TargetError:
    name = shown(str(path))
    if error.errno in {errno.EACCES, errno.EPERM}:
        return TargetError(
            f"{name}: permission denied; read it as a user who may, or pipe it to runtriage -", NO_ACCESS
        )
    if error.errno not in {errno.ENOENT, errno.ENOTDIR}:
        return TargetError(f"{name}: {why(error)}", NOT_FOUND)
    if os.path.lexists(path):
        return TargetError(f"{name}: the link points at nothing", NOT_FOUND)
    try:
        siblings = [sibling.name for sibling in path.parent.iterdir()]
    except OSError:
        siblings = []
    from difflib import get_close_matches

    near = get_close_matches(path.name, siblings, n=1, cutoff=0.7)
    hint = f"; did you mean {shown(str(path.parent / near[0]))}?" if near else ""
    return TargetError(f"{name}: no such file or folder{hint}", NOT_FOUND)


def _take_stdin(found: Survey, stdin: BinaryIO | None) -> None:
    source = stdin or (sys.stdin.buffer if sys.stdin is not None else None)
    if source is None:
        raise TargetError("standard input is closed; give a path instead of -", NOT_FOUND)
    try:
        spool = Spool(source)
    except OSError as error:
        raise TargetError(f"standard input cannot be read: {why(error)}", NOT_FOUND) from None
    head = spool.head(HEAD)
    if not head.strip():
        spool.close()
        raise TargetError(
            "standard input is empty: nothing to judge; for stderr too, use: COMMAND 2>&1 | runtriage -",
            ABSTAINED,
        )
    encoding = encoding_told(head)
    kind = sniff(head)
    if encoding is None and kind.kind != LOG:
        spool.close()
        raise TargetError(f"standard input is {kind.title}, not a log; give the run's text output", NOT_FOUND)
    found.add(spool, Artifact(path=STDIN_NAME, kind=LOG, size=spool.size, encoding=encoding, source="stdin"))


def _check(found: Survey, paths: Sequence[Path], *, alone: bool) -> None:
    """Raise the one sentence that is owed when nothing of what was given can be judged."""
    readable = [
        entry for entry in found.entries.values() if entry.artifact.kind in READABLE or entry.artifact.kind == "config"
    ]
    folder = alone and len(paths) == 1 and paths[0].is_dir()
    if any(entry.artifact.kind in READABLE for entry in found.entries.values()) or (readable and not folder):
        return
    if found.denied:
        name, reason = found.unreadable[0]
        more = f" and {len(found.unreadable) - 1} more" if len(found.unreadable) > 1 else ""
        raise TargetError(
            f"{_full(found, name)}{more}: {reason}; read it as a user who may, or pipe it to runtriage -", NO_ACCESS
        )
    if found.unreadable:
        name, reason = found.unreadable[0]
        raise TargetError(f"{_full(found, name)}: {reason}", NOT_FOUND)
    if found.refused and not folder:
        name, what = found.refused[0]
        full = _full(found, name)
        way = (
            f"socat -u UNIX-CONNECT:{full} - | runtriage -" if what == SOCKET else f"runtriage - < {full}"
        )  # a shell cannot open a socket
        raise TargetError(f"{full} is {what}, not a file; to read from it: {way}", NOT_FOUND)
    if folder or not found.entries:
        held = counts(found)
        raise TargetError(
            f"{shown(str(paths[0]))}: no log, metrics or record of a run in it ({held or 'no files at all'}); give the folder or file with the run's output",
            NOT_FOUND,
        )
    entry = next(iter(found.entries.values()))
    raise TargetError(
        f"{_full(found, entry.artifact.path)} is {entry.title}, not a log; give the run's log, or the folder it lies in",
        NOT_FOUND,
    )


def _full(found: Survey, name: str) -> str:
    path = str(found.base / name)
    return shown(min(path, os.path.relpath(path), key=len))
