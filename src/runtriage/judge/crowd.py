"""Sets of a thousand pods say the same thing a thousand times: enough of it is weighed, not all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtriage.model.finding import Match
from runtriage.model.taxonomy import GENERIC

_ENOUGH: Final = 50
"""States of one meaning that are weighed one by one: the earliest."""

_KINDS: Final = 40
"""Kinds of unknown exceptions that are weighed of the first ones and of the last ones: each is held against each other."""


def thinned(matches: Sequence[Match]) -> list[Match]:
    """Return the matches in their order: of each meaning the fifty earliest states, of unknown exceptions the first and last kinds."""
    left = _states(matches) | _exceptions(matches)
    return [match for place, match in enumerate(matches) if place not in left] if left else list(matches)


def _exceptions(matches: Sequence[Match]) -> set[int]:
    """Return the places of unknown exceptions whose type and place are neither among the first that were met nor the last."""
    kinds: dict[tuple[str, str], list[int]] = {}
    for place, match in enumerate(matches):
        if match.mode.endswith(GENERIC):
            kind = (match.captures.get("exception", ""), match.captures.get("user_frame", ""))
            kinds.setdefault(kind, []).append(place)
    middle = sorted(kinds.values(), key=lambda places: places[-1])[_KINDS:-_KINDS] if len(kinds) > 2 * _KINDS else []
    return {place for places in middle for place in places}


def _states(matches: Sequence[Match]) -> set[int]:
    groups: dict[tuple[str, str, str, str], list[tuple[float, int]]] = {}
    for place, match in enumerate(matches):
        if match.rule.startswith("state/"):
            meaning = (match.rule, match.mode, match.role, match.captures.get("category", ""))
            when = match.start.seconds if match.start is not None else float("inf")
            groups.setdefault(meaning, []).append((when, place))
    return {place for group in groups.values() if len(group) > _ENOUGH for _, place in sorted(group)[_ENOUGH:]}
