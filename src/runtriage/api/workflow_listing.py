"""The runs of a project or below a prefix, newest first."""

from __future__ import annotations

import heapq
from typing import Any, Final

from runtriage.api.workflow import Access, Document, clean
from runtriage.judge.workflow_lifecycle import lifecycle
from runtriage.model.workflow import Manifest, RunRecords
from runtriage.parse.workflow.manifest import manifest
from runtriage.targets.objects import ObjectError, as_target_error
from runtriage.targets.workflow_list import Unreadable, manifests
from runtriage.targets.workflow_place import base_place

LIMIT: Final = 50
_NAMED: Final = 20


def list_runs(parent: str | None, access: Access, limit: int = LIMIT) -> Document:
    """Return the newest runs: every run is looked at before the list is cut. Raises `TargetError` where the place cannot be listed."""
    store, key, address = base_place(parent, access.store, access.base())
    newest: list[tuple[str, str, dict[str, Any]]] = []
    unreadable: list[dict[str, str]] = []
    total = closed = 0
    try:
        for found in manifests(store, key, lambda folder, name, content: _row(store.address, folder, name, content)):
            if isinstance(found, Unreadable):
                closed += 1
                if len(unreadable) < _NAMED:
                    unreadable.append({"prefix": f"{store.address}{found.key}", "reason": found.error.detail})
                continue
            total += 1
            entry = (found["updated_at"], found["run_prefix_uri"], found)
            heapq.heappush(newest, entry) if len(newest) < limit else heapq.heappushpop(newest, entry)
    except ObjectError as error:
        raise as_target_error(error, address) from None
    runs = [row for _, _, row in sorted(newest, key=lambda entry: entry[:2], reverse=True)]
    return clean(
        {"parent": address, "runs": runs, "total": total, "unreadable": unreadable, "unreadable_total": closed}
    )


def _row(address: str, folder: str, name: str, content: bytes) -> dict[str, Any] | None:
    found = manifest(content, name)
    if found is None:
        return None
    return {
        "run_id": found.run_id,
        "workflow_name": found.workflow,
        "run_prefix_uri": f"{address}{folder}",
        "updated_at": found.updated_at,
        "sky_job_id": found.job_id,
        "manifest_status": found.status,
        "recorded_state": _state(found),
    }


def _state(found: Manifest) -> str:
    """Return the state the manifest alone records; only `workflow status` compares it with the ledger and the queue."""
    if found.legacy:
        return "UNKNOWN"
    life = lifecycle(RunRecords(run_id=found.run_id, prefix="", manifest=found))
    return life.word if life is not None else "UNKNOWN"
