"""Lines in which a program says that something failed and what it does about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import RECOVERY
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import said

_LONGEST: Final = 1_000
_FAULT = deferred(
    r"(?<![a-z])(?:nan|infinite|non-?finite|not finite|errno|\w{0,40}error|exception|out of memory|oom|refused|reset|broken|timed? ?out|already in use"
    r"|cannot|could not|can't|corrupt\w*|truncated|unreadable|fail\w*|unreachable|unavailable|no space left|50[0-4]|429|spik\w+|explod\w+|diverg\w+)(?![a-z])",
    re.IGNORECASE,
)
_REMEDY = deferred(
    r"(?<![\w-])(?:retrying|trying (?:the next|again|another)|attempt \d{1,3}(?:/\d{1,3}| of \d{1,3})? failed"
    r"|(?:falling|fell|rolling|rolled) back|skipp(?:ed|ing) (?:this |the |one )?(?:batch|update|optimi[sz]er step)|(?:batch|update) (?:is |was )?skipped"
    r"|halv(?:ed|ing)|(?:reduc|lower|shrink)(?:ed|ing) (?:the )?(?:micro[ -]?)?batch|backing off|rewinding|reconnect(?:ed|ing))(?![\w-])",
    re.IGNORECASE,
)
_ORDINARY = deferred(
    r"loss.?scal|scaler|\boverflow\b|Retrying \(Retry\(|\blater\b|(?:sample|record|row|line|document|image)s? skipped",
    re.IGNORECASE,
)
"""What mixed precision, an HTTP library and a filter of data do in any healthy run."""


def read_recovery(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line that names a fault and its remedy in one breath."""
    line = said(rows)
    if line is None:
        return Reading()
    words = line.words[:_LONGEST]
    if not _FAULT.search(words) or not _REMEDY.search(words) or _ORDINARY.search(words):
        return Reading()
    return Reading([line.draft(RECOVERY, "fault")])
