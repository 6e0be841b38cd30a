"""A checkpoint that is not whole, in a run that failed while it read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import CHECKPOINT, EXCEPTION, SIGNATURE, Event
from runtriage.model.facts import Checkpoint, Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred

_MODES = ("ckpt/corrupt-zip", "ckpt/safetensors-header", "ckpt/missing-shard", "ckpt/latest-points-to-partial")
_FIXES = ("verify-checkpoint-files", "resume-from-older-checkpoint", "refetch-checkpoint", "save-atomically")
_SOON = 200
"""Lines after `loading ...` in which an exception still belongs to it (a deep traceback of several ranks is shorter)."""

_READING = ("loading", "loaded")
"""What a log says of a checkpoint it reads: many say beforehand already that they resume from it."""
_LOADS = deferred(r"(?<![a-z])(?:load|restore|resume)(?![a-z])", re.IGNORECASE)
_READERS = deferred(r"serialization\.py|safetensors|zipfile|pickle|h5py|checkpoint", re.IGNORECASE)


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each broken checkpoint that the log shows being read when something was raised.

    It is the cause where the exception itself says nothing of the file, a confirmation where a signature already does.
    """
    for item in facts.checkpoints:
        if item.valid is False:
            event = next((event for event in facts.events if _failed_on(event, item, facts)), None)
            if event is not None:
                yield _match(item, event)


def _failed_on(event: Event, item: Checkpoint, facts: Facts) -> bool:
    if event.kind == SIGNATURE and event.name.startswith("ckpt/") and not event.name.startswith("ckpt/write-failed"):
        texts = (event.excerpt, *event.captures.values())
        return any(_name(item.path) in text for text in texts)
    names = _READING if event.kind == EXCEPTION and _while_loading(event) else _READING[:1]
    return event.kind == EXCEPTION and any(
        _reads(other, item, names) and _follows(event, other) for other in facts.events
    )


def _while_loading(raised: Event) -> bool:
    """Tell whether an exception was raised by code that reads a checkpoint, as far as its traceback says."""
    told = (raised.captures.get(name, "") for name in ("source", "user_function", "function"))
    return (
        _LOADS.search(" ".join(told)) is not None or _READERS.search(raised.captures.get("raised_in", "")) is not None
    )


def _reads(event: Event, item: Checkpoint, names: Sequence[str]) -> bool:
    path = event.captures.get("path", "").rstrip("/")
    return event.kind == CHECKPOINT and event.name in names and _name(item.path) in path.split("/")


def _follows(raised: Event, reading: Event) -> bool:
    one, two = reading.citation, raised.citation
    if one.artifact != two.artifact or one.first_line is None or two.first_line is None:
        return False
    return 0 < two.first_line - one.first_line <= _SOON


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _mode(item: Checkpoint) -> str:
    problem = item.problem or ""
    if item.format == "safetensors":
        return "ckpt/safetensors-header"
    if item.format == "pointer" or "until it is finished" in problem or "written last" in problem:
        return "ckpt/latest-points-to-partial"
    return "ckpt/missing-shard" if "missing" in problem else "ckpt/corrupt-zip"


def _match(item: Checkpoint, event: Event) -> Match:
    claim = f"{item.path}, which was being read, is not whole: {item.problem}"
    return Match(
        rule="state/checkpoint-broken",
        mode=_mode(item),
        role="cause" if event.kind == EXCEPTION else "confirmation",
        maturity="stable",
        tier="exception" if event.kind == EXCEPTION else "config",
        evidence=(
            Evidence(claim=claim, citation=event.citation, excerpt=event.excerpt),
            *([Evidence(claim=f"the header of {item.path} tells it", citation=item.citation)] if item.citation else []),
        ),
        subject=event.subject,
        start=event.when,
        step=event.step,
        fixes=_FIXES,
        title="A checkpoint that was being read is not whole",
    )


DETECTORS = (Detector(id="checkpoint", modes=_MODES, find=find, remedies=lambda: dict.fromkeys(_MODES, _FIXES)),)
