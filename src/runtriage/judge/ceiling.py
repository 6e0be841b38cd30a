"""What a container that ran out of memory was allowed, what it asked for, and what its node has: whether a higher limit can help there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from runtriage.model.amount import memory, quantity
from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence
from runtriage.model.verdict import Incident

_MODE: Final = "oom/k8s-oomkilled"


def told(root: Incident, facts: Facts) -> tuple[Evidence, ...]:
    """Return limit and request of the container that ran out of memory against what its node offers to pods; nothing where unknown."""
    allowed = _allowed(root, facts)
    if allowed is None:
        return ()
    name, limit = allowed.captures.get("container", ""), allowed.captures.get("limit", "")
    request = allowed.captures.get("request", "")
    claim = f"container {name} has {_amount(limit, 'memory limit')} and {_amount(request, 'request')}"
    offer = _offer(allowed.subject.node or root.matches[0].subject.node, facts)
    if offer is not None:
        claim += f"; node {offer.subject.node} can give pods {memory(offer.captures.get('amount', ''))}"
    claims = [Evidence(claim=claim, citation=allowed.citation, excerpt=allowed.excerpt)]
    if offer is not None and (most := quantity(limit)) is not None and most >= offer.numbers.get("amount", most + 1):
        short = (
            f"the limit is no less than all that node {offer.subject.node} can give: a higher one needs a larger node"
        )
        claims.append(Evidence(claim=short, citation=offer.citation, excerpt=offer.excerpt))
    return tuple(claims)


def values(root: Incident, facts: Facts) -> dict[str, str]:
    """Return the limit under the name that remedies fill in."""
    allowed = _allowed(root, facts)
    limit = allowed.captures.get("limit", "") if allowed is not None else ""
    return {"memory_limit": memory(limit)} if limit else {}


def _allowed(root: Incident, facts: Facts) -> Event | None:
    first = root.matches[0]
    if root.mode != _MODE:
        return None
    found = [
        event
        for event in _states(facts, "k8s/container-memory")
        if first.subject.pod in (None, event.subject.pod)
        and first.captures.get("container") in (None, event.captures.get("container"))
    ]
    return found[0] if found and (first.subject.pod or len({event.subject.pod for event in found}) == 1) else None


def _offer(node: str | None, facts: Facts) -> Event | None:
    offers = [event for event in _states(facts, "k8s/node-offer") if event.captures.get("resource") == "memory"]
    return next((event for event in offers if node and event.subject.node == node), None)


def _states(facts: Facts, name: str) -> Sequence[Event]:
    return [event for event in facts.events if event.kind == STATE and event.name == name]


def _amount(text: str, what: str) -> str:
    return f"a {what} of {memory(text)}" if text else f"no {what}"
