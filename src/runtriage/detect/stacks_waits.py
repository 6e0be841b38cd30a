"""What a stack waits for: the table `stacks_waits.csv`, whose first row that fits any frame decides."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from runtriage.model.event import Event
from runtriage.model.pattern import deferred

_FRAME: Final = deferred(r"(\S+) \((.+?):(\d+)\)(?: < |…|\Z)")
_HELPERS: Final = frozenset({"worker", "launcher"})
_PEERS: Final = frozenset({"collective", "device"})


class Wait(Struct, frozen=True):
    """One row: `what` is the kind of wait, `words` what a reader is told, `mode` the failure mode it stands for where it lasts."""

    what: str
    file: re.Pattern[str]
    function: re.Pattern[str]
    mode: str
    words: str

    @property
    def helper(self) -> bool:
        """Whether such a process trains nothing itself."""
        return self.what in _HELPERS

    @property
    def peers(self) -> bool:
        """Whether it waits for what other ranks do."""
        return self.what in _PEERS


class Call(Struct, frozen=True):
    """One frame of a stack."""

    function: str
    file: str
    line: int


@cache
def rows() -> tuple[Wait, ...]:
    """Return the rows, in order."""
    text = Path(__file__).with_name("stacks_waits.csv").read_text(encoding="utf-8")
    return tuple(
        Wait(
            row["what"],
            deferred(rf"(?:.*/)?(?:{row['file']})"),
            deferred(rf"(?:{row['function']})\Z"),
            row["mode"],
            row["words"],
        )
        for row in csv.DictReader(text.splitlines())
    )


def calls(event: Event) -> list[Call]:
    """Return the frames of a stack, innermost first."""
    found = _FRAME.findall(event.captures.get("frames", ""))
    return [Call(function, file, int(line)) for function, file, line in found]


def wait(frames: list[Call]) -> tuple[Wait, Call] | None:
    """Return what a stack waits for and the frame that tells it; None where it computes, or where no row knows."""
    for row in rows():
        for call in frames:
            if row.file.match(call.file) and row.function.match(call.function):
                return row, call
    return None
