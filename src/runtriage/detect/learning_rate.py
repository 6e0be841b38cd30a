"""A learning rate that jumped when a run went on from a checkpoint.

A rate of zero is no fault here: many logs print small rates with four decimals.
"""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import cite, finite, fired, head, middle, of_role, tail
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.series import Series

_MODE = "div/no-warmup-or-resume-lr-jump"
RATE = 5.0
"""How many times as high the rate begins after a restart as it ended before."""
WORSE = 1.5
"""Loss after going on over the loss before: a schedule that starts again raises it at once, other resumes do not."""
_FIXES = ("restore-scheduler-state",)


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each attempt that began with a far higher rate than the last one ended with, and a worse loss."""
    rates, losses = _by_attempt(facts, "lr"), _by_attempt(facts, "loss")
    for attempt, rate in rates.items():
        before, loss, lost = rates.get(attempt - 1), losses.get(attempt), losses.get(attempt - 1)
        if before is None or loss is None or lost is None:
            continue
        old, new = finite(before), finite(rate)
        if not old or not new or old[-1].value <= 0 or new[0].value < RATE * old[-1].value:
            continue
        then, now = middle(tail(finite(lost))), middle(head(finite(loss)))
        if then <= 0 or now < WORSE * then:
            continue
        claim = f"{rate.name} was {old[-1].value:g} when attempt {attempt - 1} ended and {new[0].value:g} when attempt {attempt} began"
        also = Evidence(claim=f"{loss.name} went from {then:g} to {now:g}", citation=cite(loss, loss.points[0]))
        yield fired(
            "learning-rate-jump",
            _MODE,
            rate,
            new[0],
            claim,
            fixes=_FIXES,
            numbers={"before": old[-1].value, "after": new[0].value},
            also=(also,),
            title="The learning rate jumped when the run went on",
        )


def _by_attempt(facts: Facts, role: str) -> dict[int, Series]:
    """Return the longest series of a role in each attempt, of those that are told apart by attempt."""
    found: dict[int, Series] = {}
    for series in facts.series:
        known = found.get(series.subject.attempt)
        if series.role == role and (known is None or series.total > known.total) and finite(series):
            found[series.subject.attempt] = series
    return found


DETECTORS = (
    Detector(
        id="learning-rate",
        modes=(_MODE,),
        find=find,
        remedies=lambda: {_MODE: _FIXES},
        needs=lambda facts: () if any(of_role(facts, "lr")) else ("a series of the learning rate",),
    ),
)
