"""What the root explains, one line each."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.model.taxonomy import modes
from runtriage.model.verdict import Cascade, Hypothesis, Incident

_LIMIT = 8


def cascade(best: Hypothesis, incidents: Sequence[Incident]) -> tuple[Cascade, ...]:
    """Return the incidents the best hypothesis explains, in reading order, at most eight."""
    by_id = {incident.id: incident for incident in incidents}
    return tuple(_line(by_id[key]) for key in best.explains if key in by_id)[:_LIMIT]


def _line(incident: Incident) -> Cascade:
    first = incident.matches[0]
    ranks = sorted({subject.rank for subject in incident.subjects if subject.rank is not None})
    text = modes()[incident.mode].title or first.title
    if len(ranks) > 1:
        text = f"{text} ({len(ranks)} ranks)"
    return Cascade(mode=incident.mode, text=text, citation=first.evidence[0].citation, subjects=incident.subjects)
