"""An MLflow run in a local store: a folder `mlruns`, or an SQLite database."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from runtriage.model.artifact import Artifact, Request
from runtriage.model.pattern import deferred
from runtriage.targets.errors import NOT_FOUND, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.fetching import Fetching, Got
from runtriage.targets.kinds import kind_of
from runtriage.targets.local import LocalTarget
from runtriage.targets.names import shown
from runtriage.targets.regular import open_regular, why
from runtriage.targets.survey import UNREAD, survey
from runtriage.targets.together import OpenTarget, Together

_LARGEST: Final = 512 << 20
_META: Final = 64 << 10
_RUNS: Final = 5_000
"""Runs of a store that are looked through for a name, or for the last one that went well."""
_PARAMS: Final = 400
_VALUE: Final = 1_000
_NAME: Final = deferred(r"^run_name: *['\"]?(.*?)['\"]? *$", 8)
_GOOD: Final = deferred(r"^status: *(?:3|FINISHED) *$", 8)
_STARTED: Final = deferred(r"^start_time: *(\d{1,16}) *$", 8)


def from_folder(label: str, store: Path, run: str) -> OpenTarget:
    """Return the target of a run's folder, found by its id or by its name, the newest of that name. Raises `TargetError`."""
    found = sorted(path for path in store.glob(f"*/{_plain(run)}") if (path / "meta.yaml").is_file())
    folder = found[0] if found else _named(store, run)
    if folder is None:
        raise TargetError(f"{shown(str(store))} holds no run {run!r}", NOT_FOUND)
    seen = survey([folder])
    prefix = f"mlruns/{folder.parent.name}/{folder.name}/"
    kept = list(seen.entries.values())
    seen.entries.clear()
    for entry in kept:
        placed = _placed(entry.artifact, prefix)
        if placed.kind not in UNREAD:
            seen.add(entry.source, placed, entry.title)
    return Together(label, [LocalTarget(label, seen, [folder]), _around(label, folder)])


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
    told = json.dumps({"mlflow_store": {"fetched_at": time.time()}}, indent=1).encode()
    clock = shelf.keep("store.json", told, kind="record", source="mlflow-store")
    return Fetching(label, shelf, {"mlflow-run": lambda _: Got([document, clock])}, [request])


def _around(label: str, folder: Path) -> Fetching:
    """Return what a store tells of a run from outside its folder: when it was looked at, its experiment, and the last run that went well."""
    shelf = Shelf()
    good = _last_good(folder)
    told = {
        "fetched_at": time.time(),
        "last_write": _last_write(folder),
        "experiment": _text(folder.parent / "meta.yaml"),
        "params": _params(folder),
        "last_good_run": {"meta": _text(good / "meta.yaml"), "params": _params(good)} if good else None,
    }
    content = json.dumps({"mlflow_store": told}, indent=1).encode()
    document = shelf.keep("store.json", content, kind="record", source="mlflow-store")
    request = Request(kind="mlflow-store", args={"run": folder.name}, reason="its experiment and its last good run")
    return Fetching(label, shelf, {"mlflow-store": lambda _: Got([document])}, [request])


def _named(store: Path, run: str) -> Path | None:
    held: list[tuple[int, Path]] = []
    for path in sorted(store.glob("*/*/meta.yaml"))[:_RUNS]:
        text = _text(path)
        name = _NAME.search(text)
        if name and name[1] == run:
            held.append((_started(text), path.parent))
    return max(held)[1] if held else None


def _last_good(folder: Path) -> Path | None:
    """Return the newest run of the experiment that finished and began before this one; None where this one finished too."""
    own = _text(folder / "meta.yaml")
    if _GOOD.search(own):
        return None
    held: list[tuple[int, Path]] = []
    for path in sorted(folder.parent.glob("*/meta.yaml"))[:_RUNS]:
        text = _text(path)
        if _GOOD.search(text) and _started(text) < _started(own):
            held.append((_started(text), path.parent))
    return max(held)[1] if held else None


def _started(meta: str) -> int:
    found = _STARTED.search(meta)
    return int(found[1]) if found else 0


def _last_write(folder: Path) -> float | None:
    """Return when a metric of the run was written last, by the clock of the file system."""
    times: list[float] = []
    for path in (folder / "metrics").rglob("*"):
        try:
            if path.is_file():
                times.append(path.stat().st_mtime)
        except OSError:
            continue
    return max(times, default=None)


def _params(folder: Path) -> dict[str, str]:
    root = folder / "params"
    paths = sorted(path for path in root.rglob("*") if path.is_file())[:_PARAMS]
    return {str(path.relative_to(root)): _text(path)[:_VALUE].strip() for path in paths}


def _text(path: Path) -> str:
    try:
        with open_regular(path) as file:
            return (file.read(_META) or b"").decode("utf-8", "replace")
    except OSError:
        return ""


def _plain(run: str) -> str:
    return "".join(letter for letter in run if letter.isalnum() or letter in "-_")


def _placed(artifact: Artifact, prefix: str) -> Artifact:
    """Return the artifact under the path it has in a store, which says what it is."""
    path = prefix + artifact.path
    return replace(artifact, path=path, kind=kind_of(path) or artifact.kind)
