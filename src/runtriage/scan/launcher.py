"""How processes ended, as launchers, shells and schedulers say it in one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from runtriage.model.event import EXIT
from runtriage.model.handled import goes_on
from runtriage.model.pattern import deferred
from runtriage.model.subject import NOBODY, Subject
from runtriage.scan.contract import Reading, Row
from runtriage.scan.draft import Draft
from runtriage.scan.launcher_signals import ABROAD, ALONE, LINE_ABROAD, SHELL_WORDS, SIGNALS, signal_of, spoken
from runtriage.scan.traceback_rows import Rows


class _Exit(Struct, frozen=True):
    """What one exit line says."""

    by: str
    code: int | None = None
    signal: int | None = None
    reason: str = ""
    subject: Subject = NOBODY
    binary: str = ""


_Reader = Callable[[re.Match[str]], _Exit]


def _elastic(found: re.Match[str]) -> _Exit:
    subject = Subject(local_rank=int(found["local"]), pid=int(found["pid"]))
    code = int(found["code"])
    return _Exit(
        "launcher", code, signal_of(code, shell=False), subject=subject, binary=(found["binary"] or "").strip()
    )


def _deepspeed(found: re.Match[str]) -> _Exit:
    code = int(found["code"])
    subject = Subject(local_rank=int(found["local"])) if found["local"] else NOBODY
    return _Exit("launcher", code, signal_of(code, shell=False), subject=subject)


def _mpi(found: re.Match[str]) -> _Exit:
    subject = Subject(rank=int(found["rank"]), pid=int(found["pid"] or 0) or None, node=found["node"])
    return _Exit("launcher", None, int(found["signal"]) if found["signal"] else None, subject=subject)


def _mpi_abort(found: re.Match[str]) -> _Exit:
    return _Exit("program", int(found["code"]), None, "MPI_ABORT", Subject(rank=int(found["rank"])))


def _srun(found: re.Match[str]) -> _Exit:
    rank = int(found["task"]) if found["task"].isdigit() else None
    subject = Subject(rank=rank, node=found["node"])
    if found["code"]:
        code = int(found["code"])
        return _Exit("scheduler", code, signal_of(code, shell=True), subject=subject)
    return _Exit("scheduler", None, spoken(found["word"]), found["word"].strip(), subject)


def _slurm_cancel(found: re.Match[str]) -> _Exit:
    reason = (found["due"] or "cancelled").strip().lower().replace(" ", "-")
    return _Exit("scheduler", None, None, reason, Subject(node=found["node"]) if found["node"] else NOBODY)


def _shell(found: re.Match[str]) -> _Exit:
    return _Exit(
        "shell",
        None,
        spoken(found["word"]),
        found["word"] + (" (core dumped)" if found["core"] else ""),
        Subject(pid=int(found["pid"])) if found["pid"] else NOBODY,
        (found["command"] or "").strip()[:400],
    )


def _said(found: re.Match[str]) -> _Exit:
    word = found["word"]
    return _Exit("shell", None, spoken(word), word + (" (core dumped)" if found["core"] else ""))


def _child(found: re.Match[str]) -> _Exit:
    rank = int(found["rank"])
    if found["name"]:
        return _Exit("launcher", None, SIGNALS.get(found["name"]), subject=Subject(local_rank=rank))
    code = int(found["code"])
    return _Exit("launcher", code, signal_of(code, shell=False), subject=Subject(local_rank=rank))


def _lightning(found: re.Match[str]) -> _Exit:
    rank = int(found["rank"]) if found["rank"] else None
    code = int(found["code"])
    return _Exit("launcher", code, signal_of(code, shell=False), subject=Subject(rank=rank, pid=int(found["pid"])))


def _composer(found: re.Match[str]) -> _Exit:
    code = int(found["code"])
    subject = Subject(rank=int(found["rank"]), pid=int(found["pid"]) if found["pid"] else None)
    return _Exit("launcher", code, signal_of(code, shell=False), subject=subject)


def _named(found: re.Match[str]) -> _Exit:
    return _Exit("launcher", None, int(found["signal"] or found["again"] or found["wait"]))


def _waited(found: re.Match[str]) -> _Exit:
    """Read the status that wait(2) gives: the signal in its lower seven bits, else the code in the byte above."""
    status = int(found["status"], 16)
    signal = status & 0x7F
    return _Exit("shell", None, signal) if signal else _Exit("shell", (status >> 8) & 0xFF)


def _phrase(found: re.Match[str]) -> _Exit:
    code = int(next(group for group in found.groups() if group is not None))
    return _Exit("shell", code, signal_of(code, shell=True))


_LINES: Final[tuple[tuple[re.Pattern[str], _Reader], ...]] = (
    (
        deferred(
            r"failed \(exitcode: (?P<code>-?\d{1,10})\) local_rank: (?P<local>\d{1,6}) \(pid: (?P<pid>\d{1,10})\)"
            r"(?: of binary: (?P<binary>.{1,400}))?"
        ),
        _elastic,
    ),
    (
        deferred(r"(?:--local_rank=(?P<local>\d{1,6})\b.{0,2000}?)?exits with return code = (?P<code>-?\d{1,10})"),
        _deepspeed,
    ),
    (
        deferred(
            r"noticed that process rank (?P<rank>\d{1,7}) with PID (?P<pid>\d{1,10}) on node (?P<node>[\w.:-]{1,200}) "
            r"exited on(?: signal (?P<signal>\d{1,3})|$)"
        ),
        _mpi,
    ),
    (
        deferred(r"MPI_ABORT was invoked on rank (?P<rank>\d{1,7}).{0,200}? with errorcode (?P<code>-?\d{1,9})"),
        _mpi_abort,
    ),
    (
        deferred(
            r"srun: error: (?P<node>[\w.\[\],-]{1,200}): tasks? (?P<task>[\d,-]{1,200}): "
            r"(?:Exited with exit code (?P<code>\d{1,3})|(?P<word>[A-Z][A-Za-z ]{2,40}?)(?: \(core dumped\))?\s*$)"
        ),
        _srun,
    ),
    (
        deferred(
            r"\*\*\* (?:JOB|STEP) [\w.+]{1,40} (?:ON (?P<node>[\w.-]{1,200}) )?CANCELLED AT [\dT:-]{10,30}"
            r"(?: DUE TO (?P<due>[A-Z -]{3,60}?))? \*\*\*"
        ),
        _slurm_cancel,
    ),
    (
        deferred(
            r"(?:: line \d{1,7}:|^\[\d{1,4}\] {0,2}[+-]?) {0,8}(?P<pid>\d{1,10})? {0,4}(?P<word>" + SHELL_WORDS + r")"
            r"(?P<core> {0,20}\(core dumped\))?(?: {1,40}(?P<command>\S.{0,400}))?$"
        ),
        _shell,
    ),
    (
        deferred(
            r"(?:(?:"
            + LINE_ABROAD
            + r") ?\d{1,7} ?(?:行)?|\d{1,7} 行) ?[:\uff1a] {0,8}(?P<pid>\d{1,10})? {0,4}(?P<word>"
            + ABROAD
            + r")(?P<core> {0,20}(?:\([^)\n]{2,40}\)|\uff08[^\uff09\n]{2,20}\uff09))?(?: {1,40}(?P<command>\S.{0,400}))?$"
        ),
        _shell,
    ),
    (
        deferred(r"^(?P<word>" + ALONE + r")(?P<core> {0,4}(?:\([^)\n]{2,40}\)|\uff08[^\uff09\n]{2,20}\uff09))?\s*$"),
        _said,
    ),
    (
        deferred(r"^(?:zsh: )?(?P<word>" + SHELL_WORDS + r")(?P<core> {0,4}\(core dumped\))?\s*$", re.IGNORECASE),
        _said,
    ),
    (
        deferred(
            r"^(?:torch\.multiprocessing\.spawn\.ProcessExitedException: )?process (?P<rank>\d{1,6}) terminated with "
            r"(?:signal (?P<name>SIG[A-Z0-9]{2,8})|exit code (?P<code>\d{1,3}))"
        ),
        _child,
    ),
    (
        deferred(
            r"(?:\[rank: (?P<rank>\d{1,6})\] )?Child process with PID (?P<pid>\d{1,9}) terminated with code (?P<code>-?\d{1,3})"
        ),
        _lightning,
    ),
    (
        deferred(
            r"\b[Rr]ank (?P<rank>\d{1,7}) (?:\(PID (?P<pid>\d{1,9})\) exited with code|crashed with exit code) (?P<code>-?\d{1,5})\b"
        ),
        _composer,
    ),
    (
        deferred(
            r"died with <Signals\.\w{3,12}: (?P<signal>\d{1,3})>|(?:[Cc]ommand terminated by|\b(?:exited|died|ended) (?:with|on|of|by|from)) signal (?P<again>\d{1,3})|\bW?TERMSIG[ :=(]{1,3}(?P<wait>[1-9]\d?)\b"
        ),
        _named,
    ),
    (deferred(r"\bwait ?status[ :=]{1,3}(?P<status>0x[0-9A-Fa-f]{1,4})\b"), _waited),
    (
        deferred(
            r"(?:[Ee]xit|EXIT)(?:[_ ]?(?:code|CODE|status|STATUS))?\s?[:=]\s?(-?\d{1,3})(?![\w.])"
            r"|[Ee]xit(?:ed|s|ing)? with(?: a)?(?: non-?zero)?(?: exit)? (?:code |status )?(-?\d{1,3})[.)]?\s*$"
            r"|[Ee]xit(?:ed|s|ing)?(?: with)?(?: a)?(?: non-?zero)?(?: exit)? (?:code|status):? (-?\d{1,3})(?!\w)"
            r"|(?:exit|return) ?(?:code|status)(?: of| is| was|:| =)? (-?\d{1,3})(?!\w)"
            r"|returned non-zero exit status (\d{1,3})(?!\d)"
            r"|\*\*\* \[.{1,200}\] Error (\d{1,3})$"
            r"|W&B process to finish\.{3} \(failed (\d{1,3})\)"
            r"|(?:failed|finished|completed|ended|died|done|up|TERM|KILL)(?:,| with|(?= \()) \(?(?:code|status) (\d{1,3})\)?\s*$"
            r"|(?<![\w-])(?:ended|finished|died|returned|stopped|quit|left|done)(?: with|,|:) ([1-9]\d{0,2})[^\w\n]{0,2}$"
            r"|^\++ exit ([1-9]\d{0,2})$"
            r"|^[^\w\n]{0,4}(?:[\w./-]{1,40}[:,]? )?(?:exit(?:ed)?|rc|ret(?:urn)?code)(?: [:=]? ?|[:=]|\()(\d{1,3})[^\w\n]{0,2}$"
        ),
        _phrase,
    ),
)


_OPTION = deferred(r"\s{1,8}--?[A-Za-z][\w-]{0,40}(?:[ ,=]|$)")
"""How a program's help begins to explain an option."""


def read_exit(cue: str, rows: Iterator[Row]) -> Reading:
    """Read one line that says how a process ended: by which code or signal, and who says so."""
    line = Rows(rows).take()
    if line is None or _OPTION.match(line.text):
        return Reading()
    for pattern, read in _LINES:
        if found := pattern.search(line.text):
            ended = _draft(read(found), line.start, line.end)
            if goes_on(line.text):
                ended.captures["handled"] = "yes"
            return Reading([ended])
    return Reading()


def _draft(ended: _Exit, start: int, end: int) -> Draft:
    numbers: dict[str, float] = {}
    if ended.code is not None:
        numbers["code"] = float(ended.code)
    if ended.signal is not None:
        numbers["signal"] = float(ended.signal)
    captures = {"by": ended.by}
    if ended.reason:
        captures["reason"] = ended.reason
    if ended.binary:
        captures["binary"] = ended.binary
    name = "signal" if ended.signal is not None else "exit-code" if ended.code is not None else "cancelled"
    return Draft(kind=EXIT, name=name, start=start, end=end, captures=captures, numbers=numbers, subject=ended.subject)
