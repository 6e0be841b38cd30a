"""The runs of a fleet, one after another, each with what is known of it besides its target."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from msgspec import Struct

from runtriage.targets.errors import USAGE, TargetError
from runtriage.targets.several import each_run, lines_of


class Run(Struct, frozen=True):
    """One run: its target string, whose it is, and how many hours it took where that is known beforehand."""

    target: str
    owner: str | None = None
    hours: float | None = None

    @property
    def key(self) -> str:
        """Sixteen hexadecimal digits that stand for the target."""
        return hashlib.sha256(self.target.encode(errors="surrogateescape")).hexdigest()[:16]


def runs(targets: Sequence[str], owner: re.Pattern[str] | None = None) -> Iterator[Run]:
    """Yield each run once, in the order named; `@FILE` names a file of targets. Raises `TargetError`.

    A line of such a file is a target (again a glob, a folder of runs, ...) or a JSON object with `target` and, where known, `owner` and
    `hours`. `owner` is searched in targets that name nobody; its first group is the owner.
    """
    met: set[int] = set()
    for text in targets:
        for run in _named(text):
            key = int(run.key, 16)
            if key not in met:
                met.add(key)
                yield run if run.owner is not None or owner is None else Run(run.target, _found(owner, run), run.hours)


def _found(owner: re.Pattern[str], run: Run) -> str | None:
    match = owner.search(run.target)
    return match[1] if match else None


def _named(text: str) -> Iterator[Run]:
    if not text.startswith("@") or Path(text).exists():
        yield from map(Run, each_run(text))
        return
    for number, line in enumerate(lines_of(Path(text[1:])), 1):
        if line.startswith("{"):
            yield _recorded(line, f"{text[1:]}: target {number}")
        else:
            yield from map(Run, each_run(line))


def _recorded(line: str, place: str) -> Run:
    try:
        known: object = json.loads(line)
    except ValueError:
        raise TargetError(f"{place}: not valid JSON", USAGE) from None
    fields = cast("dict[str, object]", known)
    target, owner, hours = fields.get("target"), fields.get("owner"), fields.get("hours")
    if not isinstance(target, str) or not isinstance(owner, str | None) or not isinstance(hours, int | float | None):
        raise TargetError(f'{place}: give {{"target": "...", "owner": "...", "hours": 1.5}}', USAGE)
    return Run(target, owner, None if hours is None else float(hours))
