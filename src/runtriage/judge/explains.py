"""Which incident can explain which: edges from data, plus the order of exceptions in one process."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from msgspec import Struct

from runtriage.judge.incidents import generic
from runtriage.judge.named_file import REASON, left_behind
from runtriage.judge.order import Clocks, artifact, between, comparable, precedes
from runtriage.judge.peer_service import served
from runtriage.model.finding import Match
from runtriage.model.place import line_of
from runtriage.model.plain_toml import plain_tables
from runtriage.model.verdict import Incident

_CHAIN_REASON = "it was raised after the first exception in the same process, with no progress between"
_RESTATED_REASON = "the library that caught it raised its own, more telling error from it"
_THROWN = "crash/cpp-terminate"
_THROWN_REASON = "it is the message of what native code threw and nobody caught"
_SERVED_REASON = "the process that the failed request went to had ended by its own error"
_CHAIN_LINES = 200
"""A chain of tracebacks is printed in one go; further apart two exceptions are not one chain."""
_BARE_LINES = 12
"""The same for exceptions printed without their frames."""
_MESSAGE_LINES = 4
"""This close below an exception without frames is what it says, whatever its type."""
_KERNEL_SECONDS = 1800.0
"""So long before an effect a record of the kernel may stand that is about the same attempt."""
_ENDING = frozenset({"exception", "exit", "launcher"})
_REPORTED_LATER = frozenset({"exit", "launcher"})
"""A parent prints how a process ended some time after it ended; peers may have noticed before."""


class Edge(Struct, frozen=True):
    """A row of `explains.toml`."""

    cause: tuple[str, ...]
    effect: tuple[str, ...]
    where: str
    reason: str
    any_order: bool = False
    """The effect may be printed first: whoever waited is interrupted before the cause is reported."""
    without: tuple[str, ...] = ()
    """Causes that the globs of `cause` would take in and that the row does not mean."""
    unless: tuple[str, ...] = ()
    """Effects that the globs of `effect` would take in and that the row does not mean."""
    known_order: bool = False
    """The edge holds only where times or places show that the cause began first."""


@cache
def edges() -> tuple[Edge, ...]:
    """Return the rows of `explains.toml`."""
    text = Path(__file__).with_name("explains.toml").read_text(encoding="utf-8")
    return tuple(
        Edge(
            (row["cause"],) if isinstance(row["cause"], str) else tuple(row["cause"]),
            tuple(row["effect"]),
            row["where"],
            row["reason"],
            row.get("any_order", False),
            tuple(row.get("without", ())),
            tuple(row.get("unless", ())),
            row.get("known_order", False),
        )
        for row in plain_tables(text, "edge")
    )


@cache
def _between(cause: str, effect: str) -> tuple[Edge, ...]:
    return tuple(
        edge
        for edge in edges()
        if any(_named(cause, pattern) for pattern in edge.cause)
        and any(_named(effect, pattern) for pattern in edge.effect)
        and cause not in edge.without
        and effect not in edge.unless
    )


def _named(mode: str, pattern: str) -> bool:
    """Tell whether a pattern of the table, whose only wildcard is `*`, names a mode; a glob is compiled for few of them."""
    return mode.startswith(pattern.partition("*")[0]) and fnmatchcase(mode, pattern)


def explains(cause: Incident, effect: Incident, ticks: Clocks) -> str | None:
    """Return why `cause` accounts for `effect`, or None when it does not."""
    if cause is effect or cause.matches[0].captures.get("outlived") == "yes":
        return None
    for edge in _between(cause.mode, effect.mode):
        if _fits(edge, cause, effect, ticks):
            return edge.reason
    if left_behind(cause, effect, ticks):
        return REASON
    if served(cause, effect):
        return _SERVED_REASON
    if _thrown(cause, effect):
        return _THROWN_REASON
    if _restates(cause, effect):
        return _RESTATED_REASON
    if _restates(effect, cause):
        return None
    if not _between(effect.mode, cause.mode) and _chained(cause, effect, ticks):
        return _CHAIN_REASON
    return None


def _fits(edge: Edge, cause: Incident, effect: Incident, ticks: Clocks) -> bool:
    if edge.where == "next-attempt":
        return cause.attempt < effect.attempt
    if not _together(cause, effect, ticks) or not (edge.any_order or _not_later(cause, effect, ticks)):
        return False
    if edge.known_order and precedes(cause.matches[0], effect.matches[0], ticks) is not True:
        return False
    if edge.where == "same-rank":
        return _share_rank(cause, effect)
    if edge.where == "same-node":
        return _share_node(cause, effect)
    return True


def _together(cause: Incident, effect: Incident, ticks: Clocks) -> bool:
    """Tell whether two incidents are of one attempt: a kernel knows of none, so its records count for the one they fall into."""
    if cause.attempt == effect.attempt:
        return True
    if cause.matches[0].tier != "kernel" or cause.attempt > effect.attempt:
        return False
    first = effect.matches[0]
    return any(
        match.start is not None
        and first.start is not None
        and comparable(match.start, first.start)
        and (passed := between(match, first, ticks)) is not None
        and 0.0 <= passed <= _KERNEL_SECONDS
        for match in cause.matches
    )


def _not_later(cause: Incident, effect: Incident, ticks: Clocks) -> bool:
    """Tell whether a cause began before some part of its effect; parts without a place in the order count where no part has one."""
    if cause.matches[0].tier in _REPORTED_LATER:
        return True
    told = {precedes(cause.matches[0], match, ticks) for match in effect.matches}
    return True in told or told == {None}


def _share_rank(one: Incident, two: Incident) -> bool:
    first = {subject.rank for subject in one.subjects}
    second = {subject.rank for subject in two.subjects}
    return bool(first & second) or None in first or None in second


def _share_node(one: Incident, two: Incident) -> bool:
    first = {subject.node for subject in one.subjects}
    second = {subject.node for subject in two.subjects}
    return bool(first & second) or None in first or None in second


def _thrown(cause: Incident, effect: Incident) -> bool:
    """Tell whether a cause is named in the message right below the notice that native code threw something."""
    if effect.mode != _THROWN or cause.role != "cause" or cause.attempt != effect.attempt:
        return False
    notices = {artifact(match): _line(match) for match in effect.matches}
    return any(
        0 < _line(match) - notices[artifact(match)] <= _MESSAGE_LINES
        for match in cause.matches
        if artifact(match) in notices
    )


def _restates(cause: Incident, effect: Incident) -> bool:
    """Tell whether a known error is the last of a chain that an unknown one began: a library said it again in its own words."""
    if not generic(effect.mode) or generic(cause.mode) or cause.role != "cause" or cause.attempt != effect.attempt:
        return False
    inner, outer = effect.matches[0], cause.matches[0]
    apart = _line(outer) - _line(inner)
    if artifact(inner) != artifact(outer) or apart <= 0:
        return False
    if inner.captures.get("bare") == "yes" and apart <= _MESSAGE_LINES:
        return True
    if inner.captures.get("message", "").partition("\n")[0].rstrip().endswith(":") and apart <= _MESSAGE_LINES:
        return True
    if inner.captures.get("bare") == "yes" and outer.tier == "exception":
        return effect.primary_class == cause.primary_class and apart <= _BARE_LINES
    chained = inner.captures.get("chain") == "inner" and outer.captures.get("chain") == "outer"
    return chained and apart <= _CHAIN_LINES


def _line(match: Match) -> int:
    return line_of(match.evidence[0].citation)


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
