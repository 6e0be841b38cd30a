"""Reads all metrics of a log slowly: learn from all of its lines, then parse each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from runtriage.model.artifact import Artifact
from runtriage.scan.ansi import CODES
from runtriage.scan.contract import Dialect, MetricLine
from runtriage.scan.dialects import metrics

LOGS = Path(__file__).parent.parent / "logs" / "metrics"
_LOG = Artifact(path="train.log", kind="log")
READ = metrics(_LOG, None)


def lines_of(data: bytes) -> list[bytes]:
    """The lines a screen would show, without terminal codes."""
    return re.split(rb"[\r\n]+", CODES.sub(b"", data))


def read(data: bytes) -> list[MetricLine]:
    """Every metric line of a log, in order; a line that holds no anchor of what was learnt is not offered."""
    lines = lines_of(data)
    dialects = metrics(_LOG, None).learn(lines)
    return [said for line in lines if (said := _said(line, dialects)) is not None]


def _said(line: bytes, dialects: Sequence[Dialect]) -> MetricLine | None:
    for dialect in dialects:
        if dialect.anchors and not any(anchor in line for anchor in dialect.anchors):
            continue
        if (said := dialect.parse(line)) is not None:
            return said
    return None


def summary(data: bytes) -> dict[str, tuple[str | None, int, float, float]]:
    """Role, number of values, first and last value of every metric with a role."""
    found: dict[str, list[float]] = {}
    for said in read(data):
        for name, value in said.values:
            found.setdefault(name, []).append(value)
    return {
        name: (READ.role(name), len(values), values[0], values[-1]) for name, values in found.items() if READ.role(name)
    }


def steps(data: bytes) -> list[int]:
    """All printed steps."""
    return [said.step for said in read(data) if said.step is not None]
