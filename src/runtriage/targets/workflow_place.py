"""Where a workflow run lies: an address, a folder, or a run id under a project's base."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NOT_FOUND, USAGE, TargetError
from runtriage.targets.objects import FolderStore, Location, ObjectError, ObjectStore, location

MANIFESTS: Final = ("npa-workflow/manifest.json", "manifest.json")
LOGS: Final = ("npa-workflow/logs/{}/run.log", "logs/{}/run.log")
"""Where the log of a stage may be kept, by the name of the stage."""
_MARKS: Final = (*MANIFESTS, "npa-workflow/runtime.json", "workflow.yaml")
_RUN_ID: Final = deferred(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_PARENTS: Final = ("", "physical-ai-data-factory", "npa-workflow")
"""Folders that runs lie in, below the base of a project or of its bucket."""

Opener = Callable[[str, str], ObjectStore]
"""Opens a bucket from its scheme and name. Raises `TargetError`."""


class RunPlace(Struct, frozen=True, kw_only=True):
    """A run prefix: `key` below the store, `uri` as it is shown, `checks` how each place that was tried answered."""

    store: ObjectStore
    key: str
    run_id: str
    uri: str
    source: str
    strict: bool
    """Whether the manifest must name this very run."""
    checks: tuple[tuple[str, str, str], ...] = field(default=())

    def path(self, name: str) -> str:
        """Return the key of a document of the run."""
        return f"{self.key}/{name}".lstrip("/")


class Base(Struct, frozen=True, kw_only=True):
    """Where a project keeps its runs."""

    alias: str
    bucket: str
    prefix: str = ""
    scheme: str = "s3"


def place(text: str, opener: Opener, base: Base | None) -> RunPlace:
    """Return where a run lies. Raises `TargetError` for what names none; a run id that is nowhere still has a place."""
    if (found := location(text)) is not None:
        return _addressed(found, opener(found.scheme, found.bucket))
    path = Path(text.removeprefix("file://"))
    named = bool(_RUN_ID.fullmatch(text))
    if text.startswith("file://") or (path.exists() and not (named and base is not None and not _holds_run(path))):
        return folder_place(path)
    if not named:
        raise TargetError(f"{text}: no such folder, no address such as s3://bucket/prefix, and no run id", USAGE)
    if base is None:
        raise TargetError(f"{text} is a run id: say of which project with --project, or give its s3:// prefix", USAGE)
    return _by_id(text, opener(base.scheme, base.bucket), base)


def base_place(text: str | None, opener: Opener, base: Base | None) -> tuple[ObjectStore, str, str]:
    """Return store, key and address of the folder whose runs are listed. Raises `TargetError`."""
    if text is None:
        if base is None:
            raise TargetError(
                "say where the runs lie: an s3:// prefix, or --project with an alias of the config file", USAGE
            )
        return (
            opener(base.scheme, base.bucket),
            base.prefix.strip("/"),
            f"{base.scheme}://{base.bucket}/{base.prefix.strip('/')}".rstrip("/"),
        )
    found = location(text)
    if found is not None:
        return opener(found.scheme, found.bucket), found.key, found.uri
    path = Path(text.removeprefix("file://"))
    if not path.is_dir():
        raise TargetError(f"{text}: no such folder, and no address such as s3://bucket/prefix", NOT_FOUND)
    return FolderStore(path), "", str(path)


def stored_log(where: RunPlace, stage: str) -> str | None:
    """Return the name of the document that keeps a stage's log, or None where none is kept or may be looked at."""
    for pattern in LOGS:
        try:
            where.store.entry(where.path(pattern.format(stage)))
        except ObjectError:
            continue
        return pattern.format(stage)
    return None


def holds_manifest(where: RunPlace) -> bool:
    """Tell whether a place is seen to hold the manifest of a run."""
    return _probe(where.store, where.key, MANIFESTS)[0] == "found"


def _holds_run(path: Path) -> bool:
    """Tell whether a folder holds a run, so that its name is taken for the folder rather than for a run of the project."""
    return any((path / mark).is_file() for mark in _MARKS)


def _addressed(found: Location, store: ObjectStore) -> RunPlace:
    parts = _stripped(found.key.split("/"))
    if not parts or not parts[0]:
        raise TargetError(
            f"{found.uri}: name the prefix of one run, such as {found.scheme}://{found.bucket}/runs/run-17", USAGE
        )
    key = "/".join(parts)
    return RunPlace(
        store=store,
        key=key,
        run_id=parts[-1],
        uri=f"{found.scheme}://{found.bucket}/{key}",
        source="explicit_uri",
        strict=True,
    )


def folder_place(path: str | Path) -> RunPlace:
    """Return the run whose records lie in a folder on this machine. Raises `TargetError`."""
    parts = _stripped(list(Path(path).parts))
    root = Path(*parts) if parts else Path()
    if not root.is_dir():
        raise TargetError(f"{path}: no such folder", NOT_FOUND)
    name = root.resolve().name
    return RunPlace(store=FolderStore(root), key="", run_id=name, uri=str(root), source="folder", strict=False)


def _stripped(parts: list[str]) -> list[str]:
    for last in ("manifest.json", "npa-workflow"):
        if parts and parts[-1] == last:
            parts = parts[:-1]
    return parts


def _by_id(run_id: str, store: ObjectStore, base: Base) -> RunPlace:
    """Try the places a run of this id may lie in; the first that holds any document of a run is it, and others with a manifest are named."""
    checks: list[tuple[str, str, str]] = []
    prefix = base.prefix.strip("/")
    keys = dict.fromkeys(
        "/".join(part for part in (root, parent, run_id) if part) for root in (prefix, "") for parent in _PARENTS
    )
    first, doubtful, chosen = next(iter(keys)), "", ""
    for key in keys:
        outcome, detail = _probe(store, key, _MARKS if not chosen else MANIFESTS)
        checks.append((f"{store.address}{key}", outcome, detail))
        if outcome == "found" and not chosen:
            chosen = key
        if outcome == "unavailable" and not doubtful:
            doubtful = key
    return _made(store, chosen or doubtful or first, run_id, base, checks)


def _made(store: ObjectStore, key: str, run_id: str, base: Base, checks: list[tuple[str, str, str]]) -> RunPlace:
    return RunPlace(
        store=store,
        key=key,
        run_id=run_id,
        uri=f"{base.scheme}://{base.bucket}/{key}",
        source="project",
        strict=True,
        checks=tuple(checks),
    )


def _probe(store: ObjectStore, key: str, marks: Sequence[str]) -> tuple[str, str]:
    for name in marks:
        try:
            store.entry(f"{key}/{name}")
        except ObjectError as error:
            if error.kind != "absent":
                return "unavailable", error.detail
            continue
        return "found", name
    return "absent", ""
