"""A run that its local store still calls RUNNING, although nothing of it was written for a long time: the store was asked at a known moment."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from runtriage.model.event import Event
from runtriage.model.silence import SILENT, lasted


def aged(states: Sequence[Event]) -> list[Event]:
    """Return the states, with how long a run that is open has been silent where it is known when that was seen."""
    seen = next((event for event in states if event.name == "mlflow/seen"), None)
    if seen is None or "at" not in seen.numbers:
        return list(states)
    return [_aged(event, seen) if _open(event) else event for event in states]


def _open(event: Event) -> bool:
    return event.name == "mlflow/run" and event.captures.get("state") == "RUNNING" and "reason" not in event.captures


def _aged(event: Event, seen: Event) -> Event:
    began = event.when.seconds if event.when else None
    signs = [sign for sign in (seen.numbers.get("last"), event.numbers.get("last"), began) if sign is not None]
    silent = seen.numbers["at"] - max(signs, default=seen.numbers["at"])
    if silent <= SILENT:
        return event
    said = {"reason": "silent", "message": lasted(silent)}
    return replace(event, captures={**event.captures, **said}, numbers={**event.numbers, "silent_seconds": silent})
