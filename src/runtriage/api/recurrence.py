"""What the history says about a failure: how often, since when, where, and what was tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from runtriage.model.report import Recurrence
from runtriage.store.history_entry import Entry, Feedback

_NAMED: Final = 5
"""Earlier runs and remedies that are named."""
_DAY: Final = 1.0
"""Days within which the same words may be of one run."""
_TOGETHER: Final = 10.0
"""Seconds between the last lines that one run writes to two files."""
_NEAR: Final = 200
"""Diagnoses before that one is compared with where only their words say that they are of one run."""
_AND: Final = " | "
"""Stands between the first and the last time that a run prints."""
_TOUCH: Final = 1.0
"""Seconds that the time of a file may differ by between two reads of one run."""


class Past(NamedTuple):
    """Diagnoses of the same failure, as they happened, with what is known of them."""

    entries: Sequence[Entry] = ()
    entities: Mapping[str, set[tuple[str, str]]] = MappingProxyType({})
    feedback: Sequence[Feedback] = ()
    elsewhere: bool = False
    """Whether failures on other nodes are remembered too."""
    kind: Sequence[Entry] = ()
    """Diagnoses of the same kind of failure that nothing shows to be of the same program."""


class Remedy(NamedTuple):
    """What a person did about it, when, whether the failure came back, and when it did so, as far as known."""

    what: str
    when: str
    back: bool
    until: str | None
    asked: str
    """When the diagnosis was made that looks back at it: a remedy that was named a moment ago has held for a moment."""

    @property
    def held(self) -> float | None:
        """Days until the failure came back, or for which it has stayed away so far; None where it came back nobody knows when."""
        if self.back:
            return None if self.until is None else _days(self.when, self.until)
        return max(_days(self.when, self.asked), 0.0)


def same_run(one: Entry, other: Entry) -> bool:
    """Tell whether two diagnoses are of one run: read again where it lies, or a copy of it.

    A file that did not grow but was written later holds another run that failed in the same way.
    """
    if one.run_key != other.run_key:
        return False
    known = one.mtime is not None and other.mtime is not None
    untouched = known and abs((one.mtime or 0) - (other.mtime or 0)) <= _TOUCH
    if one.place is None or one.place != other.place:
        return one.bytes == other.bytes and (untouched or not known)
    early, late = sorted((one, other), key=lambda entry: (entry.mtime or 0, entry.bytes))
    return untouched or not known or late.bytes > early.bytes


def same_failure(one: Entry, other: Entry) -> bool:
    """Tell whether two diagnoses at two places, or of which one has none, are of one run that was handed over in another form.

    That is a traceback cut out of its log, a log beside the folder of its ranks, or a file beside the folder it lies in: the failure is told
    in the same words, within a day, and neither step nor printed times speak against it.
    """
    steps = {entry.step for entry in (one, other) if entry.step is not None}
    if len(steps) > 1 or abs(_days(one.happened_at, other.happened_at)) >= _DAY:
        return False
    if one.place is not None and one.place == other.place:
        return False
    times = [set(entry.printed.split(_AND)) for entry in (one, other) if entry.printed]
    if len(times) == 2:
        return bool(times[0] & times[1])
    if _within(one.place, other.place):
        return True
    written = one.mtime is not None and other.mtime is not None and one.step is not None and other.step is not None
    apart = written and abs((one.mtime or 0) - (other.mtime or 0)) > _TOGETHER
    return one.said is not None and one.said == other.said and not apart


def _within(one: str | None, other: str | None) -> bool:
    """Tell whether one place lies in the other."""
    if one is None or other is None:
        return False
    short, long = sorted((one.rstrip("/"), other.rstrip("/")), key=len)
    return long.startswith(f"{short}/")


class _Own:
    """What the diagnoses of one run say of it by themselves: its steps, its printed times, and when files that print no time were written."""

    def __init__(self, entry: Entry) -> None:
        self.steps = {entry.step} - {None}
        self.times = set(entry.printed.split(_AND)) if entry.printed else set[str]()
        dated = entry.mtime is not None and entry.step is not None and not self.times
        self.written = [entry.mtime or 0.0] if dated else list[float]()

    def differs(self, other: _Own) -> bool:
        """Tell whether these are two runs, however alike a text is that tells neither time nor step: it may have been cut from either."""
        if self.times and other.times:
            return self.times.isdisjoint(other.times)
        if self.steps and other.steps and self.steps.isdisjoint(other.steps):
            return True
        if not self.written or not other.written:
            return False
        return max(min(self.written) - max(other.written), min(other.written) - max(self.written)) > _TOGETHER

    def take(self, other: _Own) -> None:
        """Take in what another diagnosis of the same run says."""
        self.steps |= other.steps
        self.times |= other.times
        self.written = [each(self.written + other.written) for each in (min, max) if self.written or other.written]


class _Joined:
    """Which diagnoses are of one run, by their number."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._of = list(range(len(entries)))
        self._own = [_Own(entry) for entry in entries]
        self._bare = [not own.steps and not own.times for own in self._own]

    def first(self, at: int) -> int:
        """Return the number that stands for the run of a diagnosis."""
        while self._of[at] != at:
            self._of[at] = at = self._of[self._of[at]]
        return at

    def join(self, at: int, other: int) -> None:
        """Let two diagnoses be of one run."""
        one, two = self.first(at), self.first(other)
        if one != two:
            self._of[two] = one
            self._own[one].take(self._own[two])

    def join_alike(self, at: int, other: int) -> None:
        """Let two diagnoses in the same words be of one run, unless one tells nothing else and both have a run of their own by now."""
        one, two = self.first(at), self.first(other)
        bare = self._bare[at] or self._bare[other]
        if not (bare and self._own[one].differs(self._own[two])):
            self.join(at, other)


def _groups(current: Entry, past: Past) -> list[list[Entry]]:
    """Return the diagnoses of each run, that of the current one first."""
    entries = sorted([current, *(entry for entry in past.entries if entry.id != current.id)], key=_order)
    joined = _Joined(entries)
    by_key: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        alike = by_key.setdefault(entry.run_key, [])
        for each in alike:
            if same_run(entry, entries[each]):
                joined.join(at, each)
        alike.append(at)
    for at, entry in enumerate(entries):
        for each in range(
            at - 1, max(at - _NEAR, 0) - 1, -1
        ):  # the nearest first: a traceback is cut from the latest log
            if same_failure(entry, entries[each]):
                joined.join_alike(at, each)
    groups: dict[int, list[Entry]] = {}
    for at, entry in enumerate(entries):
        groups.setdefault(joined.first(at), []).append(entry)
    own = groups.pop(joined.first(entries.index(current)))
    return [own, *groups.values()]


def runs(current: Entry, past: Past) -> list[Entry]:
    """Return one entry for each earlier run that failed in the same way, as they happened."""
    return sorted((min(group, key=_order) for group in _groups(current, past)[1:]), key=_order)


def _order(entry: Entry) -> tuple[str, str, str]:
    return entry.happened_at, entry.seen_at, entry.id


def remedies(current: Entry, past: Past) -> list[Remedy]:
    """Return what people said fixed it, oldest first.

    A run that says nothing of when it failed, as one that came through a pipe, shows that the failure is back but not since when.
    """
    groups = _groups(current, past)
    dated = any(entry.happened_at != entry.seen_at for entry in groups[0])
    times = sorted(min(entry.happened_at for entry in group) for group in (groups if dated else groups[1:]))
    found: list[Remedy] = []
    for item in past.feedback:
        if item.says == "fixed" and item.note:
            until = next((time for time in times if _days(item.given_at, time) > 0), None)
            found.append(Remedy(item.note, item.given_at, until is not None or not dated, until, current.seen_at))
    return found


def recurrence(current: Entry, things: Sequence[tuple[str, str]], past: Past) -> Recurrence:
    """Return what a report says of the failure's history."""
    earlier = runs(current, past)
    tried = [_tried(item) for item in remedies(current, past)[-_NAMED:]]
    wrong = [item for item in past.feedback if item.says == "wrong"]
    if not earlier:
        note = "; ".join(filter(None, [_kind(current, past), _disputed(wrong)]))
        return Recurrence(count=1, fingerprint=current.fingerprint, tried=tried, note=note)
    steps, nodes = [entry.step for entry in earlier], [entry.node for entry in earlier]
    always = {thing for thing in things if thing[0] != "node"}
    for entry in earlier:
        always &= past.entities.get(entry.id, set())
    found = Recurrence(
        count=len(earlier) + 1,
        fingerprint=current.fingerprint,
        first_seen=min(earlier[0].happened_at, current.happened_at),
        last_seen=earlier[-1].happened_at,
        same_step=_same(current.step, steps),
        same_node=_same(current.node, nodes),
        same_entities=[f"{kind} {name}" for kind, name in sorted(always)],
        runs=[entry.id for entry in earlier[-_NAMED:]],
        tried=tried,
    )
    return replace(found, note=_note(found, current, wrong))


def _kind(current: Entry, past: Past) -> str:
    """Return how often the same kind of failure was met in runs that may be of any program, which is no recurrence."""
    count = len(runs(current, Past(past.kind)))
    if not count:
        return ""
    others = "another run" if count == 1 else f"{count} other runs"
    return f"the same kind of failure in {others}, but nothing shows that it is the same program"


def _same(value: object, others: Sequence[object]) -> bool | None:
    known = [other for other in others if other is not None]
    return None if value is None or not known else all(other == value for other in known)


def _tried(item: Remedy) -> str:
    days = item.held
    if not item.back:
        away = "it has not come back" if (days or 0.0) >= _DAY else "too soon to tell whether it helped"
        return f"{item.what} ({item.when[:10]}): {away}"
    return f"{item.what} ({item.when[:10]}): it came back{'' if days is None else f' {_span(days)}'}"


def _span(days: float) -> str:
    hours = days * 24
    if hours < 1:
        return "within the hour"
    return f"after {days:.0f} days" if days >= 2 else f"after {hours:.0f} hour{'s' if round(hours) != 1 else ''}"


def _note(found: Recurrence, current: Entry, wrong: Sequence[Feedback]) -> str:
    parts = [f"{_ordinal(found.count)} time since {(found.first_seen or '')[:10]}"]
    if found.same_step is not None:
        parts.append(f"at step {current.step} every time" if found.same_step else "at different steps")
    if found.same_node is not None:
        parts.append(f"on {current.node} every time" if found.same_node else "on different nodes")
    parts += [f"with {name} every time" for name in found.same_entities[:2]]
    parts += [f"tried: {item}" for item in found.tried[-1:]]
    return "; ".join(filter(None, [*parts, _disputed(wrong)]))


def _disputed(wrong: Sequence[Feedback]) -> str:
    if not wrong:
        return ""
    last = wrong[-1]
    cause = f", it was {last.cause}" if last.cause else ""
    return f"an earlier verdict like this was called wrong on {last.given_at[:10]}{cause}" + (
        f": {last.note}" if last.note else ""
    )


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _days(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() / 86_400
