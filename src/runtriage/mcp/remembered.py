"""Remembered diagnoses, as far as they lie where the server may read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from runtriage.api.config import Config
from runtriage.mcp import answers
from runtriage.mcp.paging import page
from runtriage.mcp.policy import Policy, RefusedError
from runtriage.mcp.quote import Quotes

if TYPE_CHECKING:
    from runtriage.store.history import History
    from runtriage.store.history_entry import Entry

_FAILURES: Final = 20
_LONG: Final = 300


class FilterError(Exception):
    """A filter that cannot be understood; one line."""


def failures(policy: Policy, config: Config, query: dict[str, str | None], cursor: str | None) -> answers.FailurePage:
    """Return a page of diagnoses. Raises `RefusedError` where no history is kept, `FilterError`, and `CursorError`."""
    from runtriage.api.history import memory
    from runtriage.store.history_error import HistoryError
    from runtriage.store.history_listing import Query, places

    asked = Query(**{**query, "since": _day(query.get("since"))})
    found = memory(config.history)
    if found is None:
        raise RefusedError("the history is switched off")
    try:
        with found:
            history = found.history()
            every = places(history, asked)
            within = [identity for identity, place in every if policy.holds(place)]
            shown, following = page(within, cursor, _FAILURES)
            told = [_failure(history, identity) for identity in shown]
    except HistoryError as error:
        raise RefusedError(f"history: {error}") from None
    return answers.FailurePage(
        failures=told, total=len(within), out_of_reach=len(every) - len(within), next_cursor=following
    )


def _failure(history: History, identity: str) -> answers.Failure:
    entry: Entry = history.starting(identity)[0]
    quote = Quotes(_texts(history, identity))
    return answers.Failure(
        id=entry.id,
        seen_at=entry.seen_at,
        target=quote.name(entry.target, _LONG),
        status=entry.run_status,
        primary_cause=entry.primary_cause,
        failure_mode=entry.failure_mode,
        node=None if entry.node is None else quote.name(entry.node, _LONG),
        summary=quote.told(entry.summary, _LONG),
    )


def _texts(history: History, identity: str) -> list[str]:
    """Return the run's own text in a kept report."""
    kept = history.documents(identity)
    document: dict[str, Any] = json.loads(kept[0]) if kept else {}
    return [text for item in document.get("evidence", ()) for text in (item["excerpt"], *item.get("context", ()))]


def _day(text: str | None) -> str | None:
    from runtriage.store.history_listing import day

    if text is None:
        return None
    try:
        return day(text.strip())
    except ValueError:
        raise FilterError(f"since is a day, as 2026-05-01, not {text[:40]!r}") from None
