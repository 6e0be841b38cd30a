"""Remembers diagnoses, and tells a diagnosis what is remembered. Whatever fails here never costs a report."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from runtriage.model.report import Report
from runtriage.pipeline import Diagnosis
from runtriage.store.history_error import HistoryError

if TYPE_CHECKING:
    from runtriage.api import config
    from runtriage.api.recurrence import Past
    from runtriage.store.history import History
    from runtriage.store.history_entry import Entry


class Recalled(NamedTuple):
    """A report with its recurrence, and what is to be kept of it."""

    report: Report
    entry: Entry
    entities: list[tuple[str, str]]


class Memory:
    """The history behind diagnoses. `faults` holds one line for each thing that could not be done, each line once.

    Without `look_back` diagnoses are kept, and told nothing of those before.
    """

    def __init__(self, place: str | Path, *, keep_days: int = 400, keep: int = 50_000, look_back: bool = True) -> None:
        self.faults: list[str] = []
        self._look_back = look_back
        self._place = place
        self._keep_days = keep_days
        self._keep = keep
        self._opened: History | None = None
        self._refused: HistoryError | None = None

    def history(self) -> History:
        """Return the database, opened when it is first asked for. Raises `HistoryError`, and the same again: waiting once is enough."""
        if self._refused is not None:
            raise self._refused
        if self._opened is None:
            from runtriage.store.history import History

            try:
                self._opened = History(self._place)
            except HistoryError as error:
                self._refused = error
                raise
        return self._opened

    def recall(self, report: Report, diagnosis: Diagnosis) -> Recalled:
        """Return the report with what is remembered of its failure, the same as before where nothing can be."""
        from runtriage.api.history_entry import entry_of, things

        recalled = Recalled(report, entry_of(report, diagnosis), things(report, diagnosis))
        if recalled.entry.fingerprint is None or not self._look_back:
            return recalled
        try:
            past = self._past(recalled.entry, report, diagnosis)
        except HistoryError as error:
            self._fault(error)
            return recalled
        from runtriage.api.recurrence import recurrence
        from runtriage.api.recurrence_plan import replanned

        found = recurrence(recalled.entry, recalled.entities, past)
        return recalled._replace(report=replanned(report, found, recalled.entry, past))

    def keep(self, recalled: Recalled, diagnosis: Diagnosis) -> None:
        """Keep the finished report, and forget what is too old; `recalled` tells what came of it before."""
        from runtriage.api.history_entry import hidden, settings

        report, entry, entities = recalled.report, recalled.entry, recalled.entities
        strict = diagnosis.facts.options.strict_redaction
        entry = hidden(entry, report) if strict else entry._replace(decision=report.decision)
        document = msgspec.json.encode(report)
        try:
            history = self.history()
            history.save(
                entry, document, None if strict else settings(report, diagnosis.facts), [] if strict else entities
            )
            before = days_before(datetime.fromisoformat(report.timestamp), self._keep_days)
            if history.outlived(before, self._keep):
                history.prune(before=before, keep=self._keep)
        except HistoryError as error:
            self._fault(error)

    def close(self) -> None:
        """Let go of the database."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def _past(self, entry: Entry, report: Report, diagnosis: Diagnosis) -> Past:
        from runtriage.api.history_entry import iso, settings
        from runtriage.api.recurrence import Past
        from runtriage.api.recurrence_fingerprint import only_curve

        history = self.history()
        as_of = diagnosis.facts.options.as_of
        until = None if as_of is None else iso(as_of)
        entries = history.alike(entry.fingerprint or "", until)
        kind: list[Entry] = []
        if entries and only_curve(report):
            entries, kind = _of_one_program(history, entry, settings(report, diagnosis.facts), entries)
        identities = [each.id for each in entries]
        if not identities:
            return Past(kind=kind)
        return Past(
            entries,
            history.entities(identities),
            [item for item in history.feedback(identities) if until is None or item.given_at <= until],
            history.seen_elsewhere(entry.node) if entry.node else False,
            kind,
        )

    def _fault(self, error: HistoryError) -> None:
        line = f"history: {error}"
        if line not in self.faults:
            self.faults.append(line)


def _of_one_program(
    history: History, current: Entry, settings: bytes, entries: list[Entry]
) -> tuple[list[Entry], list[Entry]]:
    """Return the diagnoses that are of the same program or run as the current one, and the others."""
    from runtriage.api.kinship import known, same_program
    from runtriage.api.recurrence import same_failure, same_run

    own = known(current.place, current.framework, settings)
    around = history.surroundings([entry.id for entry in entries])
    ours: list[Entry] = []
    others: list[Entry] = []
    for entry in entries:
        its = known(entry.place, entry.framework, around.get(entry.id))
        one = same_program(own, its) or same_run(current, entry) or same_failure(current, entry)
        (ours if one else others).append(entry)
    return ours, others


def memory(settings: config.History, *, look_back: bool = True) -> Memory | None:
    """Return the history that the config asks for, None where it is switched off."""
    if not settings.enabled:
        return None
    place = settings.path or default_place()
    return Memory(place, keep_days=settings.keep_days, keep=settings.keep, look_back=look_back)


def default_place() -> Path:
    """Return where the history lies unless told otherwise: the user's state folder."""
    from runtriage.store.folders import user_folder

    return user_folder("state") / "history.sqlite3"


def days_before(when: datetime, days: int) -> str:
    """Return the time so many days earlier as the history writes times; the first day of the calendar where it does not reach so far."""
    try:
        return (when - timedelta(days=days)).isoformat(timespec="seconds")
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC).isoformat(timespec="seconds")
