"""Reading of JSON and YAML documents whose values are cited by JSON pointer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import cast

from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.raw import RawText
from runtriage.model.time import Instant

Value = dict[str, "Value"] | list["Value"] | str | int | float | bool | None


class Node:
    """A value of a document together with its JSON pointer (RFC 6901)."""

    __slots__ = ("artifact", "pointer", "value")

    def __init__(self, value: Value, artifact: str, pointer: str = "") -> None:
        self.value = value
        self.artifact = artifact
        self.pointer = pointer

    def get(self, *path: str) -> Node:
        """Return the member at a path of keys; its value is None when there is none."""
        node = self
        for key in path:
            members = cast("dict[str, Value]", node.value) if isinstance(node.value, dict) else {}
            step = key.replace("~", "~0").replace("/", "~1")
            node = Node(members.get(key), self.artifact, f"{node.pointer}/{step}")
        return node

    def items(self) -> Iterator[Node]:
        """Yield the elements of a list, or nothing."""
        if isinstance(self.value, list):
            for index, value in enumerate(cast("list[Value]", self.value)):
                yield Node(value, self.artifact, f"{self.pointer}/{index}")

    def members(self) -> Iterator[tuple[str, Node]]:
        """Yield the members of a mapping by name, or nothing."""
        held = cast("dict[object, Value]", self.value) if isinstance(self.value, dict) else {}
        for name in held:
            if isinstance(name, str):
                yield name, self.get(name)

    def text(self, *path: str) -> str:
        """Return the string at a path, or an empty one."""
        value = self.get(*path).value
        return value if isinstance(value, str) else ""

    def number(self, *path: str) -> float | None:
        """Return the number at a path, or None."""
        value = self.get(*path).value
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def raw(self, *path: str) -> RawText:
        """Return the string at a path as raw text."""
        return RawText(self.text(*path))

    def cite(self) -> Citation:
        """Return the citation of this value."""
        return Citation(artifact=self.artifact, pointer=self.pointer or "/")


_JSON_LINES = deferred(rb"\s*\{[^\n]*\}[ \r]*\n\s*\{")


def is_document(head: bytes) -> bool:
    """Tell whether the bytes begin one JSON object or list; lines with an object each are a log."""
    return head.lstrip()[:1] in (b"{", b"[") and not _JSON_LINES.match(head)


def load_json(content: bytes, artifact: str) -> Node | None:
    """Return the document, or None when it is no JSON object or list."""
    try:
        value = cast("Value", json.loads(content))
    except (ValueError, RecursionError):
        return None
    return Node(value, artifact) if isinstance(value, dict | list) else None


def load_yaml(content: bytes, artifact: str) -> Node | None:
    """Return the first document of a YAML stream, or None when it is no mapping or list; objects are never built from tags."""
    import yaml  # few runs bring a document in YAML, and all wait for what is imported at the start

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        value = cast("Value", next(yaml.load_all(content, Loader=loader), None))
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError):
        return None
    return Node(value, artifact) if isinstance(value, dict | list) else None


def instant(text: str, clock: str) -> Instant | None:
    """Return the time an RFC 3339 stamp names, or None."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    zoned = when.tzinfo is not None
    seconds = (when if zoned else when.replace(tzinfo=UTC)).timestamp()
    return Instant(text=text, seconds=seconds, zoned=zoned, clock=clock, precision=1.0)
