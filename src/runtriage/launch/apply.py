"""Does a step of a plan that is safe, prints it first, and keeps a journal. Anything else is refused, whatever is asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct, to_builtins

from runtriage.launch.apply_check import Action, Admits, RefusedError, action_of
from runtriage.model.report import Report
from runtriage.redact import clean

_SECONDS: Final = 60
_SHOWN: Final = 20_000
RAN: Final = "ran"
STARTED: Final = "started"
REFUSED: Final = "refused"
FAILED: Final = "failed"
Say = Callable[[str], None]


class Applied(Struct, frozen=True):
    """What became of a step: `ran` with what it printed, `started` with where its output goes, `refused` or `failed` with the reason."""

    outcome: str
    command: str | None
    said: str


def apply(
    report: Report,
    step: int,
    command: str | None,
    journal: Path,
    say: Say | None = None,
    admits: Admits | None = None,
) -> Applied:
    """Do the step with this number (from 1). `command` is what the user gave for a step that starts the run; `say` hears the command first.

    `admits` limits which folders and processes are looked at.

    Never raises for what the report holds: a refusal is an answer, and in the journal too.
    """
    try:
        action = action_of(report, step, command, admits)
    except RefusedError as error:
        done = Applied(REFUSED, None, str(error))
        _note(journal, report, step, done)
        return done
    if say is not None:
        say(action.shown)
    done = _started(action, journal) if action.starts else _ran(action)
    _note(journal, report, step, done)
    return done


def journal_place() -> Path:
    """Return where the journal lies: the user's state folder."""
    from runtriage.store.folders import user_folder

    return user_folder("state") / "applied.jsonl"


def _ran(action: Action) -> Applied:
    try:
        done = subprocess.run(
            action.words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Applied(FAILED, action.shown, f"took longer than {_SECONDS} s")
    except OSError as error:
        return Applied(FAILED, action.shown, f"{action.words[0]}: {(error.strerror or 'cannot be started').lower()}")
    printed = clean(done.stdout[:_SHOWN].decode("utf-8", "replace"))
    cut = "\n(cut)" if len(done.stdout) > _SHOWN else ""
    return Applied(RAN, action.shown, f"{printed}{cut}\nexit code {done.returncode}".lstrip("\n"))


def _started(action: Action, journal: Path) -> Applied:
    """Start the run on its own: it outlives this process, and its output goes to a file beside the journal."""
    journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    output = journal.parent / f"started-{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.log"
    try:
        with output.open("xb") as file:
            process = subprocess.Popen(
                action.words, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
            )
    except OSError as error:
        return Applied(FAILED, action.shown, f"{action.words[0]}: {(error.strerror or 'cannot be started').lower()}")
    _running.append(process)
    return Applied(STARTED, action.shown, f"process {process.pid}; its output goes to {output}")


_running: Final[list[subprocess.Popen[bytes]]] = []
"""Held so that a started run is not taken for one that was forgotten."""


def _note(journal: Path, report: Report, step: int, done: Applied) -> None:
    entry = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "target": report.target,
        "run_id": report.run_id,
        "step": step,
        **to_builtins(done),
    }
    try:
        journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(clean(json.dumps(entry)) + "\n")
    except OSError as error:
        if sys.stderr is not None:
            sys.stderr.write(f"runtriage: {journal}: {(error.strerror or 'cannot be written').lower()}\n")
