"""Going on from the newest checkpoint that is whole."""

from __future__ import annotations

from runtriage.model.facts import Checkpoint, Facts
from runtriage.model.plan import SAFE, Step
from runtriage.model.verdict import Verdict

_STATUSES = frozenset({"crashed", "hung", "diverged"})


def last_good(facts: Facts) -> Checkpoint | None:
    """Return the newest checkpoint that was checked and found whole, by step, then by time."""
    whole = [item for item in facts.checkpoints if item.valid]
    return max(
        whole, key=lambda item: (item.step if item.step is not None else -1, item.mtime or 0.0, item.path), default=None
    )


def resume_steps(verdict: Verdict, facts: Facts) -> list[Step]:
    """Return the step that points the run at its last good checkpoint, saying what would be lost."""
    checkpoint = last_good(facts)
    if checkpoint is None or verdict.run_status not in _STATUSES or verdict.primary_class is None:
        return []
    lost = _lost(checkpoint, verdict)
    return [
        Step(
            action=f"Point the run at {checkpoint.path}, the newest checkpoint that is whole{lost}",
            risk=SAFE,
            expected_impact="keeps the work done up to that checkpoint",
            time_to_try="2 min",
            reversible=True,
            validate="the run loads it and its first step follows the checkpoint's",
            proceeds=False,
        )
    ]


def _lost(checkpoint: Checkpoint, verdict: Verdict) -> str:
    reached = verdict.last_progress.last_step if verdict.last_progress else None
    if checkpoint.step is None or reached is None or reached < checkpoint.step:
        return ""
    return f" ({reached - checkpoint.step} steps after step {checkpoint.step} are lost)"
