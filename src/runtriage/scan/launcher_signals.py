"""Signals by number, by name and by the words shells use, as Linux numbers them."""

from __future__ import annotations

import re
from typing import Final

SIGNALS: Final = {
    "SIGHUP": 1,
    "SIGINT": 2,
    "SIGQUIT": 3,
    "SIGILL": 4,
    "SIGTRAP": 5,
    "SIGABRT": 6,
    "SIGBUS": 7,
    "SIGFPE": 8,
    "SIGKILL": 9,
    "SIGUSR1": 10,
    "SIGSEGV": 11,
    "SIGUSR2": 12,
    "SIGPIPE": 13,
    "SIGALRM": 14,
    "SIGTERM": 15,
    "SIGCONT": 18,
    "SIGSTOP": 19,
    "SIGXCPU": 24,
    "SIGXFSZ": 25,
}
_WORDS: Final = {
    "killed": 9,
    "terminated": 15,
    "aborted": 6,
    "segmentation fault": 11,
    "bus error": 7,
    "floating point exception": 8,
    "illegal instruction": 4,
    "hangup": 1,
    "trace/breakpoint trap": 5,
    "user defined signal 1": 10,
    "user defined signal 2": 12,
    "cpu time limit exceeded": 24,
    "file size limit exceeded": 25,
    "out of memory": 9,
}
SHELL_WORDS: Final = "|".join(
    re.escape(word[0].upper() + word[1:]).replace("Cpu", "CPU")
    for word in sorted(_WORDS, key=len, reverse=True)
    if word != "out of memory"
)
"""Alternation of what a shell prints for a child that a signal ended."""


def spoken(words: str) -> int | None:
    """The signal that a shell's or srun's words stand for, or None."""
    return _WORDS.get(words.strip().lower())


def signal_of(code: int, *, shell: bool) -> int | None:
    """The signal in an exit code: negative codes always, 128 + N where a shell or container reports it."""
    if -65 < code < 0:
        return -code
    if shell and 128 < code <= 128 + 31:
        return code - 128
    return None
