"""What one line inside or around a traceback is."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.handled import goes_on
from runtriage.model.pattern import deferred

LONGEST: Final = 4096
"""No more of a line is looked at, in bytes."""

_HEADER: Final = "Traceback (most recent call last)"
_TYPE: Final = r"(?P<type>(?:[A-Za-z_]\w{0,80}\.){0,12}[A-Za-z_]\w{0,80}(?:\([\w., ]{1,120}\))?)"
_EXCEPTION = deferred(_TYPE + r"(?: \(see above for traceback\))?(?::(?: (?P<message>.*))?)?\s*$", re.DOTALL)
_SURE = deferred(
    r"(?:[A-Za-z_]\w{0,80}\.){0,12}[A-Z]\w{0,80}(?:Error|Exception|Interrupt|Failure|Fault|Timeout|Exit|NotFound|Denied|Failed|Group|Iteration)"
    r"(?:\([\w., ]{1,120}\))?(?: \(see above for traceback\))?(?::|\s*$)"
)
_OF_RANK = deferred(r"Traceback \(most recent call last\): \(RANK ([1-9]\d{0,6})\)")
_NAMED_HEADER = deferred(_TYPE + r": Traceback \(most recent call last\)")
_MARKS: Final = ("> ", "**", "`")
_LEVEL: Final = r"(?:INFO|WARN(?:ING)?|ERROR|DEBUG|CRITICAL|FATAL|NOTICE|TRACE)"
_LOG = deferred(
    r"\s{0,4}[\[(<]?(?:\d{4}[-/]\d\d[-/]\d\d[ T_]\d\d:|\d\d:\d\d:\d\d|[IWEF]\d{3,4} \d\d:\d\d:|"
    + _LEVEL
    + r"(?![a-z])|\{\"|\[rank)"
)
_TROUBLE = deferred(
    r"(?:ERROR|CRITICAL|FATAL|^\[?E\d{4} )|exit(?:ing|ed)|abort|giving up|terminat|shut(?:ting)? ?down", re.IGNORECASE
)
_LOGGED = deferred(
    r"WARN|ERROR|CRITICAL|EXCEPTION|fail|error|exception|skip|retry|caught|unable|could not|cannot", re.IGNORECASE
)
_SECTION = deferred(r"[=*#~-]{6,}|\+-[+-]*-{8,}")
_MARGIN = deferred(r" {0,60}[|] ?")
_RULE = deferred(r" {0,60}\+-\+?-{8,}(?: (?P<item>\d{1,5}|\.\.\.) -{8,})?$|(?: {0,60}\+-{20,}$)")
_DIRECT: Final = "The above exception was the direct cause of the following exception:"
_HANDLING: Final = "During handling of the above exception, another exception occurred:"
_MARKERS = deferred(
    r"\s*[~^└│├─]+[~^└│├─ ]*|\s*\[Previous line repeated \d+ more times?\]\s*$|\s*<\d+ (?:lines|frames) .{1,80}>$"
)


def is_header(text: str) -> bool:
    """A line that opens a Python traceback, in whatever frame or margin."""
    return _HEADER in text


def is_remote_header(text: str) -> bool:
    """A header that quotes another process's traceback."""
    return "Original Traceback (most recent call last)" in text


def of_rank(text: str) -> str:
    """Return the rank whose traceback another one prints for it, as distributed checkpoints do; empty where none is named.

    Rank 0 plans for all: what fails there need not be its own.
    """
    found = _OF_RANK.search(text)
    return found[1] if found else ""


def passes_on(text: str) -> bool:
    """An exception whose whole message is the traceback that opens on the same line: how PyTorch before 1.2 passed on errors of its workers."""
    return _HEADER in text and _NAMED_HEADER.match(text) is not None


def is_link(text: str) -> bool:
    """The sentence CPython prints between a cause and its consequence."""
    return _DIRECT in text or _HANDLING in text


def is_code(text: str) -> bool:
    """Indented source, a position marker, or a repeat count below a frame."""
    return text.startswith("  ") or text[:1] in "│╭╰\t" or _MARKERS.match(text) is not None


def is_log(text: str) -> bool:
    """A line that starts like a logger's record."""
    return _LOG.match(text) is not None


def went_on(text: str) -> bool:
    """A logger's record of a program at work, not of one that reports trouble or leaves."""
    return is_log(text) and (_TROUBLE.search(text[:200]) is None or survives(text))


def survives(text: str) -> bool:
    """A logger's record that says itself that the program goes on."""
    return is_log(text) and goes_on(text)


def announces(text: str) -> bool:
    """A logger's record that a caught exception's traceback may follow."""
    return is_log(text) and _LOGGED.search(text[:400]) is not None


def announces_end(text: str) -> bool:
    """A line that says that something failed."""
    return _LOGGED.search(text[:400]) is not None


def is_rule(text: str) -> bool:
    """A separator between the parts of a printed exception group."""
    return text.lstrip().startswith("+-") and _RULE.match(text[:200]) is not None


def is_section(text: str) -> bool:
    """A ruler line, which ends any message."""
    return _SECTION.match(text) is not None


def without_margin(text: str) -> str:
    """The line without the `|` margin of an exception group, or the marks of a page that quotes it."""
    if text.startswith(_MARKS):
        return text[2:] if text.startswith("> ") else text.strip("*`")
    found = _MARGIN.match(text) if "|" in text[:61] else None
    return text[found.end() :] if found else text


def is_sure(text: str) -> bool:
    """A line that starts with what can only be an exception's name."""
    return _SURE.match(text) is not None


def read_exception(text: str, after_frames: bool) -> tuple[str, str] | None:
    """Read `Type: message`, the line that ends a traceback; None when it is none.

    Directly below frames any type name will do; elsewhere only a name that is surely an exception's.
    """
    if not after_frames and not _SURE.match(text):
        return None
    found = _EXCEPTION.match(text)
    if found is None:
        return None
    name = found["type"]
    plain = name.partition("(")[0]
    if not plain.rpartition(".")[2][:1].isupper() and "." not in plain:
        return None
    return name, (found["message"] or "").strip()
