"""Whether a step of a saved report may be done, and as which words. A report is a file: what it claims is checked again."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from runtriage.launch.apply_start import starts_a_run
from runtriage.model.plan import SAFE
from runtriage.model.report import PlanStep, Report

RESTART: Final = "restart-unchanged"
_READERS: Final = frozenset(
    {
        "cat",
        "df",
        "dmesg",
        "grep",
        "ibstat",
        "ip",
        "ldconfig",
        "ls",
        "nvidia-smi",
        "ps",
        "py-spy",
        "sacct",
        "sinfo",
        "ss",
    }
)
"""Programs that look and change nothing, with the words that the catalogue gives them."""
_OWN: Final = ("runtriage", "checkpoints")
"""The look of this program that a step may name; it is done by this very installation."""
_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
_OPERATORS: Final = re.compile(r"[;&|<>`$\n\r\\]|\(\s*\)")
_JOB: Final = re.compile(r"\d{1,10}(?:_\d{1,7})?")
_POINT: Final = "Point the run at "
_CHECKPOINT: Final = "{checkpoint}"


Admits = Callable[[str, str], bool]
"""Whether a value of the run may be looked at, by its name in the catalogue and itself."""


class RefusedError(Exception):
    """The step may not be done; one line that says why."""


class Action(Struct, frozen=True):
    """What is done: words of one process, how they are shown, and whether they start the run again."""

    words: tuple[str, ...]
    shown: str
    starts: bool = False


def action_of(report: Report, number: int, command: str | None, admits: Admits | None = None) -> Action:
    """Return what doing a step means; `admits` limits which folders and processes are looked at. Raises `RefusedError`."""
    if not 1 <= number <= len(report.plan):
        raise RefusedError(f"the plan has {len(report.plan)} steps; there is no step {number}")
    step = report.plan[number - 1]
    if step.risk != SAFE:
        raise RefusedError(f"its risk is {step.risk}: the user must decide and do it")
    if step.fix == RESTART:
        return _restart(step, command)
    if step.fix is None and step.action.startswith(_POINT):
        return _point(report, command)
    if command is not None:
        raise RefusedError("it takes no command of yours: it only reads")
    return _read(step, admits)


def _read(step: PlanStep, admits: Admits | None) -> Action:
    from runtriage.signatures import load

    if step.fix is None:
        raise RefusedError("it names no command of the catalogue; a person does it")
    fix = load().fixes.get(step.fix)
    if fix is None:
        raise RefusedError("the catalogue knows no such step")
    if fix.risk != SAFE:
        raise RefusedError(f"the catalogue gives it the risk {fix.risk}, whatever the report says")
    if not fix.command or not step.command:
        raise RefusedError("it names no command; a person does it")
    if step.command == fix.plain_command:
        return _literal(step.command)
    if not _PLACEHOLDER.search(fix.command):
        if step.command != fix.command:
            raise RefusedError("its command is not the catalogue's")
        return _literal(fix.command)
    return Action(_filled(fix.command, step.command, admits), step.command)


def _literal(command: str) -> Action:
    """The catalogue's own words stand as they are; a shell joins them where they are several commands."""
    parts = [shlex.split(part) for part in command.split(" | ")]
    if any(not words or words[0] not in _READERS for words in parts):
        raise RefusedError(f"{command} does more than look")
    words = tuple(parts[0]) if len(parts) == 1 else ("sh", "-c", command)
    return Action(words, command)


def _filled(template: str, command: str, admits: Admits | None) -> tuple[str, ...]:
    expected, words = shlex.split(template), _words(command)
    own = tuple(expected[:2]) == _OWN
    if len(expected) != len(words) or not (own or expected[0] in _READERS):
        raise RefusedError("its command is not the catalogue's, or does more than look")
    for want, word in zip(expected, words, strict=True):
        found = re.fullmatch("(.+)".join(map(re.escape, _PLACEHOLDER.sub("\0", want).split("\0"))), word)
        if found is None:
            raise RefusedError("its command is not the catalogue's")
        for name, value in zip(_PLACEHOLDER.findall(want), found.groups(), strict=True):
            _check_value(name, value)
            if admits is not None and not admits(name, value):
                raise RefusedError(f"the {name} it names is not among what may be read here")
    return (sys.executable, "-m", *words) if own else tuple(words)


def _check_value(name: str, value: str) -> None:
    if not value.isprintable() or value.startswith("-"):
        raise RefusedError(f"the value of {name} would be taken for an option")
    if name == "pid" and not value.isdigit():
        raise RefusedError("the process has no number")
    if name == "slurm_job":
        if not _JOB.fullmatch(value):
            raise RefusedError("the job has no number")
    elif name != "pid" and (not PurePosixPath(value).is_absolute() or ".." in PurePosixPath(value).parts):
        raise RefusedError(f"the value of {name} is no absolute path")


def _restart(step: PlanStep, command: str | None) -> Action:
    if command is None:
        raise RefusedError("give the run's own command with --command: what a log shows is not started unseen")
    words = _start(command)
    if step.command is None or words != _words(step.command):
        raise RefusedError("that is not the command the run was started with, and a changed one needs a decision")
    return Action(tuple(words), shlex.join(words), starts=True)


def _point(report: Report, command: str | None) -> Action:
    from runtriage.api.checkpoints import checkpoints
    from runtriage.targets import TargetError

    named = next((item for item in report.checkpoints if item.last_good), None)
    if named is None:
        raise RefusedError("the report names no checkpoint that is whole")
    if command is None or _CHECKPOINT not in command:
        raise RefusedError(f"give the command that resumes, with {_CHECKPOINT} where the checkpoint belongs")
    try:
        good = checkpoints(report.target).last_good
    except TargetError as error:
        raise RefusedError(f"the checkpoint cannot be looked at again: {error}") from None
    if good is None or good.path != named.path:
        raise RefusedError(f"{named.path} is no longer the newest checkpoint that is whole")
    path = str(PurePosixPath(report.target) / good.path)
    words = [word.replace(_CHECKPOINT, path) for word in _start(command)]
    return Action(tuple(words), shlex.join(words), starts=True)


def _start(command: str) -> Sequence[str]:
    words = _words(command)
    if not starts_a_run(words):
        raise RefusedError(
            "the command does not plainly start a run: a script, or a launcher of training; start it by hand"
        )
    return words


def _words(command: str) -> Sequence[str]:
    if _OPERATORS.search(command):
        raise RefusedError("the command holds an operator of a shell; only one plain command is started")
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words or any(not word.isprintable() for word in words):
        raise RefusedError("the command cannot be read as words")
    return words
