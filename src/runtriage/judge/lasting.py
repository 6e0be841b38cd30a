"""Faults that never stopped a run but slowed it down to its end, or left a file unwritten that is missed later: that work went on does not mean that they passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from runtriage.judge.explains import explains
from runtriage.judge.named_file import left_behind
from runtriage.judge.order import Clocks
from runtriage.judge.outcome import ENDING_TIERS, PROGRESSED, RECOVERED, TERMINAL, UNRESOLVED
from runtriage.model.verdict import Incident

_SLOW: Final = frozenset({"stall/throughput-collapse", "nccl/straggler-rank"})


def lasting(incidents: Sequence[Incident], ticks: Clocks) -> tuple[Incident, ...]:
    """Return the incidents, those that account for a slowness that lasted, or for a file that is missed at the end, no longer as recovered from."""
    gone = (RECOVERED, PROGRESSED)
    slow = [item for item in incidents if item.mode in _SLOW and item.outcome not in gone]
    ended = [item for item in incidents if item.outcome == TERMINAL]
    return tuple(
        replace(item, outcome=UNRESOLVED)
        if item.outcome in gone
        and item.role == "cause"
        and (
            (item.matches[0].tier not in ENDING_TIERS and any(explains(item, effect, ticks) for effect in slow))
            or any(left_behind(item, effect, ticks) for effect in ended)
        )
        else item
        for item in incidents
    )
