"""How much of a run's time its own lines cover, and whether they reach its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.judge.status import quiet_status
from runtriage.model.facts import Facts
from runtriage.model.report import Observed
from runtriage.model.time import Instant

_ENDED: Final = frozenset({"completed", "recovered"})
"""What a run that reached its end is called where nothing else is known of it."""


def observed(facts: Facts) -> Observed:
    """Return the longest span between two dated prints of one clock.

    Prints without a date are left out: a run may be longer than a day. Times of different clocks are never compared.
    """
    spans: dict[tuple[str, bool], tuple[Instant, Instant]] = {}
    for when in _instants(facts):
        if when.dated:
            key = (when.clock, when.zoned)
            first, last = spans.get(key, (when, when))
            spans[key] = (min(first, when, key=_seconds), max(last, when, key=_seconds))
    ended = quiet_status((), facts)[0] in _ENDED
    if not spans:
        return Observed(ranks=facts.world_size, ended=ended)
    first, last = max(spans.values(), key=lambda span: (span[1].seconds - span[0].seconds, -span[0].seconds))
    hours = round((last.seconds - first.seconds) / 3600, 4)
    return Observed(first_time=first.text, last_time=last.text, hours=hours, ranks=facts.world_size, ended=ended)


def _seconds(when: Instant) -> float:
    return when.seconds


def _instants(facts: Facts) -> Iterator[Instant]:
    for item in facts.progress:
        yield from filter(None, (item.first_progress_time, item.last_progress_time, item.last_line_time))
    for event in facts.events:
        if event.when is not None:
            yield event.when
