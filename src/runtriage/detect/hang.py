"""A process that still runs but cannot go on: stuck in the kernel, stopped, out of disk, or silent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.detect.stacks import QUIET
from runtriage.model.amount import mib
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match

_LEAST_FREE: Final = 1 << 20
_SILENT: Final = 1800.0
"""Seconds without output, without a busy CPU, after which silence alone is a finding: saves and evaluations are shorter."""
_BUSY: Final = 0.05
_KNOWN_OF: Final = ("process/state", "process/memory", "process/output", "gpu/use")
_CARDS: Final = 2
_FIXES: Final = {
    "stall/storage-read-blocked": ("stall-find-blocked", "stall-check-storage"),
    "stall/no-progress": ("stall-dump-stacks", "dist-compare-ranks"),
    "io/enospc": ("check-disk-space", "write-elsewhere", "delete-old-files"),
    "io/inode-exhaustion": ("check-disk-space", "delete-old-files"),
}


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield what holds a living process up."""
    living: list[Event] = []
    for event in facts.events:
        if event.kind != STATE:
            continue
        if event.name == "process/state":
            yield from _state(event)
        elif event.name == "process/output":
            yield from _output(event)
        if event.name.startswith(_KNOWN_OF) and event.captures.get("state", "R") in "RSDI":
            living.append(event)
    yield from _living(living)


def _state(event: Event) -> Iterator[Match]:
    letter, idle = event.captures.get("state", ""), event.numbers.get("idle_seconds", 0.0)
    quiet = event.numbers.get("run_idle_seconds", idle)
    if letter == "D" and event.numbers.get("blocked") and quiet >= QUIET:
        where = f" at {event.captures['wchan']}" if event.captures.get("wchan") else ""
        whose = "" if "idle_seconds" in event.numbers else "its run "
        claim = f"{_who(event)} is in uninterruptible sleep{where} and {whose}has written nothing for {quiet:,.0f} s"
        yield _match(event, "stall/storage-read-blocked", claim)
    elif letter in ("T", "t"):
        yield _match(
            event,
            "stall/no-progress",
            f"{_who(event)} is {event.captures.get('what', 'stopped')}: SIGCONT lets it go on",
        )
    elif letter == "S" and idle >= _SILENT and event.numbers.get("cpu", 1.0) < _BUSY:
        claim = f"{_who(event)} uses no CPU and has written nothing for {idle:,.0f} s"
        yield _match(event, "stall/no-progress", claim, "symptom")


def _living(events: Sequence[Event]) -> Iterator[Match]:
    """Yield what is said of a run that goes on, should nothing be wrong with it: of its first process, and of all below it together."""
    states = [event for event in events if event.name == "process/state"]
    groups = {event.captures.get("group", ""): event for event in events if event.name == "process/memory"}
    cards = [event for event in events if event.name == "gpu/use"]
    for event in [*states[:1], *groups.values(), *cards[:_CARDS]]:
        yield _goes_on(event, event.captures.get("message", ""))
    outputs = [event for event in events if event.name == "process/output" and "free" in event.numbers]
    if outputs:
        least = min(outputs, key=lambda event: event.numbers["free"])
        inodes = f" and {least.numbers['inodes']:,.0f} inodes" if "inodes" in least.numbers else ""
        told = f"{mib(least.numbers['free'])} MiB{inodes} are free where {least.captures.get('message', '')} lies"
        yield _goes_on(least, told)
    if len(states) > 1:
        below = states[1:]
        kinds = Counter(event.captures.get("what", "?") for event in below).most_common()
        told = ", ".join(f"{count} {what}" for what, count in kinds)
        cpu, size = (sum(event.numbers.get(name, 0.0) for event in below) for name in ("cpu", "resident"))
        claim = f"{len(below)} processes below it ({told}): {cpu:.2f} CPUs, {mib(size)} MiB resident together"
        yield _goes_on(below[0], claim)


def _goes_on(event: Event, claim: str) -> Match:
    return Match(
        rule=f"state/{event.name}",
        mode="",
        role="context",
        maturity="stable",
        tier="kernel",
        evidence=(evidence(event, claim),),
        subject=event.subject,
        captures={"living": "yes", "routed": "running", "decides": "no"},
        numbers=event.numbers,
        events=(event,),
    )


def _output(event: Event) -> Iterator[Match]:
    free, inodes = event.numbers.get("free"), event.numbers.get("inodes")
    path = event.captures.get("message", "")
    if free is not None and free < _LEAST_FREE:
        yield _match(event, "io/enospc", f"no space is left where {path} lies")
    elif inodes == 0:
        yield _match(event, "io/inode-exhaustion", f"no inode is left where {path} lies")


def _who(event: Event) -> str:
    subject = event.subject
    return f"rank {subject.rank}" if subject.rank is not None else f"process {subject.pid}"


def _match(event: Event, mode: str, claim: str, role: str = "cause") -> Match:
    return Match(
        rule=f"hang/{mode.partition('/')[2]}",
        mode=mode,
        role=role,
        maturity="stable",
        tier="kernel",
        evidence=(evidence(event, claim),),
        subject=event.subject,
        captures={"hang": "yes"},
        numbers=event.numbers,
        events=(event,),
        fixes=_FIXES[mode],
        title=claim,
    )


DETECTORS = (Detector(id="hang", modes=(), find=find, remedies=lambda: dict(_FIXES)),)
