"""A workflow run diagnosed whole: its records, its stage logs, its next move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from runtriage.api.config import ConfigError, load_config
from runtriage.api.diagnosis import diagnose_opened
from runtriage.api.workflow import THRESHOLD, Access, access_for, state_of
from runtriage.api.workflow_live import Live, Nothing
from runtriage.api.workflow_reading import read_records
from runtriage.model.options import Options
from runtriage.model.report import Report
from runtriage.model.target import Cache
from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.objects import FolderStore, location
from runtriage.targets.objects_target import ObjectsTarget, objects_target
from runtriage.targets.together import OpenTarget, Together
from runtriage.targets.workflow_place import RunPlace, folder_place, stored_log
from runtriage.targets.workflow_stage_logs import stage_logs

_SCHEME: Final = "workflow:"
_UNSTARTED: Final = ("PENDING", "STARTING", "SUBMITTED")
"""States of a stage that has printed nothing, and whose log is not given before it starts."""


def diagnose_run(
    run: str,
    access: Access,
    *,
    options: Options | None = None,
    threshold: int = THRESHOLD,
    load_failed: bool = False,
    live: Live | None = None,
    signatures: Sequence[Path] = (),
    cache: Cache | None = None,
) -> Report:
    """Diagnose a run and return its report with the `workflow` field filled. Raises `TargetError`.

    `live` stands in for the machine's own `sky` and `kubectl`.
    """
    where = access.place(run)
    found = _state(where, access, live or access.live(), threshold=threshold, load_failed=load_failed)
    with _with_live_log(ObjectsTarget(where.store, where.key, where.uri), where, access, found) as opened:
        return diagnose_opened(opened, options=options, signatures=signatures, cache=cache, workflow=found)


def opened(name: str) -> tuple[OpenTarget, Mapping[str, Any] | None]:
    """Return what an address of object storage, or `workflow:RUN`, names, and the state of the run where it is one.

    Endpoints and the like come from the project of the config file that owns the address. Raises `TargetError`.
    """
    text = name.removeprefix(_SCHEME)
    try:
        access = access_for(text, load_config().projects)
    except ConfigError as error:
        raise TargetError(str(error), USAGE) from None
    found = location(text)
    if found is None:
        where = access.place(text)
        state = _state(where, access, access.live())
        return _with_live_log(ObjectsTarget(where.store, where.key, where.uri), where, access, state), state
    target = objects_target(access.store(found.scheme, found.bucket), found.key, found.uri)
    if not found.key:
        return target, None
    where = access.place(text)
    state = _state_if_any(where, access, access.live())
    return _with_live_log(target, where, access, state), state


def _with_live_log(
    target: ObjectsTarget, where: RunPlace, access: Access, state: Mapping[str, Any] | None
) -> OpenTarget:
    """Return the target together with the live log of the stage that failed or waits, where storage keeps none of it."""
    name = (state["failing_stage"] or state["active_stage_name"]) if state else None
    stage = state["stages"].get(name) if state else None
    sky = access.sky()
    unasked = stage is None or not stage["managed_job_id"] or stage["state"] in _UNSTARTED
    if stage is None or unasked or not sky.present or where.source == "folder":
        return target
    bare = str(name).partition("#")[0]
    if stored_log(where, bare) is not None:
        return target
    controller = stage["state"] == "FAILED_STARTUP"
    return Together(where.uri, [target, stage_logs(sky, bare, stage["managed_job_id"], controller=controller)])


def of_folder(path: str) -> Mapping[str, Any] | None:
    """Return the state of a run whose records lie in a folder on this machine; nothing live is asked about a copy."""
    where = folder_place(path)
    assert isinstance(where.store, FolderStore)
    return _state_if_any(where, Access(), Nothing())


def _state_if_any(where: RunPlace, access: Access, live: Live) -> dict[str, Any] | None:
    records = read_records(where)
    told = records.manifest or records.ledger
    damaged = any(each.state == "broken" and each.path.startswith("npa-workflow/") for each in records.documents)
    return _state(where, access, live) if told or damaged else None


def _state(
    where: RunPlace, access: Access, live: Live, *, threshold: int = THRESHOLD, load_failed: bool = False
) -> dict[str, Any]:
    records = read_records(where, load_failed=load_failed)
    return state_of(records, where, access, live, threshold)
