"""Metric files of an MLflow folder: one metric a file, `timestamp value step` a line (older versions leave the step out)."""

from __future__ import annotations

import contextlib
import math
from itertools import accumulate

from runtriage.model.artifact import Artifact
from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser
from runtriage.parse.metrics_growing import Growing
from runtriage.parse.metrics_progress import progress_of
from runtriage.parse.path_rank import subject_of
from runtriage.parse.piecewise import groups_of

_PATH = deferred(r"(?:^|.*/)mlruns/[^/]+/[^/]+/metrics/(.+)\Z")
_LINE = deferred(rb"(\d{10,16}) (\S{1,40})(?: (-?\d{1,15}))?\r?\Z")


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the file holds one metric of an MLflow run."""
    return artifact.kind == "metrics" and _PATH.match(artifact.path) is not None


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the metric as a series; lines that are none are passed over."""
    named = _PATH.match(artifact.path)
    name = named[1] if named else artifact.path
    column, size = Growing(), 0
    for number, offset, lines in groups_of(stream):
        size = offset + sum(map(len, lines)) + len(lines)
        if not _all_at_once(column, number, offset, lines):
            _one_by_one(column, number, offset, lines)
    series = [column.series(artifact.path, name, meaning(name).role, subject_of(artifact))] if column.total else []
    return Parsed(series=series, progress=progress_of(artifact, series), bytes_read=size)


def _all_at_once(column: Growing, number: int, offset: int, lines: list[bytes]) -> bool:
    """Take lines in together where each holds three plain numbers and every value is finite; else take none and say so."""
    words = b"\n".join(lines).split()
    if len(words) != 3 * len(lines) or any(line.count(b" ") != 2 for line in lines):
        return False
    try:
        times = [int(word) / 1000 for word in words[0::3]]
        values, steps = list(map(float, words[1::3])), list(map(float, map(int, words[2::3])))
    except ValueError:
        return False
    if not math.isfinite(sum(values)):
        return False
    places = list(accumulate([len(line) + 1 for line in lines[:-1]], initial=offset))
    column.extend(steps, values, times, number, places)
    return True


def _one_by_one(column: Growing, number: int, offset: int, lines: list[bytes]) -> None:
    for line in lines:
        if found := _LINE.match(line):
            with contextlib.suppress(ValueError):
                column.add(float(found[3] or number - 1), float(found[2]), int(found[1]) / 1000, number, offset)
        number += 1
        offset += len(line) + 1


PARSERS = (Parser(id="metrics-mlflow", claims=claims, read=read),)
