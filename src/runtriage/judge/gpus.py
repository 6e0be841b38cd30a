"""Which rank a GPU belongs to, told by its PCI address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from runtriage.model.event import EXIT, LAUNCHER, STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred

_ADDRESS: Final = deferred(r"(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):[0-9a-f]{2}(?:\.\d)?", 2)
_NCCL: Final = deferred(r"([0-9a-f]{0,8}?)([0-9a-f]{1,2})[0-9a-f]{3}")
"""How NCCL prints an address: domain, bus, device and function as one hexadecimal number without leading zeros."""
BOARD: Final = 8
"""GPUs of one machine, at most."""


def printed_rank(match: Match, facts: Facts) -> int | None:
    """Return the global rank that NCCL says a match's GPU belongs to, None where nothing printed says it.

    Of a network adapter it is the rank of the GPU beside it.
    """
    bus = _bus(match.captures.get("pci", ""))
    if bus is None:
        return None
    near = [seat for seat in _states(facts, "nccl/seat") if _same_node(seat, match)]
    seats = [seat for seat in near if _nccl_bus(seat.captures.get("bus", "")) == bus]
    if not seats and match.mode.startswith(("net/", "nccl/")):
        seats = [seat for seat in near if _beside(_nccl_bus(seat.captures.get("bus", "")), bus)]
    widest = max((seat.numbers.get("size", 0.0) for seat in seats), default=0.0)
    ranks = {int(seat.numbers["rank"]) for seat in seats if seat.numbers.get("size") == widest}
    return next(iter(ranks)) if len(ranks) == 1 else None


def listed(match: Match, facts: Facts) -> int | None:
    """Return the number that a full listing of the node gives a match's GPU."""
    bus = _bus(match.captures.get("pci", ""))
    if bus is None:
        return None
    numbers = {
        int(state.numbers["index"])
        for state in _states(facts, "gpu/listed")
        if _same_node(state, match) and _bus(state.captures.get("pci", "")) == bus
    }
    return next(iter(numbers)) if len(numbers) == 1 else None


def usual(match: Match, size: int | None) -> int | None:
    """Return the number that a match's GPU has on the machines that are known to have one at its address.

    Only where the job, of `size` ranks, fills such machines, and where all of them agree. Where nothing says how many ranks it has, a
    number among the GPUs of a node is no rank.
    """
    bus = _bus(match.captures.get("pci", ""))
    if bus is None or size is None or size % BOARD:
        return None
    numbers = {board[bus] for board in _boards() if bus in board}
    return next(iter(numbers)) if len(numbers) == 1 else None


def driven(facts: Facts) -> int | None:
    """Return how many GPUs the one node of a job has, where only rank 0 of several prints: a launcher starts a rank for each."""
    ranks = {entry.subject.rank for entry in facts.progress if entry.last_step is not None}
    counts = {int(event.numbers["count"]) for event in _states(facts, "gpu/attached")}
    launched = any(event.kind in (LAUNCHER, EXIT) and event.subject.rank not in (None, 0) for event in facts.events)
    return (
        next(iter(counts)) if facts.world_size is None and ranks == {0} and len(counts) == 1 and not launched else None
    )


def _states(facts: Facts, name: str) -> Iterator[Event]:
    return (event for event in facts.events if event.kind == STATE and event.name == name)


def _same_node(event: Event, match: Match) -> bool:
    return None in (event.subject.node, match.subject.node) or event.subject.node == match.subject.node


def _bus(address: str) -> str | None:
    found = _ADDRESS.fullmatch(address.strip().lower())
    if found is None:
        return None
    domain = (found[1] or "").lstrip("0")
    return f"{domain}:{found[2]}" if domain else found[2]


def _nccl_bus(number: str) -> str | None:
    found = _NCCL.fullmatch(number.lower())
    if found is None:
        return None
    return f"{found[1].lstrip('0')}:{found[2]:0>2}" if found[1].lstrip("0") else f"{found[2]:0>2}"


def _beside(gpu: str | None, adapter: str) -> bool:
    """Tell whether an adapter hangs on the switch of a GPU: their buses are numbered one after the other."""
    if gpu is None or ":" in gpu or ":" in adapter:
        return False
    return abs(int(gpu, 16) - int(adapter, 16)) == 1


@cache
def _boards() -> tuple[Mapping[str, int], ...]:
    text = Path(__file__).with_name("boards.csv").read_text(encoding="utf-8")
    rows = [line.split(",") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple({bus: number for number, bus in enumerate(row)} for row in rows)
