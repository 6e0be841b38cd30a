"""Histories of metrics as tracking servers answer them, one metric a document (MLflow) or rows of many (W&B)."""

from __future__ import annotations

import math
from operator import itemgetter
from typing import cast

from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.metrics_board import Board
from runtriage.parse.metrics_progress import progress_of
from runtriage.parse.path_rank import subject_of
from runtriage.parse.pointer import Node, is_document, load_json

_LIMIT = 64 << 20
_MEMORY = ("proc.memory.rssMB", "memoryAllocatedBytes", "memory_percent", "proc.memory.percent")
_HISTORY = deferred(rb'\A\s*\{\s*"(?:metric_history|sampled_history|sampled_system)"\s*:')


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a history."""
    return artifact.kind == "metrics" and is_document(head) and bool(_HISTORY.match(head))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the metrics as series in order of step."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    board = Board()
    if root is not None:
        _mlflow(root, board)
        _wandb(root, board)
        _system(root, board)
    series = board.series(artifact.path, subject_of(artifact))
    return Parsed(
        series=series,
        progress=progress_of(artifact, series),
        bytes_read=len(content),
        cut="longer than 64 MiB" if cut else board.cut(),
    )


def _mlflow(root: Node, board: Board) -> None:
    rows: list[tuple[float, float, float]] = []
    held = root.get("metrics").value
    for entry in held if isinstance(held, list) else ():
        if isinstance(entry, dict) and (value := _number(entry.get("value"))) is not None:
            time = _number(entry.get("timestamp"))
            rows.append((_number(entry.get("step")) or 0.0, math.nan if time is None else time / 1000, value))
    rows.sort(key=itemgetter(0, 1))
    column = board.column(root.text("metric_history")) if rows else None
    if column is not None:
        steps, times, values = zip(*rows, strict=True)
        column.gather(values, steps, times)


def _wandb(root: Node, board: Board) -> None:
    for rows in root.get("sampled_history").items():
        for row in cast("list[object]", rows.value) if isinstance(rows.value, list) else ():
            held = cast("dict[str, object]", row) if isinstance(row, dict) else {}
            step, time = _number(held.get("_step")), _number(held.get("_timestamp"))
            for name, told in held.items():
                value = None if name.startswith("_") else _number(told)
                column = None if value is None else board.column(name)
                if value is not None and column is not None:
                    column.add(step if step is not None else float(column.total), value, time or math.nan)


def _system(root: Node, board: Board) -> None:
    """Take in samples of the machine, in their order: they know no step of the run."""
    for index, row in enumerate(root.get("sampled_system").items()):
        held = {name: _number(node.value) for name, node in row.members()}
        for name, value in held.items():
            if value is None or not name.startswith("system."):
                continue
            column = board.column(f"system/{name.removeprefix('system.')}", _role(name))
            if column is not None:
                column.add(float(index), value, held.get("_timestamp") or math.nan)


def _role(name: str) -> str | None:
    return "memory" if name.endswith(_MEMORY) else None


def _number(value: object) -> float | None:
    kind = type(value)
    if kind is float:
        return cast("float", value)
    if kind is int or kind is str:
        try:
            return float(cast("float | str", value))
        except (ValueError, OverflowError):
            return None
    return None


PARSERS = (Parser(id="metrics-tracker", claims=claims, read=read),)
