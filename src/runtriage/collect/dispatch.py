"""Asks a target for one thing; whatever happens ends in an outcome."""

from __future__ import annotations

from msgspec.structs import replace

from runtriage.collect.budget import Budget
from runtriage.model.artifact import Artifact, Collected, Failed, Outcome, Request, Skipped, Unavailable
from runtriage.model.target import Target


def collect(request: Request, target: Target, budget: Budget) -> Outcome:
    """Answer a request within the budget; never raises for what the target does."""
    if budget.requests <= 0:
        return Skipped(request, "the budget of requests is used up")
    budget.requests -= 1
    try:
        outcome = target.collect(request)
    except PermissionError:
        return Unavailable(request, "permission denied")
    except Exception as error:  # noqa: BLE001 - a collector's own fault must end as a value
        return Failed(request, _described(error))
    return _within(outcome, budget) if isinstance(outcome, Collected) else outcome


def _within(outcome: Collected, budget: Budget) -> Outcome:
    kept: list[Artifact] = []
    for artifact in outcome.artifacts:
        size = artifact.size or 0
        if budget.artifacts <= 0 or (budget.bytes is not None and size > budget.bytes):
            break
        budget.artifacts -= 1
        if budget.bytes is not None:
            budget.bytes -= size
        kept.append(artifact)
    if len(kept) == len(outcome.artifacts):
        return outcome
    left_out = len(outcome.artifacts) - len(kept)
    if not kept:
        return Skipped(outcome.request, "the budget of files or bytes is used up")
    cut = f"{left_out:,} files left out, the budget is used up"
    return replace(outcome, artifacts=tuple(kept), cut=f"{outcome.cut}; {cut}" if outcome.cut else cut)


def _described(error: Exception) -> str:
    """Name an error without its message, which may hold raw text."""
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else type(error).__name__
