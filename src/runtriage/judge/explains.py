"""Which incident can explain which: edges from data, plus the order of exceptions in one process."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources

from runtriage.judge.order import Clocks, precedes
from runtriage.model.finding import Match
from runtriage.model.verdict import Incident

_CHAIN_REASON = "it was raised after the first exception in the same process, with no progress between"
_ENDING = frozenset({"exception", "exit", "launcher"})


@dataclass(frozen=True, slots=True)
class Edge:
    """A row of `explains.toml`."""

    cause: str
    effect: tuple[str, ...]
    where: str
    reason: str


@cache
def edges() -> tuple[Edge, ...]:
    """Return the rows of `explains.toml`."""
    text = resources.files(__package__ or "runtriage.judge").joinpath("explains.toml").read_text(encoding="utf-8")
    return tuple(
        Edge(row["cause"], tuple(row["effect"]), row["where"], row["reason"]) for row in tomllib.loads(text)["edge"]
    )


@cache
def _between(cause: str, effect: str) -> tuple[Edge, ...]:
    return tuple(
        edge
        for edge in edges()
        if fnmatchcase(cause, edge.cause) and any(fnmatchcase(effect, pattern) for pattern in edge.effect)
    )


def explains(cause: Incident, effect: Incident, ticks: Clocks) -> str | None:
    """Return why `cause` accounts for `effect`, or None when it does not."""
    if cause is effect:
        return None
    for edge in _between(cause.mode, effect.mode):
        if _fits(edge.where, cause, effect, ticks):
            return edge.reason
    if _chained(cause, effect, ticks):
        return _CHAIN_REASON
    return None


def _fits(where: str, cause: Incident, effect: Incident, ticks: Clocks) -> bool:
    if where == "next-attempt":
        return cause.attempt < effect.attempt
    if cause.attempt != effect.attempt or not _not_later(cause, effect, ticks):
        return False
    if where == "same-rank":
        return _share_rank(cause, effect)
    if where == "same-node":
        return _share_node(cause, effect)
    return True


def _not_later(cause: Incident, effect: Incident, ticks: Clocks) -> bool:
    last = effect.matches
    return any(precedes(cause.matches[0], match, ticks) is not False for match in last)


def _share_rank(one: Incident, two: Incident) -> bool:
    first = {subject.rank for subject in one.subjects}
    second = {subject.rank for subject in two.subjects}
    return bool(first & second) or None in first or None in second


def _share_node(one: Incident, two: Incident) -> bool:
    first = {subject.node for subject in one.subjects}
    second = {subject.node for subject in two.subjects}
    return bool(first & second) or None in first or None in second


def _chained(cause: Incident, effect: Incident, ticks: Clocks) -> bool:
    if cause.attempt != effect.attempt or not _share_rank(cause, effect):
        return False
    first, second = cause.matches[0], effect.matches[0]
    return (
        first.tier == "exception"
        and second.tier in _ENDING
        and cause.outcome == "terminal"
        and _strictly_before(first, second, ticks)
    )


def _strictly_before(first: Match, second: Match, ticks: Clocks) -> bool:
    return precedes(first, second, ticks) is True and precedes(second, first, ticks) is not True
