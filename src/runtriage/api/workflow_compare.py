"""What differs between two runs of a workflow."""

from __future__ import annotations

from typing import Any, Final

from runtriage.api.workflow import Access, Document, clean, evidence_of
from runtriage.api.workflow_reading import measured, read_records
from runtriage.judge.workflow import assess
from runtriage.model.workflow import RunRecords
from runtriage.model.workflow_state import Assessment
from runtriage.parse.pointer import instant

_SLOWER: Final = 1.25
"""How many times as long a stage must take to be named; a guess that spares small differences."""


def compare(base: str, candidate: str, access: Access) -> Document:
    """Return the differences of a candidate from a base. Needs storage only. Raises `TargetError`."""
    left, right = _read(base, access), _read(candidate, access)
    differences = [
        *_states(left, right),
        *_spec(left.records, right.records),
        *_stages(left, right),
        *_inputs(left.records, right.records),
        *_metrics(left, right),
    ]
    return clean({"base": _who(left), "candidate": _who(right), "differences": differences})


class _Side:
    def __init__(self, records: RunRecords, found: Assessment, metrics: dict[str, float]) -> None:
        self.records = records
        self.found = found
        self.metrics = metrics


def _read(run: str, access: Access) -> _Side:
    where = access.place(run)
    records = read_records(where)
    return _Side(records, assess(evidence_of(records, where, access, None), access.alias), measured(where))


def _who(side: _Side) -> dict[str, Any]:
    return {
        "run_id": side.records.run_id,
        "run_prefix_uri": side.records.prefix,
        "state": side.found.known,
        "failing_stage": side.found.failing.key if side.found.failing else None,
    }


def _row(kind: str, what: str, left: object, right: object) -> dict[str, Any]:
    return {"kind": kind, "what": what, "base": left, "candidate": right}


def _states(left: _Side, right: _Side) -> list[dict[str, Any]]:
    return [_row("state", "run", left.found.known, right.found.known)] if left.found.known != right.found.known else []


def _spec(left: RunRecords, right: RunRecords) -> list[dict[str, Any]]:
    if left.spec is None or right.spec is None:
        known = [side.spec is not None for side in (left, right)]
        return (
            []
            if known == [False, False]
            else [_row("spec", "workflow.yaml", "kept" if known[0] else "not kept", "kept" if known[1] else "not kept")]
        )
    rows = _settings(dict(left.spec.settings), dict(right.spec.settings))
    planned, other = ({stage.name: stage for stage in side.spec.stages} for side in (left, right) if side.spec)
    for name in dict.fromkeys([*planned, *other]):
        one, two = planned.get(name), other.get(name)
        if one is None or two is None:
            rows.append(_row("spec", f"states.{name}", "present" if one else "absent", "present" if two else "absent"))
            continue
        for what, was, now in (
            ("image", one.image, two.image),
            ("accelerators", one.accelerators, two.accelerators),
            ("num_nodes", one.nodes, two.nodes),
        ):
            if was != now:
                rows.append(_row("image" if what == "image" else "spec", f"states.{name}.{what}", was, now))
    return rows


def _settings(left: dict[str, str], right: dict[str, str]) -> list[dict[str, Any]]:
    keys = [
        key for key in dict.fromkeys([*left, *right]) if key not in ("run.id", "config.prefix", "config.decision_uri")
    ]
    return [_row("spec", key, left.get(key), right.get(key)) for key in keys if left.get(key) != right.get(key)]


def _stages(left: _Side, right: _Side) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    one, two = ({stage.key: stage for stage in side.found.stages} for side in (left, right))
    for key in dict.fromkeys([*one, *two]):
        was, now = one.get(key), two.get(key)
        if was is None or now is None:
            rows.append(_row("stage", key, was.state if was else "not recorded", now.state if now else "not recorded"))
            continue
        if was.state != now.state:
            rows.append(_row("stage", key, was.state, now.state))
        before, after = _seconds(was.started_at, was.ended_at), _seconds(now.started_at, now.ended_at)
        if before and after and max(before, after) > _SLOWER * min(before, after):
            rows.append(_row("timing", f"{key} seconds", before, after))
        image, other = (stage.wave.identity.get("image_digest", "") if stage.wave else "" for stage in (was, now))
        if image and other and image != other:
            rows.append(_row("image", f"{key} digest", image, other))
        sizes, others = ({_tail(check.uri): check.state for check in stage.outputs} for stage in (was, now))
        rows += [
            _row("output", f"{key} {name}", state, others.get(name))
            for name, state in sizes.items()
            if others.get(name) not in (None, state)
        ]
    return rows


def _inputs(left: RunRecords, right: RunRecords) -> list[dict[str, Any]]:
    one, two = ({stage.name: stage.inputs for stage in side.spec.stages} if side.spec else {} for side in (left, right))
    return [
        _row("input", name, list(uris), list(two[name]))
        for name, uris in one.items()
        if name in two
        and [uri.replace(left.run_id, "{{run.id}}") for uri in uris]
        != [uri.replace(right.run_id, "{{run.id}}") for uri in two[name]]
    ]


def _metrics(left: _Side, right: _Side) -> list[dict[str, Any]]:
    names = sorted({*left.metrics, *right.metrics})
    return [
        _row("metric", name, left.metrics.get(name), right.metrics.get(name))
        for name in names
        if left.metrics.get(name) != right.metrics.get(name)
    ]


def _seconds(start: str, end: str) -> float | None:
    first, last = instant(start, "run"), instant(end, "run")
    if first is None or last is None:
        return None
    return last.seconds - first.seconds


def _tail(uri: str) -> str:
    return "/".join(uri.rstrip("/").split("/")[-2:])
