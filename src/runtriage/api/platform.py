"""What a platform adds to a report: lines of its own in the block, and its commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.api.platform_tracker import tracker_lines
from runtriage.api.platform_vertex import vertex_lines
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.records import ENDED_BADLY, ENDED_WELL, SYSTEMS

_BAD: Final = frozenset({"crashed", "hung", "diverged"})


def platform_lines(facts: Facts, run_status: str) -> list[str]:
    """Return the lines that follow the contributing factors, `Label: text` each; most runs have none."""
    states = [event for event in facts.events if event.kind == STATE]
    lines = [*vertex_lines(facts), *tracker_lines(states), *_disagreement(states, run_status)]
    return [" ".join(line.split()) for line in lines]


def _disagreement(states: Sequence[Event], run_status: str) -> Iterator[str]:
    """Yield which records of the end disagree, with each other or with what the diagnosis found."""
    told: dict[str, str] = {}
    for event in states:
        if event.name in SYSTEMS and event.captures.get("state"):
            told[SYSTEMS[event.name]] = event.captures["state"]
    words = {system: word.lower().split(" ")[0] for system, word in told.items()}
    well = any(word in ENDED_WELL for word in words.values())
    badly = any(word in ENDED_BADLY for word in words.values())
    wrong = ENDED_WELL if run_status in _BAD else ENDED_BADLY if run_status == "completed" else frozenset[str]()
    odd = ENDED_WELL | ENDED_BADLY if well and badly else wrong
    said = [f"{system} says {word}" for system, word in told.items() if words[system] in odd]
    if said:
        yield f"Records disagree: {'; '.join(said)}; what was read shows the run {run_status}"
