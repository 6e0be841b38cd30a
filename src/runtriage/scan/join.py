"""Joins what the stretches of one artifact said into what the whole says."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.spots import Spot
from runtriage.model.subject import Subject
from runtriage.scan.fold import Group, Kept, Speaking, Variant
from runtriage.scan.place import shifted
from runtriage.scan.result import Part
from runtriage.scan.track import Reach, Replay, Track

_LINES = ("first_line", "last_line")


class _Course(Struct, frozen=True):
    """The last own step of a subject before the later stretch, and which of its steps there count."""

    before: int | None
    replay: Replay

    def step(self, reach: Reach) -> int | None:
        return self.replay.step(reach, self.before)


def join(earlier: Part, later: Part) -> None:
    """Add a later stretch to all before it; its lines and attempt marks go on from theirs."""
    marks, lines = len(earlier.marks), earlier.lines
    courses = _join_steps(earlier, later, marks, lines)
    _join_events(earlier, later, courses, marks, lines)
    for (speaking, name), thin in later.series.items():
        key = (Speaking(speaking.subject, speaking.marks + marks), name)
        mine = earlier.series.get(key)
        if mine is None:
            earlier.series[key] = thin.moved(0, lines)
        else:
            mine.merge(thin.moved(mine.total, lines))
    earlier.marks.extend(later.marks)
    for name in later.frameworks:
        earlier.frameworks.setdefault(name)
    if later.world_size is not None:
        earlier.world_size = max(later.world_size, earlier.world_size or 0)
    for name, spots in later.spots.items():
        moved = (Spot(spot.start, spot.end, spot.line + lines) for spot in spots)
        earlier.spots.setdefault(name, []).extend(moved)
    earlier.left = later.left
    earlier.times = later.times
    earlier.size = later.size
    earlier.lines += later.lines


def _join_steps(earlier: Part, later: Part, marks: int, lines: int) -> dict[Subject, _Course]:
    """Join progress; return how the steps of the attempt that goes on across the border count."""
    present = {subject: steps.last_step for (subject, mark), steps in earlier.steps.items() if mark == marks}
    courses = {subject: _Course(last, Replay(last, [])) for subject, last in present.items()}
    for (subject, mark), steps in later.steps.items():
        for name in ("progress", "line"):
            citation = getattr(steps, name)
            setattr(steps, name, citation and shifted(citation, lines))
        if steps.closing is not None:
            steps.closing = steps.closing._replace(line=shifted(steps.closing.line, lines))
        mine = earlier.steps.get(Speaking(subject, mark + marks))
        if mine is not None:
            courses[subject] = _Course(present[subject], mine.merge(steps))
            continue
        earlier.steps[Speaking(subject, mark + marks)] = steps
        if mark == 0:
            courses[subject] = _Course(None, Track().join(steps.track, None))
    return courses


def _join_events(earlier: Part, later: Part, courses: dict[Subject, _Course], marks: int, lines: int) -> None:
    earlier.fold.dropped += later.fold.dropped
    for (kind, name, (subject, mark)), group in later.fold.groups.items():
        key = (kind, name, Speaking(subject, mark + marks))
        _move(group, lines, courses if mark == 0 else {})
        mine = earlier.fold.groups.setdefault(key, group)
        if mine is not group:
            mine.merge(group)


def _move(group: Group, lines: int, courses: dict[Subject, _Course]) -> None:
    """Count an event's lines from further ahead, and give it the step that counts in the light of what came before."""

    def moved(kept: Kept) -> Kept:
        event, reach = kept
        numbers = {name: value + lines if name in _LINES else value for name, value in event.numbers.items()}
        step = event.step
        if reach is not None and courses:
            own = _step(courses, event.subject, reach[0])
            step = own if own is not None else _step(courses, Subject(attempt=event.subject.attempt), reach[1])
        return Kept(replace(event, citation=shifted(event.citation, lines), numbers=numbers, step=step), None)

    group.latest = group.latest and moved(group.latest)
    group.variants = {
        captures: Variant(moved(variant.first), variant.count, variant.latest and moved(variant.latest))
        for captures, variant in group.variants.items()
    }


def _step(courses: dict[Subject, _Course], who: Subject, reach: Reach) -> int | None:
    course = courses.get(who)
    return course.step(reach) if course is not None else reach.step
