"""`trainer_state.json`, in which the Hugging Face Trainer keeps everything it logged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from runtriage.model.artifact import Artifact
from runtriage.model.facts import RankProgress
from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.series import Point, Series
from runtriage.model.subject import NOBODY
from runtriage.model.target import ByteStream
from runtriage.parse.checkpoint_names import folder_of
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.metrics_series import Column

NAME = "trainer_state.json"
_LIMIT = 32 << 20
_HISTORY = deferred(rb'"log_history"\s*:\s*\[')
_REACHED = deferred(rb'"global_step"\s*:\s*(\d{1,15})')
_PLANNED = deferred(rb'"max_steps"\s*:\s*(\d{1,15})')
_TOKEN = deferred(rb'"([\w/. -]{1,120})"\s*:\s*(-?(?:\d[\d.eE+-]{0,40}|Infinity)|NaN)|([{}\]])')
_NO_METRIC = frozenset({None, "step", "epoch", "batch", "rank", "setting"})
_ROUNDED = 2e-3
"""The log prints four digits of what the state holds in full."""
_SUMMARY = "train_runtime"


class _Value(Struct, frozen=True):
    name: str
    value: float
    line: int
    offset: int


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is the state of a Trainer."""
    return artifact.path.rpartition("/")[2] == NAME and head.lstrip()[:1] == b"{"


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the history as series, each value with the line it stands on."""
    content, cut = read_all(stream, _LIMIT)
    columns: dict[str, Column] = {}
    for entry in _entries(content):
        step = next((item.value for item in entry if item.name == "step"), None)
        if step is None or any(item.name == _SUMMARY for item in entry):
            continue
        for item in entry:
            if meaning(item.name).role not in _NO_METRIC:
                columns.setdefault(item.name, Column()).add(step, item.value, item.line, item.offset)
    return Parsed(
        progress=_progress(artifact.path, content),
        series=[column.series(artifact.path, name, meaning(name).role) for name, column in columns.items()],
        bytes_read=len(content),
        cut="longer than 32 MiB" if cut else None,
    )


def _progress(path: str, content: bytes) -> list[RankProgress]:
    reached, planned = _REACHED.search(content), _PLANNED.search(content)
    if reached is None:
        return []
    line = content.count(b"\n", 0, reached.start()) + 1
    place = Citation(
        artifact=path, first_line=line, last_line=line, byte_start=content.rfind(b"\n", 0, reached.start()) + 1
    )
    total = int(planned[1]) if planned else None
    return [
        RankProgress(
            artifact=path, subject=NOBODY, last_step=int(reached[1]), total_steps=total or None, last_progress=place
        )
    ]


def _entries(content: bytes) -> Iterator[list[_Value]]:
    """Yield the numbers of each entry of the history; a file that breaks off gives what was written whole."""
    history = _HISTORY.search(content)
    if history is None:
        return
    entry: list[_Value] = []
    line, counted = 1, 0
    for token in _TOKEN.finditer(content, history.end()):
        if token[3] == b"]":
            return
        if token[3] == b"{":
            entry = []
        elif token[3] == b"}":
            yield entry
        else:
            line += content.count(b"\n", counted, token.start())
            counted = token.start()
            value = _number(token[2])
            if value is not None:
                entry.append(_Value(token[1].decode(), value, line, content.rfind(b"\n", 0, counted) + 1))


def _number(text: bytes) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def reconcile(series: Sequence[Series]) -> list[Series]:
    """Return the series with each history once: that of the newest state, or the log's own, which it lends its steps.

    Every saved checkpoint repeats the history up to itself, and the log prints the same values with an epoch instead of a step.
    """
    states = _newest([item for item in series if _is_state(item)])
    told: list[Series] = []
    for item in series:
        if _is_state(item):
            continue
        twin = next((state for state in states if _same(state, item)), None)
        if twin is not None:
            states.remove(twin)
        told.append(item if twin is None else _with_steps(item, twin))
    return told + states


def _is_state(series: Series) -> bool:
    return series.artifact.rpartition("/")[2] == NAME


def _newest(states: Sequence[Series]) -> list[Series]:
    runs: dict[str, dict[str, float]] = {}
    for item in states:
        reached = runs.setdefault(_run_of(item.artifact), {})
        reached[item.artifact] = max(reached.get(item.artifact, 0.0), item.points[-1].step)
    chosen = {max(reached, key=lambda path: (reached[path], path)) for reached in runs.values()}
    return [item for item in states if item.artifact in chosen]


def _same(state: Series, told: Series) -> bool:
    if state.name != told.name or state.total != told.total or len(state.points) != len(told.points):
        return False
    return all(
        math.isclose(one.value, two.value, rel_tol=_ROUNDED) or (math.isnan(one.value) and math.isnan(two.value))
        for one, two in zip(state.points, told.points, strict=True)
    )


def _with_steps(told: Series, state: Series) -> Series:
    steps = {point: other.step for point, other in zip(told.points, state.points, strict=True)}

    def at(point: Point | None) -> Point | None:
        return None if point is None else replace(point, step=steps.get(point, point.step))

    return replace(
        told,
        points=tuple(replace(point, step=other.step) for point, other in zip(told.points, state.points, strict=True)),
        first_nonfinite=at(told.first_nonfinite),
        last_finite=at(told.last_finite),
        minimum=at(told.minimum),
        maximum=at(told.maximum),
    )


def _run_of(path: str) -> str:
    return (folder_of(path) or path).rpartition("/")[0]


PARSERS = (Parser(id="trainer-state", claims=claims, read=read),)
