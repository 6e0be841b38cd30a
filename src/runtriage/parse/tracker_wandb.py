"""One run as the API of W&B answers it: state, heartbeat, configuration, and the sweep it belongs to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from runtriage.model.raw import RawEvent, RawSetting, RawText
from runtriage.model.silence import SILENT, lasted
from runtriage.parse.config_roles import role_of
from runtriage.parse.pointer import Node, Value, instant
from runtriage.parse.tables import state

_MOST = 400
_NAMED = 20
_VALUE = 200


def online_events(run: Node, seen_at: float | None = None) -> Iterator[RawEvent]:
    """Yield the state of a run. `crashed` is what the server says when heartbeats stop; `seen_at` (seconds since 1970) is when it answered."""
    beat = instant(run.text("heartbeatAt"), "wandb")
    made = instant(run.text("createdAt"), "wandb")
    silent = seen_at - beat.seconds if seen_at is not None and beat is not None else None
    quiet = silent is not None and silent > SILENT and run.text("state") in ("running", "crashed")
    edges = run.get("files", "edges").items()
    names = [" ".join(edge.text("node", "name").split())[:_VALUE] for edge in edges]
    yield state(
        "wandb/run",
        run.get("state").cite(),
        when=beat,
        numbers={
            "silent_seconds": silent if quiet else None,
            "heard_seconds": beat.seconds - made.seconds if beat is not None and made is not None else None,
            "last_step": Node(_object(run.text("summaryMetrics")), "").number("_step"),
            "artifacts": float(len(names)) if names else None,
        },
        state=run.text("state"),
        run=run.text("displayName") or run.text("name"),
        sweep=run.text("sweepName"),
        group=run.text("group"),
        artifacts="\n".join(names[:_NAMED]),
        last=run.text("heartbeatAt"),
        reason="silent" if quiet else "",
        message=lasted(silent) if silent is not None and quiet else "",
    )


def online_settings(run: Node) -> list[RawSetting]:
    """Return the settings whose meaning is known; the API tells the configuration as JSON in a string."""
    members = _object(run.text("config"))
    found: list[RawSetting] = []
    for name, value in members.items():
        inner = value.get("value") if isinstance(value, dict) else value
        text = inner if isinstance(inner, str) else json.dumps(inner)
        role = role_of(name, text)
        if role is not None and len(text) <= _VALUE and len(found) < _MOST:
            found.append(RawSetting(name=name, value=RawText(text), citation=run.get("config").cite(), role=role))
    return found


def _object(text: str) -> dict[str, Value]:
    """Return the object that a string tells as JSON, an empty one where it tells none."""
    try:
        held: object = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Value]", held) if isinstance(held, dict) else {}
