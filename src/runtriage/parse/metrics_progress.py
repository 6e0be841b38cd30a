"""How far a run came, as its metrics tell."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.model.artifact import Artifact
from runtriage.model.facts import RankProgress
from runtriage.model.place import Citation
from runtriage.model.series import Series

_TRAINING = ("loss", "lr", "grad_norm", "step_time", "throughput", "loss_part", "reward")


def progress_of(artifact: Artifact, series: Sequence[Series]) -> list[RankProgress]:
    """Return the progress that the furthest metric of the training shows, or of any metric where none is known; nothing for none."""
    stepped = [item for item in series if item.points]
    told = [item for item in stepped if item.role in _TRAINING] or stepped
    if not told:
        return []
    best = max(told, key=lambda item: item.points[-1].step)
    last = int(best.points[-1].step)
    return [
        RankProgress(
            artifact=artifact.path,
            subject=best.subject,
            first_step=int(best.points[0].step),
            last_step=last,
            progress_lines=best.total,
            last_progress=Citation(artifact=artifact.path, series=best.name, first_step=last, last_step=last),
        )
    ]
