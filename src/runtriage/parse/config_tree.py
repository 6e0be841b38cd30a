"""The scalars of a YAML or JSON document with their dotted names and lines, read event by event so that no input can blow up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from msgspec import Struct

_EVENTS = 50_000
_DEPTH = 12
_NAME = 160
_WRAPPER = "value"
"""Trackers write `name: {desc: ..., value: ...}`."""


class Scalar(Struct, frozen=True):
    """A value: dotted name, text, 1-based line. A mapping of classes also yields its size as `num_labels`."""

    name: str
    text: str
    line: int


class _Level:
    __slots__ = ("count", "is_map", "key", "line", "path")

    def __init__(self, path: str, line: int, *, is_map: bool) -> None:
        self.path = path
        self.is_map = is_map
        self.line = line
        self.key: str | None = None
        self.count = 0

    def name(self) -> str:
        if self.key is None or (self.key == _WRAPPER and self.path):
            return self.path
        return f"{self.path}.{self.key}" if self.path else self.key


def scalars(content: bytes) -> Iterator[Scalar]:
    """Yield the scalars of the first document. What follows an error, or a depth of 12, is left out; aliases are not expanded."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    levels: list[_Level] = []
    too_deep = 0
    try:
        for number, event in enumerate(cast("Iterator[Any]", cast("Any", yaml).parse(content, Loader=loader))):
            if number > _EVENTS or isinstance(event, yaml.DocumentEndEvent):
                return
            if isinstance(event, yaml.CollectionStartEvent):
                if too_deep or len(levels) >= _DEPTH:
                    too_deep += 1
                else:
                    levels.append(_open(levels, event, is_map=isinstance(event, yaml.MappingStartEvent)))
            elif isinstance(event, yaml.CollectionEndEvent):
                if too_deep:
                    too_deep -= 1
                else:
                    yield from _close(levels)
            elif isinstance(event, yaml.ScalarEvent) and event.start_mark and not too_deep and levels:
                yield from _scalar(levels[-1], str(event.value), int(event.start_mark.line) + 1)
            elif isinstance(event, yaml.AliasEvent) and not too_deep and levels:
                levels[-1].key = None
    except (yaml.YAMLError, ValueError):
        return


def _open(levels: list[_Level], event: Any, *, is_map: bool) -> _Level:
    path = levels[-1].name() if levels else ""
    return _Level(path[:_NAME], int(event.start_mark.line) + 1, is_map=is_map)


def _close(levels: list[_Level]) -> Iterator[Scalar]:
    level = levels.pop()
    if level.path.rpartition(".")[2] in ("id2label", "label2id", "names") and level.count:
        yield Scalar(f"{level.path}.num_labels", str(level.count), level.line)
    if levels:
        levels[-1].key = None


def _scalar(level: _Level, text: str, line: int) -> Iterator[Scalar]:
    if not level.is_map:
        level.count += 1
        name, mark, value = text.partition("=")
        if mark and "." not in level.path:
            yield Scalar(name.lstrip("+~-"), value, line)
    elif level.key is None:
        level.key = text[:_NAME]
    else:
        level.count += 1
        yield Scalar(level.name(), text, line)
        level.key = None
