"""States of structured documents become matches through a table; the catalogue reads their messages first where that says more."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from runtriage.detect import exits
from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue, Signature
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.taxonomy import modes

_TESTS = ("reason", "message", "type", "init")
_FIELD = re.compile(r"\{(\w+)\}")
_BOUND = 2000
_CLAIM = 300
_EXIT = "exit"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of `states.toml`."""

    name: str
    tests: Mapping[str, re.Pattern[str]]
    status_is: re.Pattern[str] | None
    failed: bool
    text: bool
    mode: str | None
    role: str
    category: str | None
    status: str | None
    claim: str
    fixes: tuple[str, ...]


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of `states.toml`."""
    text = resources.files(__package__ or "runtriage.detect").joinpath("states.toml").read_text(encoding="utf-8")
    return tuple(_row(table) for table in tomllib.loads(text)["state"])


def _row(table: Mapping[str, Any]) -> Row:
    return Row(
        name=table["name"],
        tests={key: re.compile(table[key], re.IGNORECASE) for key in _TESTS if key in table},
        status_is=re.compile(f"^(?:{table['status_is']})$") if "status_is" in table else None,
        failed=bool(table.get("failed", False)),
        text=bool(table.get("text", False)),
        mode=table.get("mode"),
        role=table.get("role", "context"),
        category=table.get("category"),
        status=table.get("status"),
        claim=table["claim"],
        fixes=tuple(table.get("fixes", ())),
    )


def fitting(event: Event) -> Row | None:
    """Return the first row that fits a state, or None."""
    return next((row for row in rows() if row.name == event.name and _fits(row, event)), None)


def _fits(row: Row, event: Event) -> bool:
    if row.failed and not event.numbers.get("code"):
        return False
    if row.status_is is not None and not row.status_is.match(event.captures.get("status", "")):
        return False
    return all(test.search(event.captures.get(key, "")[:_BOUND]) for key, test in row.tests.items())


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each state that means something."""
    for event in facts.events:
        if event.kind != STATE:
            continue
        row = fitting(event)
        if row is None or row.mode is None:
            continue
        signature = _spoken(event, catalogue) if row.text else None
        yield _match(event, row, signature)


def _spoken(event: Event, catalogue: Catalogue) -> Signature | None:
    """Return the cause or confirmation of the catalogue that recognises the message, if any does."""
    message = event.captures.get("message", "")[:_BOUND]
    for signature in catalogue.signatures.values():
        if signature.role != "cause" or signature.maturity == "sandbox" or signature.mode not in modes():
            continue
        for pattern in signature.patterns:
            if pattern.literal and pattern.literal not in message and not pattern.ignore_case:
                continue
            if re.search(pattern.regex, message, re.IGNORECASE if pattern.ignore_case else 0):
                return signature
    return None


def _match(event: Event, row: Row, signature: Signature | None) -> Match:
    mode, role, fixes = _meaning(event, row, signature)
    captures = {**event.captures}
    if row.category:
        captures["category"] = row.category
    if row.status:
        captures["routed"] = row.status
    return Match(
        rule=f"state/{event.name}",
        mode=mode,
        role=role,
        maturity="stable",
        tier="scheduler",
        evidence=(evidence(event, _claim(row.claim, event)),),
        subject=event.subject,
        start=event.when,
        captures=captures,
        numbers=event.numbers,
        events=(event,),
        fixes=fixes,
        title=signature.title if signature else modes()[mode].title,
    )


def _meaning(event: Event, row: Row, signature: Signature | None) -> tuple[str, str, tuple[str, ...]]:
    if signature is not None:
        return signature.mode, row.role, signature.fixes or row.fixes
    if row.mode == _EXIT:
        meaning = exits.read(event)
        if meaning is not None:
            return meaning.mode, "symptom", meaning.fixes
        return "crash/exit-no-error", "symptom", ()
    return row.mode or "crash/exit-no-error", row.role, row.fixes


def _claim(template: str, event: Event) -> str:
    values = {**event.captures, **{key: f"{value:g}" for key, value in event.numbers.items()}}
    return _FIELD.sub(lambda found: values.get(found.group(1), "?")[:_CLAIM], template)


DETECTORS = (Detector(id="states", modes=(), find=find),)
