"""Faults that never stopped a run but slowed it down to its end: that it completed does not mean that they passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from runtriage.judge.explains import explains
from runtriage.judge.order import Clocks
from runtriage.judge.outcome import ENDING_TIERS, PROGRESSED, RECOVERED, UNRESOLVED
from runtriage.model.verdict import Incident

_SLOW: Final = frozenset({"stall/throughput-collapse", "nccl/straggler-rank"})


def lasting(incidents: Sequence[Incident], ticks: Clocks) -> tuple[Incident, ...]:
    """Return the incidents, those that account for a slowness that lasted no longer as recovered from."""
    gone = (RECOVERED, PROGRESSED)
    slow = [item for item in incidents if item.mode in _SLOW and item.outcome not in gone]
    return tuple(
        replace(item, outcome=UNRESOLVED)
        if item.outcome in gone
        and item.role == "cause"
        and item.matches[0].tier not in ENDING_TIERS
        and any(explains(item, effect, ticks) for effect in slow)
        else item
        for item in incidents
    )
