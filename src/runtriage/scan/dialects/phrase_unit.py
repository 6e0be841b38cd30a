"""Lines of test runners and of searches that say which test or trial begins and what became of it.

The words are those of pytest, unittest, Optuna, the agent of Weights & Biases, Ray Tune, Hydra and Keras Tuner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import UNIT
from runtriage.model.event_names import (
    TESTS_BEGAN,
    TESTS_FAILED,
    TESTS_PASSED,
    TESTS_UNFAILED,
    TRIAL_BEGAN,
    TRIAL_FAILED,
    TRIAL_PASSED,
)
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft
from runtriage.scan.traceback_rows import Rows

CUE: Final = (
    r"={3,} (?:test session starts|FAILURES|ERRORS|warnings summary) ={3,}",
    r"[0-9] (?:passed|failed|skipped|xfailed|xpassed|errors?|warnings?|deselected|rerun)[^\n]{0,120} in [0-9.]{3,12}s",
    r"(?:FAILED|ERROR) [\w./-]{1,200}::",
    r"::[^\n]{1,300} FAILED[ \r\n]",
    r"\w \([\w.]{1,300}\) \.\.\. ?",
    r"(?:FAIL|ERROR): test\w{0,200} \(",
    r"Ran [0-9]{1,7} tests? in [0-9.]{3,12}s",
    r"Trial [0-9]{1,7} (?:finished with values?|pruned|failed with|Complete \[)",
    r"Agent Starting Run: |Cleaning up finished run: |Run \w{6,12} errored: ",
    r"Trial task failed for trial |Trial [\w-]{1,100} (?:started with configuration|completed after|errored after)",
    r"\[HYDRA\] {0,4}\t?#[0-9]{1,6} : ",
)
"""What wakes the reader."""
_RESULT: Final = r"\d+ (?:passed|failed|skipped|xfailed|xpassed|errors?|warnings?|deselected|rerun)"
_SUMMARY = deferred(rf"=*\s?{_RESULT}(?:, {_RESULT}){{0,8}} in [\d.]{{3,12}}s(?: \([\d:]{{5,12}}\))?\s?=*\s*$")
_BAD = deferred(r"\b\d+ (?:failed|errors?)\b")
_NO_FAILURES = deferred(r"={3,} warnings summary ={3,}")
"""Stands behind the failures of the same tests, where there are any."""
_RAN = deferred(r"Ran \d{1,7} tests? in [\d.]{3,12}s\s*$")
_WORDS: Final = (
    (TESTS_BEGAN, deferred(r"={3,} test session starts ={3,}|\w{1,200} \([\w.]{1,300}\) \.\.\.(?: |$)")),
    (
        TESTS_FAILED,
        deferred(
            r"={3,} (?:FAILURES|ERRORS) ={3,}|(?:FAILED|ERROR) [\w./-]{1,200}::|[\w./-]{1,200}::.{1,300} FAILED(?:\s|$)"
            r"|(?:FAIL|ERROR): test\w{0,200} \("
        ),
    ),
    (
        TRIAL_PASSED,
        deferred(
            r".{0,120}?(?:Trial \d{1,7} (?:finished with values?|pruned|Complete \[)|Cleaning up finished run: |Trial [\w-]{1,100} completed after)"
        ),
    ),
    (
        TRIAL_FAILED,
        deferred(
            r".{0,120}?(?:Trial \d{1,7} failed with|Run \w{6,12} errored: |Trial task failed for trial |Trial [\w-]{1,100} errored after)"
        ),
    ),
    (
        TRIAL_BEGAN,
        deferred(
            r".{0,120}?(?:Agent Starting Run: |Trial [\w-]{1,100} started with configuration|\[HYDRA\]\s{0,6}#\d{1,6} : )"
        ),
    ),
)
_BELOW: Final = 2
"""Lines between unittest's count of its tests and its verdict."""


def read_unit(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line of a test runner or a search, with the verdict below a count of tests."""
    lines = Rows(rows)
    line = lines.take()
    if line is None:
        return Reading()
    name, end = _name(line.text), line.end
    if _RAN.match(line.text):
        name, end = _verdict(lines) or ("", end)
    return Reading([Draft(kind=UNIT, name=name, start=line.start, end=end)] if name else [])


def _name(text: str) -> str:
    if _SUMMARY.match(text):
        return TESTS_FAILED if _BAD.search(text) else TESTS_PASSED
    if _NO_FAILURES.match(text):
        return TESTS_UNFAILED
    return next((name for name, words in _WORDS if words.match(text)), "")


def _verdict(lines: Rows) -> tuple[str, int] | None:
    for _ in range(_BELOW):
        below = lines.take()
        if below is None:
            return None
        if re.match(r"OK(?: \(|\s*$)", below.text):
            return TESTS_PASSED, below.end
        if below.text.startswith("FAILED"):
            return TESTS_FAILED, below.end
    return None
