"""What differs between two runs of a workflow."""

from __future__ import annotations

from typing import Any, Final

from runtriage.api.workflow import Access, Document, clean, evidence_of
from runtriage.api.workflow_reading import read_records, results
from runtriage.judge.workflow import assess
from runtriage.model.workflow import DocumentRead, RunRecords
from runtriage.model.workflow_state import Assessment
from runtriage.parse.pointer import instant
from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, TargetError

_SPEC: Final = "workflow.yaml"
_UNREAD: Final = frozenset({"denied", "unavailable", "broken"})
_SLOWER: Final = 1.25
"""How many times as long a stage must take to be named; a guess that spares small differences."""


def compare(base: str, candidate: str, access: Access) -> Document:
    """Return the differences of a candidate from a base, and what of either could not be read. Needs storage only.

    Raises `TargetError` for an address that cannot name a run, and for a run of which no record was read: two runs that nobody could look at
    do not differ in nothing.
    """
    left, right = _read(base, access), _read(candidate, access)
    differences = [
        *_states(left, right),
        *_spec(left, right),
        *_plan(left.records, right.records),
        *_stages(left, right),
        *_inputs(left.records, right.records),
        *_metrics(left, right),
    ]
    unread = [*_unread("base", left), *_unread("candidate", right)]
    return clean({"base": _who(left), "candidate": _who(right), "differences": differences, "unreadable": unread})


class _Side:
    def __init__(
        self, records: RunRecords, found: Assessment, metrics: dict[str, float], unread: tuple[DocumentRead, ...]
    ) -> None:
        self.records = records
        self.found = found
        self.metrics = metrics
        self.unmeasured = bool(unread) and not metrics
        self.unread = (*(each for each in records.documents if each.state in _UNREAD), *unread)

    def closed(self, *paths: str) -> bool:
        """Tell whether a document of these could not be read, so that nothing is said about what it holds."""
        return any(each.path in paths for each in self.unread)


def _read(run: str, access: Access) -> _Side:
    where = access.place(run)
    records = read_records(where)
    numbers, unread = results(where)
    side = _Side(records, assess(evidence_of(records, where, access, None), access.alias), numbers, unread)
    if records.manifest is None and records.ledger is None:
        said = next((each for each in side.unread if each.path != "workflow.yaml"), None)
        if said is None:
            raise TargetError(f"{where.uri}: no record of a run, so there is nothing to compare", NOT_FOUND)
        why = f"{said.path} could not be read ({said.detail or said.state})"
        raise TargetError(f"{where.uri}: {why}, so nothing can be said about what differs", NO_ACCESS)
    return side


def _unread(which: str, side: _Side) -> list[dict[str, Any]]:
    return [{"run": which, "path": each.path, "state": each.state, "detail": each.detail} for each in side.unread]


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


def _spec(one: _Side, two: _Side) -> list[dict[str, Any]]:
    left, right = one.records.spec, two.records.spec
    if one.closed(_SPEC) or two.closed(_SPEC):
        return []
    if left is None or right is None:
        known = [spec is not None for spec in (left, right)]
        return (
            []
            if known == [False, False]
            else [_row("spec", _SPEC, "kept" if known[0] else "not kept", "kept" if known[1] else "not kept")]
        )
    rows = _settings(dict(left.settings), dict(right.settings))
    planned, other = ({stage.name: stage for stage in spec.stages} for spec in (left, right))
    for name in dict.fromkeys([*planned, *other]):
        was, now = planned.get(name), other.get(name)
        if was is None or now is None:
            rows.append(_row("spec", f"states.{name}", "present" if was else "absent", "present" if now else "absent"))
            continue
        for what, before, after in (
            ("image", was.image, now.image),
            ("accelerators", was.accelerators, now.accelerators),
            ("num_nodes", was.nodes, now.nodes),
        ):
            if before != after:
                rows.append(_row("image" if what == "image" else "spec", f"states.{name}.{what}", before, after))
    return rows


def _plan(left: RunRecords, right: RunRecords) -> list[dict[str, Any]]:
    """Return that two plans differ by the fingerprints their drivers recorded; one that is not recorded says nothing."""
    was, now = (side.ledger.fingerprint if side.ledger else "" for side in (left, right))
    return [_row("spec", "plan fingerprint", was, now)] if was and now and was != now else []


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
    if left.unmeasured or right.unmeasured:
        return []
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
