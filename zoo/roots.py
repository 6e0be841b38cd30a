"""Finds in recorded text what a truth names by pattern: root lines and the last step."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping, Sequence
from typing import Any

from zoo.layout import ZooError

QUOTED = re.compile(r"^(\[\w+\]:)*\s+(raise|print|log\w*\.\w+)\b")
"""A source line in a traceback: it may hold the words of a message, but it is not the message."""


def split_lines(raw: bytes) -> list[str]:
    """Lines as citations count them: split on newline only, undecodable bytes replaced."""
    lines = raw.decode("utf-8", errors="replace").split("\n")
    return lines[:-1] if lines and lines[-1] == "" else lines


def resolve_roots(roots: Sequence[Mapping[str, Any]], files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Roots with their line numbers filled in; a pattern without a line is an error."""
    resolved: list[dict[str, Any]] = []
    for declared in roots:
        named = fnmatch.filter(files, declared["file"])
        if not named:
            raise ZooError(f"root names a file that was not recorded: {declared['file']}")
        root = {**declared, "file": named[0]}
        found = [dict(root)] if "pointer" in root else _lines_of(root, files[root["file"]])
        known = {(one["file"], one.get("line")) for one in resolved if "line" in one}
        resolved.extend(one for one in found if (one["file"], one.get("line")) not in known)
    return resolved


def last_step(pattern: str, raw: bytes) -> int:
    """The largest step that ``pattern``, a regular expression with one group, reads from a log."""
    steps = [int(step) for step in re.findall(pattern, raw.decode("utf-8", errors="replace"))]
    if not steps:
        raise ZooError(f"no step matches {pattern!r}")
    return max(steps)


def _lines_of(root: Mapping[str, Any], raw: bytes) -> list[dict[str, Any]]:
    pattern = re.compile(root["pattern"])
    hits = [
        number for number, line in enumerate(split_lines(raw), 1) if pattern.search(line) and not QUOTED.match(line)
    ]
    if not hits and root.get("optional"):
        return []
    if not hits:
        raise ZooError(f"no line of {root['file']} matches {root['pattern']!r}")
    occurrence = root.get("occurrence", "first")
    chosen = hits if occurrence == "all" else hits[-1:] if occurrence == "last" else hits[:1]
    return [{"file": root["file"], "line": line, "pattern": root["pattern"]} for line in chosen]
