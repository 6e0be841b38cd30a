"""A pod that waits for a node no node can be: it asks one machine for more than any has, of accelerators, CPUs or memory."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.claims import evidence
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import STATE
from runtriage.model.facts import Facts
from runtriage.model.finding import Match

_MODE = "orch/k8s-failed-scheduling"
_FIXES = ("request-fitting-resources",)
_GROWS = "TriggeredScaleUp"
_GIB = 1 << 30
_BYTES = {"memory": "GiB of memory", "ephemeral-storage": "GiB of local storage"}


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each request larger than what the largest known node offers; the scheduler must have refused it, and no node be on its way."""
    states = [event for event in facts.events if event.kind == STATE]
    refused = {
        event.subject.pod
        for event in states
        if event.captures.get("reason") in ("Unschedulable", "FailedScheduling") and event.subject.pod
    }
    refused -= {event.subject.pod for event in states if event.captures.get("reason") == _GROWS}
    offers: dict[str, float] = {}
    for event in states:
        if event.name == "k8s/node-offer":
            name = event.captures.get("resource", "")
            offers[name] = max(offers.get(name, 0.0), event.numbers.get("amount", 0.0))
    for event in states:
        name, wanted = event.captures.get("resource", ""), event.numbers.get("amount", 0.0)
        if event.name == "k8s/pod-request" and event.subject.pod in refused and wanted > offers.get(name, wanted):
            yield Match(
                rule="capacity/never-fits",
                mode=_MODE,
                role="cause",
                maturity="stable",
                tier="scheduler",
                evidence=(
                    evidence(
                        event,
                        f"the pod asks one node for {_told(wanted, name)}; the largest node offers {_told(offers[name], name)}",
                    ),
                ),
                subject=event.subject,
                captures=event.captures,
                numbers=event.numbers,
                events=(event,),
                fixes=_FIXES,
                title="The request is larger than any node",
            )


def _told(amount: float, name: str) -> str:
    if name in _BYTES:
        return f"{amount / _GIB:,.1f} {_BYTES[name]}"
    return f"{amount:g} {'CPUs' if name == 'cpu' else name}"


DETECTORS = (Detector(id="capacity", modes=(), find=find, remedies=lambda: {_MODE: _FIXES}),)
