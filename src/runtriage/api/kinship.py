"""Whether two runs are of one program, as far as what they tell shows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

_PROGRAM: Final = frozenset(
    {"project", "wandb_project", "project_name", "experiment", "experiment_name", "program", "script", "codepath"}
)
"""Last parts of the settings that name the program itself."""
_NUMBER: Final = re.compile(r"\d+")
_NEAR: Final = 0.8
"""Share of the settings of either run that must be equal where nothing names the program: a sweep changes one or two."""
_LEAST: Final = 3
"""Settings below which equal values are chance."""
_COUNTERS: Final = frozenset({"epoch", "step", "world_size"})
"""Names that every run has: they show nothing."""
_NAMES: Final = 2


class Known(NamedTuple):
    """What tells programs apart: where the run lies, its framework ("unknown" counts as none), its settings, its metrics' names."""

    place: str | None = None
    framework: str = "unknown"
    settings: Mapping[str, str] = {}
    metrics: frozenset[str] = frozenset()


def known(place: str | None, framework: str, kept: bytes | None) -> Known:
    """Return what the history kept of a run; `kept` are its surroundings as JSON."""
    around = cast("dict[str, Any]", json.loads(kept)) if kept else {}
    settings = {str(name): str(value) for name, value in around.get("settings", {}).items()}
    return Known(place, framework, settings, frozenset(map(str, around.get("metrics", []))))


def same_program(one: Known, other: Known) -> bool:
    """Tell whether a failure without a code place is the same failure in both: a curve that breaks is nobody's mark.

    It is for one place, for a program that both name, for places that differ in numbers alone with no sign against it, and
    for one framework with nearly the same settings.
    """
    if one.place is not None and one.place == other.place:
        return True
    if _other_framework(one, other):
        return False
    if _named(one) & _named(other):
        return True
    if {key for key, _ in _named(one)} & {key for key, _ in _named(other)}:
        return False
    if _family(one) and _family(one) == _family(other):
        return not one.metrics or not other.metrics or bool(one.metrics & other.metrics)
    return one.framework != "unknown" and one.framework == other.framework and _near(one.settings, other.settings)


def comparable(one: Known, other: Known) -> bool:
    """Tell whether a comparison of both says something: one program, places that differ in numbers alone, or two names in common."""
    if same_program(one, other):
        return True
    if _other_framework(one, other):
        return False
    shared = (one.metrics & other.metrics) | (set(one.settings) & set(other.settings))
    return len(shared - _COUNTERS) >= _NAMES


def _other_framework(one: Known, other: Known) -> bool:
    return len({one.framework, other.framework} - {"unknown"}) > 1


def _named(run: Known) -> set[tuple[str, str]]:
    keyed = ((re.split(r"[./]", name)[-1].lower(), value) for name, value in run.settings.items())
    return {(key, value) for key, value in keyed if key in _PROGRAM and value}


def _family(run: Known) -> str | None:
    """Return the place without its numbers: run-7.log and run-8.log are of one family."""
    return None if run.place is None else _NUMBER.sub("#", run.place)


def _near(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Tell whether two runs have nearly the same settings."""
    shared = sum(other.get(name) == value for name, value in one.items())
    return shared >= _LEAST and shared >= _NEAR * len({*one, *other})
