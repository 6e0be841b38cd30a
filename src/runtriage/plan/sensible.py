"""Which remedies of a failure mode make sense for this very run."""

from __future__ import annotations

import re

from runtriage.model.event import EXCEPTION, EXIT, LAUNCHER, Event
from runtriage.model.facts import Facts
from runtriage.model.pattern import deferred
from runtriage.model.plan import Step
from runtriage.model.verdict import Verdict

_TIMED_OUT = 124
"""From here up exit codes are of `timeout`, of a shell that found nothing to run, or of signals."""
_HALF = deferred(
    r"(?<!b)(?:fp16|float16)|(?<![a-z])(?:half|amp)(?![a-z])|gradscaler|loss.?scale|\b16-(?:mixed|true)\b", re.I
)
_OFF = frozenset({"false", "0", "no", "off", "none", "null", ""})
_ASKED = deferred(r"(?P<number>\d{1,18}(?:\.\d{1,6})?) ?(?P<unit>bytes|[KMGT]iB)")
_UNITS = {"bytes": 1.0, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30, "TiB": 2.0**40}
_LARGE = 2.0**30
"""From here up, in bytes, one refused request is a reason of its own; what is smaller is the last straw of many."""


def sensible(step: Step, verdict: Verdict, facts: Facts) -> bool:
    """Tell whether a step fits what was read of the run."""
    if step.fix == "split-large-allocation":
        return _large(verdict.values.get("asked", ""))
    if step.fix == "capture-native-stack":
        return not any(event.kind == EXCEPTION and event.captures.get("fatal") == "yes" for event in facts.events)
    if step.fix == "use-bfloat16":
        return _halves(verdict, facts)
    return step.fix != "restart-unchanged" or not (verdict.deterministic or any(map(_gave_up, facts.events)))


def _halves(verdict: Verdict, facts: Facts) -> bool:
    """Tell whether anything that was read says that the run computes in float16: its scaled loss, its configuration, or what failed."""
    if "fp16" in (verdict.mode or "") or any(series.role == "loss_scale" for series in facts.series):
        return True
    if any(_HALF.search(event.excerpt) for event in facts.events):
        return True
    return any(
        _HALF.search(f"{each.name} {each.value}") and each.value.strip().lower() not in _OFF for each in facts.settings
    )


def _gave_up(event: Event) -> bool:
    """Tell whether an event is of a worker that ended with an exit code of its own: no signal, and no limit of `timeout`, ended it."""
    worker = event.subject
    known = worker.rank is not None or worker.local_rank is not None or worker.pid is not None
    own = 0 < event.numbers.get("code", 0) < _TIMED_OUT and "signal" not in event.numbers
    return event.kind in (EXIT, LAUNCHER) and known and own


def _large(asked: str) -> bool:
    found = _ASKED.match(asked)
    return found is None or float(found["number"]) * _UNITS[found["unit"]] >= _LARGE
