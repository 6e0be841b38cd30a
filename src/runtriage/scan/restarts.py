"""Which of the places where a program's first lines stand again are starts of a new attempt."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from runtriage.scan.attempt import AGAIN, Mark
from runtriage.scan.fold import Speaking
from runtriage.scan.steps import Steps


def counted(
    marks: Sequence[Mark], steps: Mapping[Speaking, Steps], finished: Collection[int]
) -> tuple[Mark | None, ...]:
    """Return the marks, None in place of those at which nothing starts anew.

    A program did start anew behind steps of a start that had not come to its end, where they are made again or none follows. Lines that
    several processes print, and other runs that follow in the same log, are no restarts. `finished` are the stretches between marks
    (counted from 0) in which a program says that it is done.
    """
    reached: dict[int, list[Steps]] = {}
    for (_, stretch), each in steps.items():
        if each.last_step is not None:
            reached.setdefault(stretch, []).append(each)
    found: list[Mark | None] = []
    before: list[Steps] = []
    done = False
    for stretch, mark in enumerate(marks):
        before += reached.get(stretch, [])
        done = done or stretch in finished
        starts = mark.name != AGAIN or (not done and _stopped_short(before, reached.get(stretch + 1, [])))
        if starts:
            before, done = [], False
        found.append(mark if starts else None)
    return tuple(found)


def _stopped_short(before: Sequence[Steps], after: Sequence[Steps]) -> bool:
    """Tell whether a start made steps, did not come to its last, and steps are made again or none is made any more."""
    if not before or any(_full(steps) for steps in before):
        return False
    reached = max(steps.last_step or 0 for steps in before)
    return not after or min(steps.first_step or 0 for steps in after) <= reached


def _full(steps: Steps) -> bool:
    total = steps.track.total
    return total is not None and (steps.last_step or 0) >= total - 1
