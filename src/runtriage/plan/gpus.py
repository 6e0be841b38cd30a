"""How many GPUs a run has, as far as it was read."""

from __future__ import annotations

from runtriage.model.facts import Facts
from runtriage.model.verdict import Verdict

_SHARDED = ("FSDP", "DeepSpeed", "Megatron")
"""Frameworks that share out the model's state already."""


def to_share(verdict: Verdict, facts: Facts) -> str | None:
    """Return over how many GPUs the model's state could be shared, None where nothing shows more than one or it is shared already."""
    shared = any(name in framework for framework in facts.frameworks for name in _SHARDED)
    return None if shared else _count(verdict, facts)


def _count(verdict: Verdict, facts: Facts) -> str | None:
    said = [facts.world_size or 0]
    said += [int(item.value) for item in facts.settings if item.role == "world_size" and item.value.isdecimal()]
    if any(said):
        number = max(said)
    else:
        ranks = [entry.subject.rank for entry in facts.progress] + [event.subject.rank for event in facts.events]
        guilty = verdict.culprit.rank if verdict.culprit else None
        number = 1 + max([*(rank for rank in ranks if rank is not None), guilty or 0])
    return str(number) if number > 1 else None
