"""What a scan of one artifact returns, and what scans of its parts are joined from."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from runtriage.model.artifact import Artifact, Read
from runtriage.model.event import ATTEMPT, FINISH
from runtriage.model.facts import RankProgress
from runtriage.model.place import Citation, byte_of
from runtriage.model.raw import RawEvent
from runtriage.model.series import Series
from runtriage.model.spots import Spot
from runtriage.model.subject import Subject
from runtriage.scan.attempt import AGAIN, Mark, attempts
from runtriage.scan.fold import Fold, Group, Speaking
from runtriage.scan.launcher_attempt import START
from runtriage.scan.place import from_end
from runtriage.scan.quiet import Times, since
from runtriage.scan.restarts import counted
from runtriage.scan.steps import Steps
from runtriage.scan.thin import Thin


class ScanResult(Struct, kw_only=True):
    """Everything one artifact said. Events are in reading order; `frameworks` in order of appearance."""

    events: list[RawEvent]
    series: list[Series]
    progress: list[RankProgress]
    frameworks: list[str]
    world_size: int | None
    read: Read
    spots: dict[str, list[Spot]] = field(default_factory=dict[str, list[Spot]])
    """Where words stand that parsers look for, by the id of the parser."""


Zone = tuple[str, bytes]
"""A family of readers and a speaker whose lines they use."""


class Part(Struct):
    """What one stretch of an artifact said; parts join in order into what the whole would have said.

    `times` are those of the last lines of the artifact, where it ends here. `entered` and `left` tell up to where readers had used
    lines behind its front and used lines behind its end, as far as it knows.
    """

    fold: Fold = field(default_factory=Fold)
    steps: dict[Speaking, Steps] = field(default_factory=dict[Speaking, Steps])
    series: dict[tuple[Speaking, str], Thin] = field(default_factory=dict[tuple[Speaking, str], Thin])
    marks: list[Mark] = field(default_factory=list[Mark])
    frameworks: dict[str, None] = field(default_factory=dict[str, None])
    world_size: int | None = None
    size: int = 0
    lines: int = 0
    entered: dict[Zone, int] = field(default_factory=dict[Zone, int])
    left: dict[Zone, int] = field(default_factory=dict[Zone, int])
    times: Times = field(default_factory=Times)
    spots: dict[str, list[Spot]] = field(default_factory=dict[str, list[Spot]])
    unsettled: list[Steps] = field(default_factory=list[Steps])
    """Those of `steps` that may hold a place in the present block."""

    @property
    def last_step(self) -> int:
        """The offset of the last line of progress; 0 without one."""
        places = (steps.progress for steps in self.steps.values())
        return max((byte_of(place) for place in places if place is not None), default=0)

    def progress_of(self, subject: Subject) -> Steps:
        """Return how far a subject came in the present attempt."""
        speaking = Speaking(subject, len(self.marks))
        found = self.steps.get(speaking)
        if found is None:
            found = self.steps[speaking] = Steps(subject)
        return found


def finish(
    part: Part, artifact: Artifact, *, headless: bool, cut: str | None, roles: dict[str, str | None]
) -> ScanResult:
    """Number the attempts and return the values other stages see."""
    base = min((speaking.subject.attempt for speaking in part.steps), default=0)
    finished = {speaking.marks for kind, _, speaking in part.fold.groups if kind == FINISH}
    marks = counted(part.marks, part.steps, finished)
    numbers = attempts(marks, base)
    _name_starts(part, marks)
    events = _events(part, numbers)
    progress = _progress(part, numbers, artifact.path)
    if headless:
        events = [_event_from_end(event, part.size) for event in events]
        progress = [_progress_from_end(each, part.size) for each in progress]
    return ScanResult(
        events=events,
        series=_series(part, numbers, artifact.path, roles),
        progress=progress,
        frameworks=list(part.frameworks),
        world_size=part.world_size,
        read=Read(artifact=artifact, bytes_read=part.size, lines=None if headless else part.lines, cut=cut),
        spots=part.spots,
    )


def _name_starts(part: Part, marks: Sequence[Mark | None]) -> None:
    """Call the events of marks that count what they are, and leave out those of the others."""
    for key in [key for key in part.fold.groups if key[:2] == (ATTEMPT, AGAIN)]:
        group = part.fold.groups.pop(key)
        if marks[key[2].marks - 1] is not None:
            for kept in group.kept():
                kept.event.name = START
            part.fold.groups[ATTEMPT, START, key[2]] = group


def _events(part: Part, numbers: list[int]) -> list[RawEvent]:
    joined: dict[tuple[str, str, Subject], Group] = {}
    for (kind, name, speaking), group in sorted(part.fold.groups.items(), key=lambda item: item[0][2].marks):
        subject = replace(speaking.subject, attempt=numbers[speaking.marks])
        for kept in group.kept():
            kept.event.subject = subject
        mine = joined.setdefault((kind, name, subject), group)
        if mine is not group:
            mine.merge(group)
    found = [event for group in joined.values() for event in group.events()]
    return sorted(found, key=lambda event: (byte_of(event.citation), event.kind, event.name))


def _progress(part: Part, numbers: list[int], artifact: str) -> list[RankProgress]:
    joined: dict[Subject, Steps] = {}
    for speaking, steps in sorted(part.steps.items(), key=lambda item: item[0].marks):
        subject = replace(speaking.subject, attempt=numbers[speaking.marks])
        mine = joined.setdefault(subject, steps)
        if mine is not steps:
            mine.merge(steps)
    found = [steps.result(artifact, subject, part.size) for subject, steps in joined.items()]
    found = [_quiet(each, part.times) for each in found if each.last_line is not None]
    return sorted(found, key=lambda each: _order(each.subject))


def _quiet(each: RankProgress, times: Times) -> RankProgress:
    """Add when lines were first printed behind progress that prints no time."""
    if each.last_progress is None or each.last_progress_time is not None:
        return each
    return replace(each, quiet_since=since(times, byte_of(each.last_progress)))


def _order(subject: Subject) -> tuple[int, int, int, str]:
    rank = -1 if subject.rank is None else subject.rank
    local = -1 if subject.local_rank is None else subject.local_rank
    return (subject.attempt, rank, local, repr(subject))


def _series(part: Part, numbers: list[int], artifact: str, roles: dict[str, str | None]) -> list[Series]:
    joined: dict[tuple[Subject, str], Thin] = {}
    for (speaking, name), thin in sorted(part.series.items(), key=lambda item: item[0][0].marks):
        key = (replace(speaking.subject, attempt=numbers[speaking.marks]), name)
        mine = joined.get(key)
        if mine is None:
            joined[key] = thin
        else:
            mine.merge(thin.moved(mine.total, 0))
    for thin in joined.values():
        thin.reach(part.size)
    found = [(thin.result(artifact, roles.get(name), subject), thin.place) for (subject, name), thin in joined.items()]
    found.sort(key=lambda item: (*_order(item[0].subject), item[0].points[0].byte if item[0].points else 0, item[1]))
    return [series for series, _ in found]


def _event_from_end(event: RawEvent, total: int) -> RawEvent:
    last = None if event.last is None else from_end(event.last, total)
    return replace(event, citation=from_end(event.citation, total), last=last)


def _progress_from_end(each: RankProgress, total: int) -> RankProgress:
    def turned(citation: Citation | None) -> Citation | None:
        return None if citation is None else from_end(citation, total)

    return replace(each, last_progress=turned(each.last_progress), last_line=turned(each.last_line))
