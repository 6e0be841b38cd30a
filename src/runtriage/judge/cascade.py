"""What the root explains, one line each, and damage of a checkpoint that it does not explain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtriage.judge.outcome import last_attempt
from runtriage.model.event import CHECKPOINT
from runtriage.model.facts import Checkpoint, Facts
from runtriage.model.finding import Evidence
from runtriage.model.pattern import deferred
from runtriage.model.taxonomy import modes
from runtriage.model.verdict import Cascade, Hypothesis, Incident

_LIMIT = 8
_CUT = "ckpt/latest-points-to-partial"
_SAVES: Final = ("saving", "saved")
_END: Final = 60.0
"""Seconds around the last line of a log within which a file was written at its end."""
_BETWEEN: Final = deferred(r"[^\w.@~+-]+")
"""What stands between the names of a path, and between words."""


def cascade(best: Hypothesis, incidents: Sequence[Incident], facts: Facts) -> tuple[Cascade, ...]:
    """Return the incidents the best hypothesis explains, in reading order, and what the failure cut; at most eight."""
    by_id = {incident.id: incident for incident in incidents}
    explained = [_line(by_id[key]) for key in best.explains if key in by_id]
    damaged = _damaged(best, facts)
    if damaged is not None and damaged.citation is not None and _cut(damaged, best, facts):
        text = f"{damaged.path} was left incomplete: {damaged.problem}"
        explained.append(Cascade(mode=_CUT, text=text, citation=damaged.citation, subjects=()))
    return tuple(explained[:_LIMIT])


def unexplained(best: Hypothesis, facts: Facts) -> tuple[Evidence, ...]:
    """Return that the newest checkpoint is damaged where nothing shows that the end of the run did it."""
    damaged = _damaged(best, facts)
    if damaged is None or damaged.citation is None or _cut(damaged, best, facts):
        return ()
    claim = f"{damaged.path} is damaged ({damaged.problem}); when that happened and why is not known"
    return (Evidence(claim=claim, citation=damaged.citation),)


def _damaged(best: Hypothesis, facts: Facts) -> Checkpoint | None:
    """Return the newest checkpoint when it is incomplete and the root is not about reading checkpoints."""
    root = best.incident
    known = [item for item in facts.checkpoints if item.step is not None or item.mtime is not None]
    if root is None or root.mode.startswith("ckpt/") or not known:
        return None
    newest = max(known, key=lambda item: (item.step if item.step is not None else -1, item.mtime or 0.0, item.path))
    return newest if newest.valid is False and newest.citation is not None else None


def _cut(item: Checkpoint, best: Hypothesis, facts: Facts) -> bool:
    """Tell whether the failure cut a checkpoint: it is of the last step, was still being saved, is named by the root, or was written last."""
    steps = [
        entry.last_step
        for entry in facts.progress
        if entry.last_step is not None and entry.subject.attempt == last_attempt(facts)
    ]
    if item.step is not None and steps and item.step >= max(steps):
        return True
    return _being_saved(item, facts) or _told_of(item, best) or _written_last(item, facts)


def _being_saved(item: Checkpoint, facts: Facts) -> bool:
    saves = [event for event in facts.events if event.kind == CHECKPOINT and event.name in _SAVES]
    own = [event for event in saves if _names(event.captures.get("path", ""), item)]
    return bool(own) and own[-1].name == _SAVES[0]


def _told_of(item: Checkpoint, best: Hypothesis) -> bool:
    matches = best.incident.matches if best.incident is not None else ()
    return any(_names(f"{told.claim} {told.excerpt}", item) for match in matches for told in match.evidence)


def _names(text: str, item: Checkpoint) -> bool:
    return item.path.rstrip("/").rpartition("/")[2] in _BETWEEN.split(text)


def _written_last(item: Checkpoint, facts: Facts) -> bool:
    """Tell whether it was written when the log ended; where no file is older, a copy gave all of them one time."""
    read = [one.artifact for one in facts.reads if one.artifact.mtime is not None]
    logs = [one.mtime or 0.0 for one in read if one.kind == "log"]
    if item.mtime is None or not logs:
        return False
    end = max(logs)
    times = [one.mtime or end for one in (*read, *facts.checkpoints)]
    return min(times) < end - _END and abs(end - item.mtime) <= _END


def _line(incident: Incident) -> Cascade:
    first = incident.matches[0]
    ranks = sorted({subject.rank for subject in incident.subjects if subject.rank is not None})
    text = modes()[incident.mode].title or first.title
    if len(ranks) > 1:
        text = f"{text} ({len(ranks)} ranks)"
    return Cascade(mode=incident.mode, text=text, citation=first.evidence[0].citation, subjects=incident.subjects)
