"""What the root explains, one line each."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.model.facts import Facts
from runtriage.model.taxonomy import modes
from runtriage.model.verdict import Cascade, Hypothesis, Incident

_LIMIT = 8
_CUT = "ckpt/latest-points-to-partial"


def cascade(best: Hypothesis, incidents: Sequence[Incident], facts: Facts) -> tuple[Cascade, ...]:
    """Return the incidents the best hypothesis explains, in reading order, and what the failure cut; at most eight."""
    by_id = {incident.id: incident for incident in incidents}
    explained = [_line(by_id[key]) for key in best.explains if key in by_id]
    return (*explained, *_collateral(best, facts))[:_LIMIT]


def _collateral(best: Hypothesis, facts: Facts) -> list[Cascade]:
    """Return the newest checkpoint when it is incomplete and the root is not about reading checkpoints: the end of the run cut it."""
    root = best.incident
    known = [item for item in facts.checkpoints if item.step is not None or item.mtime is not None]
    if root is None or root.mode.startswith("ckpt/") or not known:
        return []
    newest = max(known, key=lambda item: (item.step if item.step is not None else -1, item.mtime or 0.0, item.path))
    if newest.valid is not False or newest.citation is None:
        return []
    return [
        Cascade(
            mode=_CUT,
            text=f"{newest.path} was left incomplete: {newest.problem}",
            citation=newest.citation,
            subjects=(),
        )
    ]


def _line(incident: Incident) -> Cascade:
    first = incident.matches[0]
    ranks = sorted({subject.rank for subject in incident.subjects if subject.rank is not None})
    text = modes()[incident.mode].title or first.title
    if len(ranks) > 1:
        text = f"{text} ({len(ranks)} ranks)"
    return Cascade(mode=incident.mode, text=text, citation=first.evidence[0].citation, subjects=incident.subjects)
