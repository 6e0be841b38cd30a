"""One run as the API of W&B answers it: state, heartbeat, configuration, and the sweep it belongs to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from runtriage.model.raw import RawEvent, RawSetting, RawText
from runtriage.parse.config_roles import role_of
from runtriage.parse.pointer import Node, instant
from runtriage.parse.tables import state

_MOST = 400
_VALUE = 200


def online_events(run: Node) -> Iterator[RawEvent]:
    """Yield the state of a run. `crashed` is what the server says when heartbeats stop."""
    yield state(
        "wandb/run",
        run.get("state").cite(),
        when=instant(run.text("heartbeatAt"), "wandb"),
        state=run.text("state"),
        run=run.text("displayName") or run.text("name"),
        sweep=run.text("sweepName"),
        last=run.text("heartbeatAt"),
    )


def online_settings(run: Node) -> list[RawSetting]:
    """Return the settings whose meaning is known; the API tells the configuration as JSON in a string."""
    try:
        held: object = json.loads(run.text("config") or "{}")
    except (ValueError, RecursionError):
        return []
    members = cast("dict[str, object]", held) if isinstance(held, dict) else {}
    found: list[RawSetting] = []
    for name, value in members.items():
        inner = cast("dict[str, object]", value).get("value") if isinstance(value, dict) else value
        text = inner if isinstance(inner, str) else json.dumps(inner)
        role = role_of(name, text)
        if role is not None and len(text) <= _VALUE and len(found) < _MOST:
            found.append(RawSetting(name=name, value=RawText(text), citation=run.get("config").cite(), role=role))
    return found
