"""From the parameters of a request to what is asked of the history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from runtriage.store.history_entry import Entry
from runtriage.store.history_listing import Query, day

NAMES: Final = ("cause", "mode", "status", "node", "fingerprint", "text", "since", "until")
PAGE: Final = 50
_LONGEST: Final = 200
_DEEPEST: Final = 1_000_000


class ParameterError(Exception):
    """A parameter that cannot be understood; one line."""


def query_of(parameters: QueryParams) -> Query:
    """Return the filter that the parameters spell; empty ones ask for all. Raises `ParameterError`."""
    values: dict[str, str | None] = {}
    for name in NAMES:
        value = parameters.get(name, "").replace("\0", "").strip()[:_LONGEST]
        values[name] = value or None
    for name in ("since", "until"):
        values[name] = _day(name, parameters.get(name, ""))
    return Query(**values)


def number(parameters: QueryParams, name: str, default: int, most: int = _DEEPEST) -> int:
    """Return a parameter that counts, from 1 to `most`. Raises `ParameterError`."""
    text = parameters.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:9]) <= most:
        raise ParameterError(f"{name} is a number from 1 to {most}")
    return int(text[:9])


def address(path: str, query: Query, **changes: Any) -> str:
    """Return the address of a listing with the same filter and some changes."""
    values = {name: getattr(query, name) for name in NAMES} | changes
    given = {name: value for name, value in values.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def row(entry: Entry) -> Mapping[str, Any]:
    """Return an entry as the JSON API writes it: nothing of where a file lies on this machine."""
    return {name: getattr(entry, name) for name in Entry._fields if name not in {"place", "run_key", "bytes", "mtime"}}


def _day(name: str, text: str) -> str | None:
    try:
        return day(text) if text else None
    except ValueError:
        raise ParameterError(f"{name} is a day, as 2026-05-01") from None
