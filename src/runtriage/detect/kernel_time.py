"""Whether a kernel record can be about this run at all: its time against the times the run's own lines cover."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXCEPTION, SIGNATURE, Event
from runtriage.model.facts import Facts
from runtriage.model.pattern import deferred
from runtriage.model.taxonomy import modes
from runtriage.model.time import Instant, apart

_NEAR: Final = 3600.0
"""Seconds around a run in which what the kernel saw may be its cause, where both print their zone."""
_ZONES: Final = 26 * 3600.0
"""Two clocks without a zone are never further apart than this by their zones alone."""
_SHOWS: Final = frozenset({"cuda-runtime", "nccl-distributed"})
"""Classes of failure in which a GPU that broke long before the run may still show."""
_WORDS: Final = deferred(r"CUDA|NCCL|cuBLAS|cuDNN|GPU", re.IGNORECASE)


class KernelTime:
    """The span of one run's own lines."""

    def __init__(self, facts: Facts, catalogue: Catalogue) -> None:
        self._kernel = {read.artifact.path for read in facts.reads if read.artifact.kind == "kernel"}
        times = [when for when in _own(facts, self._kernel) if when.dated] if self._kernel else []
        self._first = min(times, key=lambda when: when.seconds, default=None)
        self._last = max(times, key=lambda when: when.seconds, default=None)
        self._shows = bool(times) and any(_shows(event, catalogue) for event in facts.events if not self._of(event))

    def _of(self, event: Event) -> bool:
        return event.citation.artifact in self._kernel

    def misses(self, event: Event) -> bool:
        """Tell whether a kernel record lies so long before or after the run that it cannot be its cause."""
        when = event.when
        if when is None or not when.dated or self._first is None or self._last is None or not self._of(event):
            return False
        if apart(self._last, when) > _margin(when, self._last):
            return True
        return apart(when, self._first) > _margin(when, self._first) and not self._shows


def _own(facts: Facts, kernel: set[str]) -> list[Instant]:
    found: list[Instant | None] = []
    for entry in facts.progress:
        if entry.artifact not in kernel:
            found += [entry.first_progress_time, entry.last_progress_time, entry.last_line_time]
    return [when for when in found if when is not None]


def _margin(one: Instant, other: Instant) -> float:
    return _NEAR if one.zoned and other.zoned else _NEAR + _ZONES


def _shows(event: Event, catalogue: Catalogue) -> bool:
    if event.kind == EXCEPTION:
        return _WORDS.search(event.captures.get("message", "")[:500]) is not None
    signature = catalogue.signatures.get(event.name.partition("#")[0]) if event.kind == SIGNATURE else None
    return signature is not None and signature.mode in modes() and modes()[signature.mode].primary_class in _SHOWS
