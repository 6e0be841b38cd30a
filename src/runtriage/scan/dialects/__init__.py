"""How training programs print progress and metrics, and what their fixed phrases mean."""

from __future__ import annotations

from runtriage.model.artifact import Artifact
from runtriage.scan.dialects.front import FrontReader
from runtriage.scan.dialects.learn import FileMetrics

__all__ = ["line_reader", "metrics"]


def line_reader(artifact: Artifact, sample: bytes, /) -> FrontReader:
    """Return a reader of the fronts of this artifact's lines; `sample` is the first 64 KiB of what is read."""
    return FrontReader(artifact, sample)


def metrics(artifact: Artifact, task: str | None, /) -> FileMetrics:
    """Return how metrics are found in one artifact."""
    return FileMetrics(artifact.size)
