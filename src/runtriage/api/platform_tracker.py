"""How a report speaks of a run that a tracker keeps: where it belongs, what it left behind, and the last run that went well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model.event import Event

_NAMED: Final = 8
"""Artifacts that are named; the others are counted."""


def tracker_lines(states: Sequence[Event]) -> Iterator[str]:
    """Yield the lines of a tracked run, none for other runs."""
    yield from _belongs(states)
    yield from _artifacts(states)
    yield from _good_run(states)


def _belongs(states: Sequence[Event]) -> Iterator[str]:
    for event in states:
        if event.name == "mlflow/experiment" and event.captures.get("object"):
            parent = event.captures.get("parent", "")
            yield f"Experiment: {event.captures['object']}{f', inside run {parent}' if parent else ''}"
        if event.name == "wandb/run" and (event.captures.get("sweep") or event.captures.get("group")):
            told = [(word, event.captures.get(word, "")) for word in ("sweep", "group")]
            yield "Belongs to: " + ", ".join(f"{word} {name}" for word, name in told if name)


def _artifacts(states: Sequence[Event]) -> Iterator[str]:
    for event in states:
        names = event.captures.get("artifacts", "").split("\n")
        if names != [""]:
            more = int(event.numbers.get("artifacts", len(names))) - len(names[:_NAMED])
            yield f"Artifacts: {', '.join(names[:_NAMED])}{f' and {more} more' if more > 0 else ''}"


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
