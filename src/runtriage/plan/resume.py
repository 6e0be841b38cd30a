"""Going on from the newest checkpoint that is whole."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.model.facts import Checkpoint, Facts
from runtriage.model.plan import NEEDS_APPROVAL, SAFE, Step
from runtriage.model.verdict import Verdict

_STATUSES = frozenset({"crashed", "hung", "diverged"})
_SPOILT = frozenset({"nan-inf", "optimization-divergence"})
"""After these, what was saved from the failing step on holds the spoilt weights."""

_OLDER = "resume-from-older-checkpoint"
_OF_DAMAGE = frozenset({"verify-checkpoint-files", "refetch-checkpoint", "save-atomically"})
"""Remedies of a file that is not whole; one that fits neither model nor version is no worse than its elders."""


def last_good(facts: Facts, verdict: Verdict) -> Checkpoint | None:
    """Return the newest checkpoint that was checked and found whole, by step, then by time.

    Of a run whose weights were spoilt only what was saved before the root's step counts; model files that nothing names as a checkpoint never do.
    """
    return newest_whole(facts.checkpoints, _spoilt_at(verdict))


def newest_whole(checkpoints: Sequence[Checkpoint], spoilt_at: int | None = None) -> Checkpoint | None:
    """Return the newest whole checkpoint a run can go on from, saved before the step `spoilt_at` where one is given.

    Weights alone count only where nothing else is whole: what goes on from them begins its optimizer anew.
    """
    whole = [
        item
        for item in checkpoints
        if item.valid and item.resumable is not False and (spoilt_at is None or (item.step or 0) < spoilt_at)
    ]
    return max(
        whole,
        key=lambda item: (
            item.optimizer is not False,
            item.step if item.step is not None else -1,
            item.mtime or 0.0,
            item.path,
        ),
        default=None,
    )


def _spoilt_at(verdict: Verdict) -> int | None:
    step = verdict.values.get("step", "")
    return int(step) if verdict.primary_class in _SPOILT and step.isdigit() else None


def resume_steps(verdict: Verdict, facts: Facts) -> list[Step]:
    """Return the step that points the run at its last good checkpoint, saying what would be lost."""
    checkpoint = last_good(facts, verdict)
    if checkpoint is None or verdict.run_status not in _STATUSES or verdict.primary_class is None:
        return []
    newer = [item for item in facts.checkpoints if _newer(item, checkpoint)]
    bare = [item for item in newer if item.valid and _weights_only(item, checkpoint)]
    newer = [item for item in newer if item not in bare]
    damaged = [item for item in newer if item.valid is False]
    older = any(item.valid for item in newer)
    word = "the newest checkpoint from before the failing step" if older else "the newest checkpoint that is whole"
    beside = f"; {damaged[-1].path} is not: {damaged[-1].problem}" if damaged else ""
    if bare:
        beside += f"; {bare[-1].path} is newer and holds no state of the optimizer"
    return [
        Step(
            action=f"Point the run at {checkpoint.path}, {word}{_lost(checkpoint, verdict)}{beside}",
            risk=NEEDS_APPROVAL if older else SAFE,
            expected_impact="keeps the work done up to that checkpoint",
            time_to_try="2 min",
            reversible=True,
            validate="the run loads it and its first step follows the checkpoint's",
            proceeds=False,
        )
    ]


def fall_back_first(steps: Sequence[Step], whole: Sequence[Step]) -> list[Step]:
    """Return the steps, of a damaged checkpoint with the newest one that is whole in front, or with the search for it where none is known."""
    rest = [step for step in steps if step.fix != _OLDER]
    older = [step for step in steps if step.fix == _OLDER]
    if not older or not any(step.fix in _OF_DAMAGE for step in rest):
        return [*steps, *whole]
    return [*(whole or older), *rest]


def _weights_only(item: Checkpoint, beside: Checkpoint) -> bool:
    return item.resumable is not False and item.optimizer is False and beside.optimizer is not False


def _newer(item: Checkpoint, than: Checkpoint) -> bool:
    if item.step is not None and than.step is not None:
        return item.step > than.step
    return (item.mtime or 0.0) > (than.mtime or 0.0)


def _lost(checkpoint: Checkpoint, verdict: Verdict) -> str:
    reached = verdict.last_progress.last_step if verdict.last_progress else None
    if checkpoint.step is None or reached is None or reached < checkpoint.step:
        return ""
    return f" ({reached - checkpoint.step} steps after step {checkpoint.step} are lost)"
