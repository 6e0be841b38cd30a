"""An MLflow run in a local store: a folder `mlruns`, or an SQLite database."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from runtriage.model.artifact import Artifact, Request
from runtriage.targets.errors import NOT_FOUND, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetching, Got
from runtriage.targets.kinds import kind_of
from runtriage.targets.local import LocalTarget
from runtriage.targets.names import shown
from runtriage.targets.regular import open_regular, why
from runtriage.targets.survey import UNREAD, survey

_LARGEST: Final = 512 << 20


def from_folder(label: str, store: Path, run: str) -> LocalTarget:
    """Return the target of a run's folder. Raises `TargetError` where no experiment holds it."""
    found = sorted(path for path in store.glob(f"*/{_plain(run)}") if (path / "meta.yaml").is_file())
    if not found:
        raise TargetError(f"{shown(str(store))} holds no run {run!r}", NOT_FOUND)
    seen = survey([found[0]])
    prefix = f"mlruns/{found[0].parent.name}/{found[0].name}/"
    kept = list(seen.entries.values())
    seen.entries.clear()
    for entry in kept:
        placed = _placed(entry.artifact, prefix)
        if placed.kind not in UNREAD:
            seen.add(entry.source, placed, entry.title)
    return LocalTarget(label, seen, [found[0]])


def from_database(label: str, path: Path, run: str) -> Fetching:
    """Return the target of a run in a database; the parser picks it out by the name of the document. Raises `TargetError`."""
    shelf = Shelf()
    try:
        with open_regular(path) as file:
            content = file.read(_LARGEST + 1) or b""
    except OSError as error:
        raise TargetError(f"{shown(str(path))}: {why(error)}", NOT_FOUND) from None
    if len(content) > _LARGEST:
        raise TargetError(f"{shown(str(path))} is larger than 512 MiB; ask its tracking server instead", NOT_FOUND)
    document = shelf.keep(f"{path.name}/{_plain(run)}", content, kind="record", source="mlflow-run")
    request = Request(kind="mlflow-run", args={"run": run}, reason="state, parameters and metrics of the run")
    return Fetching(label, shelf, {"mlflow-run": lambda _: Got([document])}, [request])


def _plain(run: str) -> str:
    return "".join(letter for letter in run if letter.isalnum() or letter in "-_")


def _placed(artifact: Artifact, prefix: str) -> Artifact:
    """Return the artifact under the path it has in a store, which says what it is."""
    path = prefix + artifact.path
    return replace(artifact, path=path, kind=kind_of(path) or artifact.kind)
