"""Lines that begin a phase of the run, and those of a program that stops itself on a signal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import EXIT, PHASE
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import said
from runtriage.scan.launcher_signals import SIGNALS

_BEGIN: Final = r"\b(?:start(?:ing)?|begin(?:ning)?|running) (?:the )?"
_PHASES: Final = (
    (
        "eval",
        rf"\*{{3,}} Running (?:Evaluation|Prediction|validation)|{_BEGIN}(?:eval|validation|test)|Start inference on",
    ),
    (
        "train",
        rf"\*{{3,}} Running training|{_BEGIN}(?:main )?training\b|\[before the start of training step\]|Training starts at step",
    ),
    (
        "compile",
        r"\bcompiling (?:the |each )?(?:model|graph|train|step|loss|transformer)|Finished tracing \+ transforming|Compiled the model",
    ),
    ("setup", r"Distributed backend: |initializ(?:ed|ing) (?:torch )?distributed|All distributed processes registered"),
    (
        "teardown",
        r"\bdestroy(?:ing|ed) (?:the )?process group|closing signal SIG|shutting down (?:workers|process group|cleanly)",
    ),
)
_SHAPES: Final = tuple((name, deferred(regex, re.IGNORECASE)) for name, regex in _PHASES)
_NO_PHASE = deferred(r"\bto start|before|not |n't|will |when |until|failed|error", re.IGNORECASE)
_SIGNAL = deferred(
    r"(?:received|caught|got|handling|on) (?:a |the )?(?:signal )?(?P<name>signal (?P<number>\d{1,2})\b|SIG(?!nal)[A-Z]{3,5}\d?).{0,160}",
    re.IGNORECASE,
)
_STOPS = deferred(r"sav(?:e|ed|ing)|checkpoint|exit|stop|shut|terminat|finish|flush|clean", re.IGNORECASE)


def read_phase(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line that begins a phase of the run, or that says the program stops cleanly on a signal."""
    line = said(rows)
    if line is None:
        return Reading()
    words = line.words[:400]
    stop = _SIGNAL.search(words)
    if stop is not None and _STOPS.search(stop.group()) and "closing signal" not in words:
        draft = line.draft(EXIT, "signal", by="program", reason=words[:200])
        number = int(stop["number"]) if stop["number"] else SIGNALS.get(stop["name"].upper())
        if number is not None:
            draft.numbers["signal"] = float(number)
        return Reading([draft])
    for name, shape in _SHAPES:
        found = shape.search(words)
        if found is not None and not _NO_PHASE.search(words[max(0, found.start() - 24) : found.end()]):
            return Reading([line.draft(PHASE, name)])
    return Reading()
