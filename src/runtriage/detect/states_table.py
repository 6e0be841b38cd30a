"""The tables that say what a state means: `states.toml` for Kubernetes, `states_platforms.toml` for everything else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from runtriage.model.event import Event
from runtriage.model.pattern import deferred
from runtriage.model.plain_toml import plain_tables

_FILES = ("states_platforms.toml", "states_process.toml", "states.toml")
_TESTS = ("reason", "message", "type", "init", "state", "severity", "object", "memory")
_FIELD = deferred(r"\{(\w+)\}")
_LAST = deferred(r": \{(\w+)\}$")
_BOUND = 2000
_CLAIM = 300


class Row(Struct, frozen=True, eq=False):
    """One row. `status` is what the state says of the run, `decides` that it says so whatever a log prints."""

    names: tuple[str, ...]
    tests: Mapping[str, re.Pattern[str]]
    status_is: re.Pattern[str] | None
    failed: bool
    text: bool
    mode: str | None
    role: str
    tier: str
    category: str | None
    status: str | None
    decides: bool
    claim: str
    fixes: tuple[str, ...]


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of all tables, in order."""
    texts = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in _FILES]
    return tuple(_row(table) for text in texts for table in plain_tables(text, "state"))


def _row(table: Mapping[str, Any]) -> Row:
    return Row(
        names=tuple(table["name"].split("|")),
        tests={key: deferred(table[key], re.IGNORECASE) for key in _TESTS if key in table},
        status_is=deferred(f"^(?:{table['status_is']})$") if "status_is" in table else None,
        failed=bool(table.get("failed", False)),
        text=bool(table.get("text", False)),
        mode=table.get("mode"),
        role=table.get("role", "context"),
        tier=table.get("tier", "scheduler"),
        category=table.get("category"),
        status=table.get("status"),
        decides=bool(table.get("decides", False)),
        claim=table["claim"],
        fixes=tuple(table.get("fixes", ())),
    )


@cache
def _by_name() -> Mapping[str, tuple[Row, ...]]:
    found: dict[str, tuple[Row, ...]] = {}
    for row in rows():
        for name in row.names:
            found[name] = (*found.get(name, ()), row)
    return found


def fitting(event: Event) -> Row | None:
    """Return the first row that fits a state, or None."""
    return next((row for row in _by_name().get(event.name, ()) if _fits(row, event)), None)


def _fits(row: Row, event: Event) -> bool:
    if row.failed and not (event.numbers.get("code") or event.numbers.get("signal")):
        return False
    if row.status_is is not None and not row.status_is.match(event.captures.get("status", "")):
        return False
    return all(test.search(event.captures.get(key, "")[:_BOUND]) for key, test in row.tests.items())


def claim(template: str, event: Event) -> str:
    """Return a claim with the values of the state filled in; a message at its end that the state lacks is left away."""
    values = {**event.captures, **{key: f"{value:g}" for key, value in event.numbers.items()}}
    last = _LAST.search(template)
    if last is not None and not values.get(last.group(1), "").strip():
        template = template[: last.start()]
    return _FIELD.sub(lambda found: " ".join(values.get(found.group(1), "?").split())[:_CLAIM], template)
