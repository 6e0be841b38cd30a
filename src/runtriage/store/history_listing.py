"""Pages of the history by filter, and sums over it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final

from msgspec import Struct

from runtriage.store.history import History
from runtriage.store.history_entry import COLUMNS, Entry, of_row

_SEARCHED: Final = ("summary", "target", "mechanism", "failure_mode", "node", "id")
_FAILED: Final = "run_status NOT IN ('completed', 'recovered', 'running', 'unknown')"
_ADDED: Final = (
    "primary_cause",
    "failure_mode",
    "node",
    "happened_at",
    "fingerprint",
    "hours",
    "run_key",
    "mechanism",
    "summary",
)
_TOP: Final = 50
_FARTHEST: Final = (1 << 63) - 1
"""Largest number that a database takes."""


class Query(Struct, frozen=True, kw_only=True):
    """What to list: None asks for all. `since` and `until` bound the time of the diagnosis (ISO 8601); `text` is looked for in any case."""

    cause: str | None = None
    mode: str | None = None
    status: str | None = None
    node: str | None = None
    fingerprint: str | None = None
    text: str | None = None
    since: str | None = None
    until: str | None = None


def day(text: str) -> str:
    """Return a day that bounds a `Query`, which is written as 2026-05-01 and in no other way: a time of day beside it would not count. Raises ValueError."""
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError(f"no day as YYYY-MM-DD: {text!r}")
    return text


class Sums(Struct, frozen=True, kw_only=True):
    """Counts of failures: by cause, mode, node, day (YYYY-MM-DD with its cause) and fingerprint, the largest first."""

    diagnoses: int
    failures: int
    hours_lost: float
    by_cause: list[tuple[str, int, float]]
    by_mode: list[tuple[str, int]]
    by_node: list[tuple[str, int]]
    by_day: list[tuple[str, str, int]]
    repeated: list[tuple[str, str, int, str, str]]


def page(history: History, query: Query, *, limit: int, offset: int = 0) -> tuple[list[Entry], int]:
    """Return one page of the diagnoses that fit, the newest first, and how many fit in all."""
    condition, values = _where(query)
    total = history.database.rows(f"SELECT COUNT(*) FROM diagnoses {condition}", values)[0][0]
    rows = history.database.rows(
        f"SELECT {', '.join(COLUMNS)} FROM diagnoses {condition} ORDER BY seen_at DESC, id LIMIT ? OFFSET ?",
        (*values, min(limit, _FARTHEST), min(offset, _FARTHEST)),
    )
    return [of_row(row) for row in rows], int(total)


def places(history: History, query: Query) -> list[tuple[str, str | None]]:
    """Return id and place of all diagnoses that fit, the newest first."""
    condition, values = _where(query)
    rows = history.database.rows(f"SELECT id, place FROM diagnoses {condition} ORDER BY seen_at DESC, id", values)
    return [(row[0], row[1]) for row in rows]


def choices(history: History) -> dict[str, list[str]]:
    """Return the values that can be filtered by."""
    names = ("primary_cause", "run_status", "node")
    return {name: [row[0] for row in _values(history, name)] for name in names}


def sums(history: History, query: Query) -> Sums:
    """Return what the diagnoses that fit add up to; one pass over them, since each sum by itself would be one."""
    condition, values = _where(query)
    failed = f"{condition} {'AND' if condition else 'WHERE'} {_FAILED} AND primary_cause IS NOT NULL"
    rows = history.database.rows(f"SELECT {', '.join(_ADDED)} FROM diagnoses {failed}", values)
    hours: dict[str, float] = defaultdict(float)
    for row in rows:
        hours[row[0]] += row[5] or 0.0
    return Sums(
        diagnoses=int(history.database.rows(f"SELECT COUNT(*) FROM diagnoses {condition}", values)[0][0]),
        failures=len(rows),
        hours_lost=sum(hours.values()),
        by_cause=[(name, count, hours[name]) for name, count in _largest(row[0] for row in rows)],
        by_mode=_largest(row[1] for row in rows if row[1] is not None),
        by_node=_largest(row[2] for row in rows if row[2] is not None),
        by_day=[(*key, count) for key, count in sorted(Counter((row[3][:10], row[0]) for row in rows).items())],
        repeated=_repeated(rows),
    )


def _largest(names: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(names).items(), key=lambda item: (-item[1], item[0]))[:_TOP]


def _repeated(rows: Sequence[tuple[Any, ...]]) -> list[tuple[str, str, int, str, str]]:
    """Return failures that more than one run had: fingerprint, words, runs, first and last time."""
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        if row[4] is not None:
            found[row[4]].append(row)
    repeated = [
        (
            mark,
            max((row[7] for row in alike), default="") or alike[0][8],
            len({row[6] for row in alike}),
            min(row[3] for row in alike),
            max(row[3] for row in alike),
        )
        for mark, alike in found.items()
        if len(alike) > 1
    ]
    return sorted((item for item in repeated if item[2] > 1), key=lambda item: (-item[2], item[0]))[:_TOP]


def _values(history: History, name: str) -> list[tuple[Any, ...]]:
    return history.database.rows(
        f"SELECT {name} FROM diagnoses WHERE {name} IS NOT NULL GROUP BY {name} ORDER BY COUNT(*) DESC, {name} LIMIT 200"
    )


def _where(query: Query) -> tuple[str, list[str]]:
    """Return the condition with its parameters; names of columns come from here alone, never from a user."""
    equal = {
        "primary_cause": query.cause,
        "failure_mode": query.mode,
        "run_status": query.status,
        "node": query.node,
        "fingerprint": query.fingerprint,
    }
    parts = [f"{name} = ?" for name, value in equal.items() if value is not None]
    values = [value for value in equal.values() if value is not None]
    for sign, bound in ((">=", query.since), ("<", query.until)):
        if bound is not None:
            parts.append(f"seen_at {sign} ?")
            values.append(bound)
    for word in (query.text or "").lower().split()[:8]:
        parts.append("(" + " OR ".join(f"LOWER(COALESCE({name}, '')) LIKE ? ESCAPE '!'" for name in _SEARCHED) + ")")
        values += [f"%{_plain(word)}%"] * len(_SEARCHED)
    return ("WHERE " + " AND ".join(parts) if parts else ""), values


def _plain(word: str) -> str:
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
