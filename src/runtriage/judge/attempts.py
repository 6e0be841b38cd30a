"""What one attempt lost of the one before."""

from __future__ import annotations

from itertools import pairwise

from runtriage.model.facts import Facts

_FEWEST = 10
_SHARE = 0.05
"""Part of the steps reached from which going back is worth a word: checkpoints are some steps old in any restart."""


def lost_progress(facts: Facts) -> tuple[str, ...]:
    """Return a sentence on the restart that went back furthest, or nothing where none lost much."""
    reached: dict[int, int] = {}
    began: dict[int, int] = {}
    for item in facts.progress:
        attempt = item.subject.attempt
        if item.first_step is not None and item.last_step is not None:
            reached[attempt] = max(item.last_step, reached.get(attempt, item.last_step))
            began[attempt] = min(item.first_step, began.get(attempt, item.first_step))
    lost = [(reached[one] - began[two] + 1, one, two) for one, two in pairwise(sorted(reached)) if one + 1 == two]
    steps, one, two = max(lost, default=(0, 0, 0))
    if steps < max(_FEWEST, _SHARE * reached.get(one, 0)):
        return ()
    place = "from the beginning" if began[two] <= 1 else f"at step {began[two]:,}"
    return (f"attempt {two + 1} began {place}: {steps:,} steps of attempt {one + 1} were done again",)
