"""What skins ask the history: one diagnosis by the start of its id, its report, and all of them for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

from runtriage.model.report import Report
from runtriage.store.history_entry import Entry, Feedback

if TYPE_CHECKING:
    from runtriage.store.history import History
    from runtriage.store.history_listing import Query

SAYS: Final = ("right", "wrong", "fixed")
_PAGE: Final = 200
_LONGEST: Final = 2_000


class NotRememberedError(Exception):
    """No diagnosis, or more than one, has an id that starts like that; one line."""


def one(history: History, prefix: str) -> Entry:
    """Return the diagnosis whose id starts with the prefix. Raises `NotRememberedError`."""
    found = history.starting(prefix.strip())
    if not found:
        raise NotRememberedError(f"no diagnosis {prefix!r} is remembered; runtriage history list shows them")
    if len(found) > 1:
        raise NotRememberedError(f"several diagnoses start with {prefix!r}: {', '.join(each.id for each in found[:4])}")
    return found[0]


def report_of(history: History, identity: str) -> Report:
    """Return the report of a remembered diagnosis. Raises `NotRememberedError`."""
    kept = history.documents(identity)
    if kept is None:
        raise NotRememberedError(f"the report of {identity} is not kept")
    return Report.from_json(kept[0])


def surroundings_of(history: History, identity: str) -> dict[str, Any]:
    """Return the settings and surroundings that were kept with a diagnosis."""
    kept = history.documents(identity)
    return cast("dict[str, Any]", json.loads(kept[1])) if kept and kept[1] else {}


def exported(history: History, query: Query) -> Iterator[str]:
    """Yield each diagnosis as one line of JSON, the newest first: its entry, its feedback and its whole report."""
    from runtriage.store.history_listing import page

    offset = 0
    while True:
        entries, _ = page(history, query, limit=_PAGE, offset=offset)
        said = history.feedback([entry.id for entry in entries])
        for entry in entries:
            kept = history.documents(entry.id)
            yield json.dumps(
                {
                    "entry": entry._asdict(),
                    "feedback": [item._asdict() for item in said if item.diagnosis == entry.id],
                    "report": json.loads(kept[0]) if kept else None,
                }
            )
        offset += len(entries)
        if len(entries) < _PAGE:
            return


def say(history: History, entry: Entry, says: str, note: str, cause: str | None, *, now: str) -> Feedback:
    """Keep what a person said of a diagnosis, without the secrets a note may hold, and return it as it is kept."""
    from runtriage.redact import clean

    item = Feedback(diagnosis=entry.id, given_at=now, says=says, note=clean(note.strip())[:_LONGEST], cause=cause)
    history.say(item)
    return item
