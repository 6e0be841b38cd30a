"""Metric files of an MLflow folder: one metric a file, `timestamp value step` a line (older versions leave the step out)."""

from __future__ import annotations

import contextlib
import math
from itertools import accumulate

from msgspec import DecodeError
from msgspec.json import Decoder

from runtriage.model.artifact import Artifact
from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser
from runtriage.parse.metrics_growing import Growing, Row
from runtriage.parse.metrics_progress import progress_of
from runtriage.parse.path_rank import subject_of
from runtriage.parse.piecewise import blocks_of

_PATH = deferred(r"(?:^|.*/)(?:mlruns/[^/]+/[^/]+|[0-9a-f]{32})/metrics/(.+)\Z")
_LINE = deferred(rb"(\S+) (\S+)(?: (\S+))?\r?\Z")
_COMMAS = bytes.maketrans(b" \n", b",,")
_EACH = 64
"""Lines between two of which the offset is held."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the file holds one metric of an MLflow run."""
    return artifact.kind == "metrics" and _PATH.match(artifact.path) is not None


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the metric as a series; lines that are none are passed over."""
    named = _PATH.match(artifact.path)
    name = named[1] if named else artifact.path
    column, size = Growing(), 0
    for number, offset, block in blocks_of(stream):
        if not offset:
            column.expect((artifact.size or 0) // (block.find(b"\n") + 1 or 1))
        size = offset + len(block)
        if not _all_at_once(column, number, offset, block):
            _one_by_one(column, number, offset, block)
    series = [column.series(artifact.path, name, meaning(name).role, subject_of(artifact))] if column.total else []
    return Parsed(series=series, progress=progress_of(artifact, series), bytes_read=size)


def _all_at_once(column: Growing, number: int, offset: int, block: bytes) -> bool:
    """Take lines in together where each holds two whole numbers with a number between; else take none and say so."""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    text = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    numbers = _numbers(text if text.endswith(b"\n") else text + b"\n", lines)
    if numbers is None:
        return False
    lengths = list(map(len, lines))
    held = list(accumulate((sum(lengths[at : at + _EACH]) for at in range(0, len(lines), _EACH)), initial=offset))

    def row(at: int) -> Row:
        start = at - at % _EACH
        place = held[at // _EACH] + sum(lengths[start:at]) + at
        return numbers[3 * at + 2], numbers[3 * at] / 1000, number + at, place

    column.extend(numbers[1::3], row)
    return True


def _numbers(text: bytes, lines: list[bytes]) -> list[float] | None:
    """Return the numbers of lines that hold three each; None where a line holds anything else.

    What is left of a line without what numbers are made of says how many it has; the decoder of JSON says whether they
    are numbers, and reads them as `float` does.
    """
    wild = b"n" in text
    if wild:
        if b"l" in text:
            return None
        for word in (b" nan ", b" inf ", b" -inf "):
            text = text.replace(word, b" null ")
    if text.translate(None, b"0123456789+-.enul" if wild else b"0123456789+-.e") != b"  \n" * len(lines):
        return None
    told = b"[" + text[:-1].translate(_COMMAS) + b"]"
    try:
        return _filled(_WITH_GAPS.decode(told), lines) if wild else _WHOLE.decode(told)
    except DecodeError:
        return None


def _filled(found: list[float | None], lines: list[bytes]) -> list[float] | None:
    """Return the numbers with what is not finite in its place; None where that is a time or a step."""
    if None in found[0::3] or None in found[2::3]:
        return None
    return [float(lines[at // 3].split(b" ")[1]) if number is None else number for at, number in enumerate(found)]


_WHOLE = Decoder(list[float])
_WITH_GAPS = Decoder(list[float | None])


def _one_by_one(column: Growing, number: int, offset: int, block: bytes) -> None:
    for line in block.removesuffix(b"\n").split(b"\n"):
        if found := _LINE.match(line):
            with contextlib.suppress(ValueError):
                time, step = float(found[1]) / 1000, float(found[3] or number - 1)
                if math.isfinite(time + step):
                    column.add(step, float(found[2]), time, number, offset)
        number += 1
        offset += len(line) + 1


PARSERS = (Parser(id="metrics-mlflow", claims=claims, read=read),)
