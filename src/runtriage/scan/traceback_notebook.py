"""Frames as IPython prints them: a place on a line of its own, then numbered source with an arrow at the line that failed."""

from __future__ import annotations

from typing import Final, NamedTuple

from msgspec import Struct

from runtriage.model.pattern import deferred

_CELL = deferred(
    r"(?P<file>(?:Cell |Input )In ?\[\d{1,6}\])(?:, \[?line (?P<line>\d{1,7}).{0,300})?(?:, in (?P<function><.{1,60}>).{0,8})?$"
)
_FILE = deferred(
    r"File \[?(?P<file>(?:[A-Za-z]:)?[^:\"\n]{1,400}):(?P<line>\d{1,7})(?:\]\(.{0,600}?\))?(?:, in (?P<function>[\w.<>]{1,200}).*)?$"
)
_OLD = deferred(
    r"\[?(?P<file>(?:[~/.]|[A-Za-z]:\\)[^:\"\]()]{1,400}|<ipython-input-[\w-]{1,60}>)(?:\]\(.{0,200}?\))?"
    r" in (?P<function><module>|[\w.<>]{1,200}\()(?P<line>)"
)
_STARTS: Final = ("File ", "Cell In", "Input In", "~", "/", "<ipython", "[", ".")
_DRIVE = deferred(r"[A-Za-z]:\\")
_ARROW = deferred(r" {0,6}-{1,6}> {1,4}(?P<line>\d{1,7})(?: (?P<code>.*))?$")
_HEADER = deferred(r"(?P<type>[A-Za-z_][\w.]{1,120}) {2,80}Traceback \(most recent call last\)")


class Place(NamedTuple):
    """A printed place: `line` is 0 where only the arrow below tells it."""

    file: str
    line: int
    function: str


class Arrow(Struct, frozen=True):
    """The line that an arrow points at."""

    line: int
    code: str


def read_place(text: str) -> Place | None:
    """Read the line above a listing; None when the line is none."""
    if not text.startswith(_STARTS) and _DRIVE.match(text) is None:
        return None
    for pattern in (_CELL, _FILE, _OLD):
        if found := pattern.match(text):
            return Place(found["file"], int(found["line"] or 0), (found["function"] or "").rstrip("("))
    return None


def read_arrow(text: str) -> Arrow | None:
    """Read the line of a listing that failed; None when the line is another."""
    found = _ARROW.match(text) if "-> " in text[:14] else None
    return None if found is None else Arrow(int(found["line"]), (found["code"] or "").strip())


def headed_by(text: str) -> str:
    """The type that stands in front of the words that open a traceback, or nothing."""
    found = _HEADER.match(text)
    return found["type"] if found else ""
