"""Whether a run came to the end that its settings planned."""

from __future__ import annotations

from runtriage.judge.outcome import last_attempt
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.series import Series

_SCORES = frozenset({"loss", "eval_loss", "metric", "eval_metric"})


def reached(facts: Facts) -> bool:
    """Tell whether every rank of the last attempt printed the last step or epoch that the settings name, where they agree."""
    last = last_attempt(facts)
    came = [entry for entry in facts.progress if entry.subject.attempt == last and entry.last_progress is not None]
    steps, epochs = _named(facts, "max_steps"), _named(facts, "epochs")
    if not came:
        return False
    if steps is not None:
        return all(_at_step(entry, steps) for entry in came)
    return epochs is not None and all(_after_epoch(entry, epochs, facts) for entry in came)


def _named(facts: Facts, role: str) -> int | None:
    """Return the number that all settings of a role agree on; None where they do not, and for those that leave it open."""
    told = {setting.value.replace("_", "") for setting in facts.settings if setting.role == role}
    told -= {"-1"}
    value = told.pop() if len(told) == 1 else ""
    return int(value) if value.isdecimal() and int(value) > 0 else None


def _at_step(entry: RankProgress, planned: int) -> bool:
    if entry.last_step is None:
        return False
    return entry.last_step >= planned or (entry.last_step == planned - 1 and entry.first_step == 0)


def _after_epoch(entry: RankProgress, planned: int, facts: Facts) -> bool:
    """Tell whether the last line of progress sums the last epoch up: a run that prints more often may have stopped within it."""
    where = entry.last_progress
    if entry.last_step is not None or where is None:
        return False
    scores = [one for one in facts.series if one.artifact == entry.artifact and one.role in _SCORES and one.points]
    ends = [one for one in scores if one.points[-1].line == where.first_line and _is_last(one, planned)]
    return bool(ends) and all(one.total <= planned for one in ends)


def _is_last(series: Series, planned: int) -> bool:
    """Tell whether a series that counts epochs from 0 or 1 came to the last."""
    first, last = series.points[0].step, series.points[-1].step
    return last == planned or (first == 0 and last == planned - 1)
