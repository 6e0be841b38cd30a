"""Faults within tests, and within trials of a search: they are the tester's or the search's affair, unless that is said to have failed."""

from __future__ import annotations

from typing import Final

from runtriage.judge.order import byte
from runtriage.model.event import UNIT, Event
from runtriage.model.event_names import (
    TESTS_BEGAN,
    TESTS_FAILED,
    TESTS_PASSED,
    TESTS_UNFAILED,
    TRIAL_BEGAN,
    TRIAL_PASSED,
    TRIALS,
)
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.place import byte_of

_TRIALS: Final = frozenset({TRIAL_BEGAN, TRIAL_PASSED})
"""What shows that a search goes on."""
_SPEAK_FOR_THEMSELVES: Final = frozenset({"kernel", "scheduler", "launcher", "exit", "recorder"})
"""Reports from outside of what a test or a trial prints."""


class Units:
    """Where tests and trials of one run stand."""

    def __init__(self, facts: Facts) -> None:
        self._of: dict[str, list[Event]] = {}
        for event in facts.events:
            if event.kind == UNIT:
                self._of.setdefault(event.citation.artifact, []).append(event)

    def hold(self, match: Match) -> bool:
        """Tell whether a fault is of a test whose runner reports no failure, or of a trial after which its search went on and had others that passed."""
        told = self._of.get(match.evidence[0].citation.artifact)
        if not told or match.tier in _SPEAK_FOR_THEMSELVES or match.evidence[0].citation.byte_start is None:
            return False
        return _in_tests(told, byte(match)) or _in_trials(told, byte(match))


def _in_tests(told: list[Event], place: int) -> bool:
    if any(event.name == TESTS_FAILED for event in told):
        return False
    ends = [_last(event) for event in told if event.name == TESTS_PASSED]
    if any(_last(event) > place for event in told if event.name in (TESTS_PASSED, TESTS_UNFAILED)):
        return True
    begins = [byte_of(event.citation) for event in told if event.name == TESTS_BEGAN]
    open_ = [begin for begin in begins if begin > max(ends, default=-1)]
    return any(begin <= place for begin in open_)


def _in_trials(told: list[Event], place: int) -> bool:
    trials = [event for event in told if event.name.startswith(TRIALS)]
    passed = any(event.name == TRIAL_PASSED for event in trials)
    before = any(byte_of(event.citation) <= place for event in trials)
    return passed and before and any(_last(event) > place for event in trials if event.name in _TRIALS)


def _last(event: Event) -> int:
    return byte_of(event.last or event.citation)
