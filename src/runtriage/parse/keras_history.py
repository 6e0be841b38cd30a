"""A history of metrics as Keras keeps it: one JSON object that gives each metric the list of its values, one an epoch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.artifact import Artifact
from runtriage.model.facts import RankProgress
from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.subject import NOBODY
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.metrics_series import Column

_LIMIT: Final = 32 << 20
_METRICS: Final = 256
_NUMBER: Final = rb"-?(?:\d{1,25}(?:\.\d{1,25})?(?:[eE][+-]?\d{1,3})?|Infinity)|NaN"
_HEAD = deferred(rb'\A\s*\{\s*(?:"history"\s*:\s*\{\s*)?"[^"\\\n]{1,120}"\s*:\s*\[\s*(?:' + _NUMBER + rb")\s*[,\]]")
_LIST = deferred(rb'"(?P<name>[^"\\\n]{1,120})"\s*:\s*\[(?P<values>[^\[\]{}"]{0,8000000})')
_VALUE = deferred(_NUMBER)
_NO_METRIC = frozenset({None, "step", "epoch", "batch", "rank", "setting"})


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a history."""
    return artifact.kind == "metrics" and _HEAD.match(head) is not None


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return each list as a series whose steps are epochs from 1, each value with the line it stands on."""
    content, cut = read_all(stream, _LIMIT)
    columns: dict[str, Column] = {}
    lines = _Lines(content)
    for name, offset, value in _values(content):
        if meaning(name).role in _NO_METRIC or (name not in columns and len(columns) >= _METRICS):
            continue
        column = columns.setdefault(name, Column())
        column.add(float(len(column.values) + 1), value, lines.at(offset), offset)
    return Parsed(
        progress=_progress(artifact.path, columns),
        series=[column.series(artifact.path, name, meaning(name).role) for name, column in columns.items()],
        bytes_read=len(content),
        cut=f"only the first {_LIMIT >> 20} MiB were read" if cut else None,
    )


def _values(content: bytes) -> Iterator[tuple[str, int, float]]:
    """Yield name, offset and value of every number, in the order of the file; a list that breaks off gives what it has."""
    for found in _LIST.finditer(content):
        name = found["name"].decode("utf-8", "replace")
        for number in _VALUE.finditer(content, *found.span("values")):
            yield name, number.start(), float(number.group())


class _Lines:
    """Counts lines up to offsets that only go up."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._offset, self._line = 0, 1

    def at(self, offset: int) -> int:
        self._line += self._content.count(b"\n", self._offset, offset)
        self._offset = offset
        return self._line


def _progress(path: str, columns: dict[str, Column]) -> list[RankProgress]:
    longest = max(columns.values(), key=lambda column: len(column.values), default=None)
    if longest is None:
        return []
    line = int(longest.lines[-1])
    where = Citation(artifact=path, first_line=line, last_line=line, byte_start=int(longest.offsets[-1]))
    return [
        RankProgress(
            artifact=path, subject=NOBODY, last_epoch=float(len(longest.values)), last_progress=where, last_line=where
        )
    ]


PARSERS = (Parser(id="keras-history", claims=claims, read=read),)
