"""Metric files of an MLflow folder: one metric a file, `timestamp value step` a line (older versions leave the step out)."""

from __future__ import annotations

import contextlib

from runtriage.model.artifact import Artifact
from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.metrics_series import Column

_PATH = deferred(r"(?:^|.*/)mlruns/[^/]+/[^/]+/metrics/(.+)\Z")
_LINE = deferred(rb"\d{10,16} (\S{1,40})(?: (\d{1,15}))?\r?\Z")
_LIMIT = 32 << 20


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the file holds one metric of an MLflow run."""
    return artifact.kind == "metrics" and _PATH.match(artifact.path) is not None


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the metric as a series; lines that are none are passed over."""
    content, cut = read_all(stream, _LIMIT)
    named = _PATH.match(artifact.path)
    name = named[1] if named else artifact.path
    column, offset = Column(), 0
    for number, line in enumerate(content.split(b"\n"), 1):
        if found := _LINE.match(line):
            with contextlib.suppress(ValueError):
                column.add(float(found[2] or number - 1), float(found[1]), number, offset)
        offset += len(line) + 1
    return Parsed(
        series=[column.series(artifact.path, name, meaning(name).role)] if column.values else [],
        bytes_read=len(content),
        cut="longer than 32 MiB" if cut else None,
    )


PARSERS = (Parser(id="metrics-mlflow", claims=claims, read=read),)
