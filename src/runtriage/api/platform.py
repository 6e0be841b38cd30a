"""What a platform adds to a report: lines of its own in the block, and its commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.api.platform_vertex import vertex_lines
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts

_SYSTEMS: Final = {
    "wandb/run": "W&B",
    "mlflow/run": "MLflow",
    "slurm/job": "Slurm",
    "ray/job": "Ray",
    "sky/job": "SkyPilot",
    "vertex/job": "Vertex AI",
}
_ENDED_WELL: Final = frozenset({"finished", "completed", "succeeded"})
_ENDED_BADLY: Final = frozenset({"failed", "killed", "out_of_memory", "timeout", "node_fail"})
_BAD: Final = frozenset({"crashed", "hung", "diverged"})


def platform_lines(facts: Facts, run_status: str) -> list[str]:
    """Return the lines that follow the contributing factors, `Label: text` each; most runs have none."""
    states = [event for event in facts.events if event.kind == STATE]
    return [*vertex_lines(facts), *_good_run(states), *_disagreement(states, run_status)]


def _disagreement(states: Sequence[Event], run_status: str) -> Iterator[str]:
    """Yield which system's record of the end is not what the diagnosis found."""
    told: dict[str, str] = {}
    for event in states:
        if event.name in _SYSTEMS and event.captures.get("state"):
            told[_SYSTEMS[event.name]] = event.captures["state"]
    wrong = _ENDED_WELL if run_status in _BAD else _ENDED_BADLY if run_status == "completed" else frozenset[str]()
    odd = [f"{system} says {word}" for system, word in told.items() if word.lower() in wrong]
    if odd:
        yield f"Records disagree: {'; '.join(odd)}; what was read shows the run {run_status}"


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
