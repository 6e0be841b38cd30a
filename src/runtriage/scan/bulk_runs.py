"""Runs of lines that were read at once and follow each other directly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtriage.scan.bulk import Batch


def runs(batches: Sequence[Batch], least: int) -> list[tuple[int, int]]:
    """Return the runs of at least so many bytes, in order, without their first and last line: where they begin and end."""
    starts = np.sort(np.concatenate([batch.starts for batch in batches]), kind="stable")
    ends = np.sort(np.concatenate([batch.ends for batch in batches]), kind="stable")
    apart = np.flatnonzero(starts[1:] != ends[:-1] + 1)
    first, last = np.concatenate([[0], apart + 1]), np.concatenate([apart, [len(starts) - 1]])
    long = (ends[last] - starts[first] >= least) & (last - first >= 2)
    begins, stops = starts[first[long] + 1], starts[last[long]]
    return list(zip(begins.tolist(), stops.tolist(), strict=True))
