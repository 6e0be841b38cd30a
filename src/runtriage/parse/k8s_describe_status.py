"""Conditions as `kubectl describe` prints them for kinds it has no table for: one indented block of fields after another."""

from __future__ import annotations

from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import NOBODY
from runtriage.model.time import Instant
from runtriage.parse.tables import Line, cite, state

_ISO = deferred(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


class Conditions:
    """Gathers the fields of a list of conditions; a field that comes again begins the next condition."""

    def __init__(self, artifact: str) -> None:
        self._artifact = artifact
        self._list: int | None = None
        self._values: dict[str, str] = {}
        self._places: dict[str, Line] = {}
        self._events: list[RawEvent] = []

    def take(self, line: Line, indent: int, key: str, value: str) -> None:
        """Read one field of the status of an object."""
        if key == "Conditions":
            self._end()
            self._list = indent
        elif self._list is not None and indent > self._list:
            if key in self._values:
                self._end()
            self._values[key], self._places[key] = value, line
        else:
            self._end()
            self._list = None

    def close(self) -> list[RawEvent]:
        """Return the conditions read since the last call."""
        self._end()
        events, self._events, self._list = self._events, [], None
        return events

    def _end(self) -> None:
        values, places = self._values, self._places
        self._values, self._places = {}, {}
        if "Type" not in values or "Status" not in values:
            return
        self._events.append(
            state(
                "k8s/job-condition",
                cite(self._artifact, places["Message" if values.get("Message") else "Type"]),
                NOBODY,
                when=stamp(values.get("Last Transition Time", "")),
                type=values["Type"],
                status=values["Status"],
                reason=values.get("Reason", ""),
                message=values.get("Message", ""),
            )
        )


def stamp(text: str) -> Instant | None:
    """Return a time as kubectl prints it: like the date of a mail for what it has a form for, else as the API server gave it."""
    if _ISO.match(text):
        from datetime import datetime

        try:
            when = datetime.fromisoformat(text)
        except ValueError:
            return None
    else:
        from email.utils import parsedate_to_datetime  # loads sockets, and few runs have such a document

        try:
            when = parsedate_to_datetime(text)
        except ValueError:
            return None
    return Instant(text=text, seconds=when.timestamp(), zoned=when.tzinfo is not None, clock="k8s", precision=1.0)
