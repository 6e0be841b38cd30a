"""What a platform adds to a report: lines of its own in the block, and its commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.api.platform_vertex import vertex_lines
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts


def platform_lines(facts: Facts) -> list[str]:
    """Return the lines that follow the contributing factors, `Label: text` each; none for a run known from files alone."""
    states = [event for event in facts.events if event.kind == STATE]
    return [*vertex_lines(facts), *_good_run(states)]


def _good_run(states: Sequence[Event]) -> Iterator[str]:
    """Yield what the last run of the experiment that went well had otherwise."""
    for good in states:
        if good.name == "mlflow/good-run":
            told = [_difference(event) for event in states if event.name == "mlflow/difference"]
            when = good.captures.get("reason", "")
            yield f"Last good run: {good.captures.get('run', '?')} ({when}): {'; '.join(told) or 'same settings'}"
            return


def _difference(event: Event) -> str:
    held = event.captures
    return f"{held.get('setting', '?')} {held.get('there', '?')} there, {held.get('here', '?')} here"
