"""States of structured documents become matches through tables; the catalogue reads their messages first where that says more."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect import exits
from runtriage.detect.claims import evidence
from runtriage.detect.endings import ended_well
from runtriage.detect.engine import Detector
from runtriage.detect.heartbeat import aged
from runtriage.detect.states_cleared import beside, cleared, elsewhere, once, spared, stopping
from runtriage.detect.states_table import Row, claim, fitting, rows
from runtriage.detect.states_text import spoken
from runtriage.model.catalogue import Catalogue, Signature
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.taxonomy import modes

_EXIT = "exit"
_OWN_DOING = frozenset({"crash/segv", "crash/sigbus", "crash/illegal-instruction", "crash/fpe"})
"""Signals that a process brings upon itself: of the rest a container's code does not say who sent them."""
_TRACKERS = ("wandb/run", "mlflow/run")
_SURELY = 3600.0
"""Seconds by which a job outlives what its tracker heard of it before a late start of the tracker or of the job is ruled out."""
_TEXTS = 100
"""So many different messages at most are read with the catalogue; a long list of log entries repeats itself."""


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each state that means something, most telling row of the table first; at equal times that order decides."""
    states = aged([event for event in facts.events if event.kind == STATE])
    if not states:
        return
    over = cleared(states) | elsewhere(states) | beside(states) | spared(states) | stopping(states)
    told = once(event for event in states if id(event) not in over)
    told = [event for event in told if not (_unheard(event) and _went_on(event, facts))]
    fits = [(row, event) for event in told if (row := fitting(event)) is not None]
    order = {row: index for index, row in enumerate(rows())}
    read: dict[str, Signature | None] = {}
    for row, event in sorted(fits, key=lambda fit: order[fit[0]]):
        signature = None
        if row.text:
            signature = _spoken(event.captures.get("message", ""), catalogue, read)
        if signature is not None or row.mode is not None or row.status is not None:
            yield _match(event, row, signature)


def _went_on(event: Event, facts: Facts) -> bool:
    """Tell whether the run itself says more than its tracker heard: it ended well, came further, or its scheduler saw it run for longer."""
    heard = event.numbers.get("last_step")
    if heard is not None and any((entry.last_step or 0) > heard for entry in facts.progress):
        return True
    return any(ended_well(other) or _runs_longer(other, event) for other in facts.events)


def _runs_longer(job: Event, event: Event) -> bool:
    """Tell whether a scheduler sees a job still run after more time than its tracker heard of it; both are spans, no zone is compared."""
    runs = job.kind == STATE and job.name == "slurm/job" and job.captures.get("state", "").startswith("RUNNING")
    heard, spent = event.numbers.get("heard_seconds"), job.numbers.get("elapsed_seconds")
    return runs and heard is not None and spent is not None and spent > heard + _SURELY


def _unheard(event: Event) -> bool:
    """Tell whether a state only says that a tracker heard no more: a network that failed says nothing of the run."""
    return event.name in _TRACKERS and (
        "crashed" in event.captures.get("state", "") or "silent" in event.captures.get("reason", "")
    )


def _spoken(message: str, catalogue: Catalogue, read: dict[str, Signature | None]) -> Signature | None:
    """Return what the catalogue says of a message, looked up once for each message; `read` remembers."""
    if message not in read and len(read) < _TEXTS:
        read[message] = spoken(message, catalogue)
    return read.get(message)


def _match(event: Event, row: Row, signature: Signature | None) -> Match:
    mode, role, fixes = _meaning(event, row, signature)
    captures = {**event.captures}
    if row.category:
        captures["category"] = row.category
    if row.status:
        captures["routed"] = row.status
        captures["decides"] = "yes" if row.decides else "no"
    title = modes()[mode].title if mode else ""
    return Match(
        rule=f"state/{event.name}",
        mode=mode,
        role=role,
        maturity="stable",
        tier=row.tier,
        evidence=(evidence(event, claim(row.claim, event)),),
        subject=event.subject,
        start=event.when,
        count=event.count,
        captures=captures,
        numbers=event.numbers,
        events=(event,),
        fixes=fixes,
        title=signature.title if signature else title,
    )


def _meaning(event: Event, row: Row, signature: Signature | None) -> tuple[str, str, tuple[str, ...]]:
    """Return mode, role and fixes; a state that only says how the run is has no mode and is context."""
    if signature is not None:
        return signature.mode, row.role, signature.fixes or row.fixes
    if row.mode == _EXIT:
        meaning = exits.read(event)
        if meaning is not None:
            return meaning.mode, meaning.role if meaning.mode in _OWN_DOING else "symptom", meaning.fixes
        return "crash/exit-no-error", "symptom", ()
    if row.mode is None:
        return "", "context", ()
    return row.mode, row.role, row.fixes


def _remedies() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for row in rows():
        if row.mode is not None and row.mode != _EXIT:
            found[row.mode] = (*found.get(row.mode, ()), *row.fixes)
    return found


DETECTORS = (Detector(id="states", modes=(), find=find, remedies=_remedies),)
