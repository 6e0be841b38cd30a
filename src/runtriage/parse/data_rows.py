"""Rows of CSV, TSV, JSON lines and Parquet, one at a time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple, cast

from runtriage.model.target import ByteStream, Seekable

FORMATS: Final = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
_FIELD: Final = 1 << 20
_CHUNK: Final = 1 << 20
_BATCH: Final = 8192


class Row(NamedTuple):
    """The values of one row by column; `line` is its 1-based line, None in Parquet."""

    values: dict[str, object]
    line: int | None


class Unreadable(ValueError):
    """A table is damaged, or of a form that cannot be read here."""


def rows(name: str, stream: ByteStream) -> Iterator[Row]:
    """Yield the rows of a table whose name ends as one of `FORMATS` does. Raises `Unreadable` where it is damaged, OSError."""
    bare = name.lower().removesuffix(".gz").removesuffix(".zst")
    if bare.endswith(".parquet"):
        yield from _parquet(stream)
    elif bare.endswith((".jsonl", ".ndjson")):
        yield from _json(stream)
    else:
        yield from _separated(stream, "\t" if bare.endswith(".tsv") else None)


def _lines(stream: ByteStream) -> Iterator[str]:
    buffer = bytearray(_CHUNK)
    rest = b""
    while count := stream.readinto(memoryview(buffer)):
        *whole, rest = (rest + bytes(buffer[:count])).split(b"\n")
        if len(rest) > _FIELD:
            raise Unreadable("has a line of more than 1 MB")
        for line in whole:
            yield line.decode("utf-8", "replace") + "\n"
    if rest:
        yield rest.decode("utf-8", "replace")


def _separated(stream: ByteStream, separator: str | None) -> Iterator[Row]:
    lines = _lines(stream)
    first = next(lines, "")
    mark = separator or max(",;\t|", key=first.count)
    header = next(csv.reader([first.lstrip("\ufeff")], delimiter=mark), list[str]())
    csv.field_size_limit(_FIELD)
    reader = csv.reader(lines, delimiter=mark)
    try:
        for values in reader:
            if values:
                yield Row(dict(zip(header, values, strict=False)), reader.line_num + 1)
    except csv.Error as error:
        raise Unreadable(f"line {reader.line_num + 1} is damaged: {error}") from None


def _json(stream: ByteStream) -> Iterator[Row]:
    for number, line in enumerate(_lines(stream), 1):
        if not line.strip():
            continue
        try:
            value = cast("object", json.loads(line))
        except (ValueError, RecursionError):
            raise Unreadable(f"line {number} is no JSON") from None
        if isinstance(value, dict):
            yield Row(cast("dict[str, object]", value), number)


def _parquet(stream: ByteStream) -> Iterator[Row]:
    if not isinstance(stream, Seekable):
        raise Unreadable("a packed Parquet file cannot be read; unpack it first")
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise Unreadable("reading Parquet needs pyarrow: pip install 'runtriage[data]'") from None
    try:
        for batch in parquet.ParquetFile(_Seekable(stream)).iter_batches(batch_size=_BATCH):
            for values in cast("list[dict[str, object]]", batch.to_pylist()):
                yield Row(values, None)
    except arrow.ArrowException:
        raise Unreadable("is no whole Parquet file") from None


class _Seekable(io.RawIOBase):
    """A stream of ours in the form that file libraries take."""

    def __init__(self, stream: Seekable) -> None:
        self._stream = stream
        self._at = 0
        self._end = self._length()

    def _length(self) -> int:
        """Return where the stream ends: readers of Parquet begin there."""
        low, high, one = 0, 1, memoryview(bytearray(1))
        while self._holds(high, one):
            low, high = high, high * 2
        while low < high:
            middle = (low + high) // 2
            if self._holds(middle, one):
                low = middle + 1
            else:
                high = middle
        return low

    def _holds(self, offset: int, one: memoryview) -> bool:
        self._stream.seek(offset)
        return self._stream.readinto(one) == 1

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self._end)[whence]
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        self._stream.seek(self._at)
        count = self._stream.readinto(memoryview(buffer))
        self._at += count
        return count
