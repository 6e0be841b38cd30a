"""The stages of a workflow run as its report carries them. The document may come from a file: nothing in it is taken for granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from msgspec import Struct

_GOOD: Final = frozenset({"SUCCEEDED", "COMPLETED", "DONE", "VALID", "OUTPUTS_VALID", "SKIPPED"})
_LIVE: Final = frozenset({"RUNNING", "STARTING", "PENDING", "SUBMITTED", "RECOVERING", "INIT"})
_NAMED: Final = 12
"""Stages that one line names."""


class StageView(Struct, frozen=True):
    """One stage: its words, its tone (good, live, bad, quiet), and what stands beside it."""

    index: str
    name: str
    state: str
    tone: str
    job: str = ""
    retries: str = ""
    started: str = ""
    ended: str = ""
    error: str = ""
    outputs: tuple[tuple[str, str], ...] = ()
    failing: bool = False


def stages(workflow: Mapping[str, Any] | None) -> list[StageView]:
    """Return the stages in their order, those that did not run last."""
    if not workflow:
        return []
    failing = workflow.get("failing_stage")
    found = [
        _view(str(name), _mapping(stage), name == failing) for name, stage in _mapping(workflow.get("stages")).items()
    ]
    names = {view.name for view in found}
    not_run = [str(name) for name in _sequence(workflow.get("not_run")) if str(name) not in names]
    return [*found, *(StageView("", name, "not run", "quiet") for name in not_run)]


def line(workflow: Mapping[str, Any]) -> str:
    """Return all stages in one line, empty where the run tells of none."""
    found = stages(workflow)
    more = f" · and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return " · ".join(" ".join(_words(view)) for view in found[:_NAMED]) + more


def _words(view: StageView) -> Iterator[str]:
    yield f"{view.index + '. ' if view.index else ''}{view.name}: {view.state}"
    beside = [f"job {view.job}"] if view.job else []
    beside += [f"{view.retries} retries"] if view.retries else []
    beside += [f"{uri} {state}" for uri, state in view.outputs if state != "valid"][:2]
    if beside:
        yield f"({', '.join(beside)})"


def _view(name: str, stage: Mapping[str, Any], failing: bool) -> StageView:
    state = _text(stage.get("state")) or "not known"
    outputs = [_mapping(each) for each in _sequence(stage.get("outputs"))]
    return StageView(
        index=_text(stage.get("index")),
        name=name,
        state=state,
        tone=_tone(state.upper(), failing),
        job=_text(stage.get("managed_job_id")),
        retries=_text(stage.get("retry_count") or ""),
        started=_text(stage.get("started_at")),
        ended=_text(stage.get("ended_at")),
        error=_text(stage.get("error")),
        outputs=tuple((_text(each.get("uri")), _text(each.get("state"))) for each in outputs),
        failing=failing,
    )


def _tone(state: str, failing: bool) -> str:
    if failing or "FAIL" in state or "CANCEL" in state:
        return "bad"
    if state in _GOOD:
        return "good"
    return "live" if state in _LIVE else "quiet"


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _sequence(value: object) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, list | tuple) else ()


def _text(value: object) -> str:
    return "" if value is None or isinstance(value, Mapping | list) else str(value)
