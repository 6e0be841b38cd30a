"""Sets of a thousand pods say the same thing a thousand times: enough of it is weighed, not all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtriage.model.finding import Match

_ENOUGH: Final = 50
"""States of one meaning that are weighed one by one: the earliest."""


def thinned(matches: Sequence[Match]) -> list[Match]:
    """Return the matches with at most fifty states of each meaning, the earliest of them, in their order."""
    groups: dict[tuple[str, str, str, str], list[tuple[float, int]]] = {}
    for place, match in enumerate(matches):
        if match.rule.startswith("state/"):
            meaning = (match.rule, match.mode, match.role, match.captures.get("category", ""))
            when = match.start.seconds if match.start is not None else float("inf")
            groups.setdefault(meaning, []).append((when, place))
    left = {place for group in groups.values() if len(group) > _ENOUGH for _, place in sorted(group)[_ENOUGH:]}
    return [match for place, match in enumerate(matches) if place not in left] if left else list(matches)
