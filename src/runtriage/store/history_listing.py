"""Pages of the history by filter, and sums over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from runtriage.store.history import History
from runtriage.store.history_entry import COLUMNS, Entry, of_row

_SEARCHED: Final = ("summary", "target", "mechanism", "failure_mode", "node", "id")
_HUNG_OR_WORSE: Final = "run_status IN ('crashed', 'hung', 'diverged', 'degraded')"


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to list: None asks for all. `since` and `until` bound the time of the diagnosis (ISO 8601); `text` is looked for in any case."""

    cause: str | None = None
    mode: str | None = None
    status: str | None = None
    node: str | None = None
    fingerprint: str | None = None
    text: str | None = None
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
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
        (*values, limit, offset),
    )
    return [of_row(row) for row in rows], int(total)


def choices(history: History) -> dict[str, list[str]]:
    """Return the values that can be filtered by."""
    names = ("primary_cause", "run_status", "node")
    return {name: [row[0] for row in _values(history, name)] for name in names}


def sums(history: History, query: Query) -> Sums:
    """Return what the diagnoses that fit add up to."""
    condition, values = _where(query)
    failed = f"{condition} {'AND' if condition else 'WHERE'} {_HUNG_OR_WORSE} AND primary_cause IS NOT NULL"

    def grouped(names: str, more: str = "", tail: str = "") -> list[tuple[Any, ...]]:
        return history.database.rows(f"SELECT {names} FROM diagnoses {failed} {more} {tail}", values)

    count, lost = grouped("COUNT(*), COALESCE(SUM(hours), 0)")[0]
    top = "ORDER BY 2 DESC, 1 LIMIT 50"
    return Sums(
        diagnoses=int(history.database.rows(f"SELECT COUNT(*) FROM diagnoses {condition}", values)[0][0]),
        failures=int(count),
        hours_lost=float(lost),
        by_cause=[
            (name, int(n), float(hours))
            for name, n, hours in grouped(
                "primary_cause, COUNT(*), COALESCE(SUM(hours), 0)", tail=f"GROUP BY primary_cause {top}"
            )
        ],
        by_mode=[(name, int(n)) for name, n in grouped("failure_mode, COUNT(*)", "AND failure_mode IS NOT NULL", f"GROUP BY failure_mode {top}")],
        by_node=[(name, int(n)) for name, n in grouped("node, COUNT(*)", "AND node IS NOT NULL", f"GROUP BY node {top}")],
        by_day=[
            (day, cause, int(n))
            for day, cause, n in grouped(
                "SUBSTR(happened_at, 1, 10), primary_cause, COUNT(*)",
                tail="GROUP BY SUBSTR(happened_at, 1, 10), primary_cause ORDER BY 1, 2",
            )
        ],
        repeated=[
            (mark, said, int(n), first, last)
            for mark, said, n, first, last in grouped(
                "fingerprint, MAX(summary), COUNT(DISTINCT run_key), MIN(happened_at), MAX(happened_at)",
                "AND fingerprint IS NOT NULL",
                "GROUP BY fingerprint HAVING COUNT(DISTINCT run_key) > 1 ORDER BY 3 DESC, 5 DESC, 1 LIMIT 20",
            )
        ],
    )  # fmt: skip


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
