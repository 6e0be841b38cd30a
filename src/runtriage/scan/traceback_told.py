"""What one line within a traceback is. The same lines come again and again, so what was found out is kept."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from runtriage.scan.traceback_frames import Frame, read_frame
from runtriage.scan.traceback_line import is_code, is_header, is_log, is_rule, read_exception, without_margin
from runtriage.scan.traceback_notebook import Arrow, read_arrow

_LINES: Final = 4096
_SHORT: Final = 300
"""Characters of a line that is kept, at most."""


class Told(Struct, frozen=True):
    """A line without its margin, and what it is: a header, a frame, an arrow into a listing, quoted code (or nothing, or a rule), or
    what ends a traceback unless what follows shows that it does not: a type and its message. At most one of them is set.
    """

    text: str
    header: bool = False
    frame: Frame | None = None
    arrow: Arrow | None = None
    code: str | None = None
    last: tuple[str, str] | None = None


def tell(line: str) -> Told:
    """Return what a line is."""
    return _kept(line) if len(line) <= _SHORT else _tell(line)


def _tell(line: str) -> Told:
    text = without_margin(line)
    if is_header(text):
        return Told(text, header=True)
    if frame := read_frame(text):
        return Told(text, frame=frame)
    if arrow := read_arrow(text):
        return Told(text, arrow=arrow)
    if not (stripped := text.strip()) or is_code(text) or is_rule(line):
        return Told(text, code=stripped)
    return Told(text, last=None if is_log(text) else read_exception(text, after_frames=True))


_kept = lru_cache(maxsize=_LINES)(_tell)
