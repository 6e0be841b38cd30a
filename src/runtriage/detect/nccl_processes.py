"""What processes say in NCCL's own log of what they run on: versions and networks that differ, and who a lost peer's address belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from runtriage.detect.claims import evidence
from runtriage.model.event import SIGNATURE, STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.subject import Subject

FIXES: Final = {
    "nccl/version-mismatch": ("dist-compare-ranks", "gpu-find-library", "dist-same-image"),
    "nccl/fallback-to-socket": ("dist-compare-ranks", "dist-list-interfaces"),
    "nccl/socket-interface": ("dist-list-interfaces", "dist-set-interface"),
}
_WORDS: Final = {
    "version": ("nccl/version-mismatch", "loaded NCCL", "versions of NCCL"),
    "network": ("nccl/fallback-to-socket", "uses network", "networks"),
}
_LOST: Final = {
    "nccl/remote-error": ("exception", "lost its connection to"),
    "nccl/connect-failed": ("log", "could not connect to"),
    "nccl/ib-completion-error": ("log", "could not transfer to"),
}
"""What is said of a peer: how trustworthy its signature is, and in words."""

Ranks = Mapping[tuple[str | None, int | None], int]
"""The global rank of each process, by its node and number."""


def differing(facts: Facts, ranks: Ranks, *, stuck: bool) -> Iterator[Match]:
    """Yield what processes of one job must have alike and have not; it is the cause where their communicator was never set up."""
    for name in _WORDS:
        told: dict[str, list[Event]] = {}
        for event in facts.events:
            if event.kind == STATE and event.name == f"nccl/{name}":
                told.setdefault(event.captures.get("value", ""), []).append(event)
        if len(told) > 1 and (stuck or name == "version"):
            yield _differs(name, sorted(told.values(), key=len), ranks, stuck=stuck)


def _differs(name: str, groups: list[list[Event]], ranks: Ranks, *, stuck: bool) -> Match:
    mode, verb, plural = _WORDS[name]
    few, many = groups[0], groups[-1]
    alone = len(few) == 1 and len(groups) == 2 and len(many) > 1
    rank = ranks.get((few[0].subject.node, few[0].subject.pid)) if alone else None
    values = [group[0].captures.get("value", "") for group in groups]
    who = _who(few[0].subject.node, [rank] if rank is not None else [])
    others = f"{len(many)} other processes" if len(many) > 1 else "another one"
    claim = (
        f"{who} {verb} {values[0]}, {others} {values[-1]}"
        if len(few) < len(many)
        else f"processes differ in their {plural}: {', '.join(sorted(values))}"
    )
    return Match(
        rule=f"nccl-log/{name}s",
        mode=mode,
        role="cause" if stuck else "confirmation",
        maturity="incubating",
        tier="log",
        evidence=(evidence(few[0], claim), evidence(many[0], f"another one {verb} {values[-1]}")),
        subject=Subject(rank=rank, node=few[0].subject.node if alone else None),
        scope="job" if rank is None else "rank",
        captures={"hang": "yes"} if rank is None else {"hang": "yes", "culprit_rank": str(rank)},
        events=(few[0],),
        fixes=FIXES[mode],
        title=claim,
    )


def lost(facts: Facts, ranks: Ranks, *, stuck: bool) -> Iterator[Match]:
    """Yield the one process that others say they lost or could not reach, where its address or name in their lines tells who it is.

    A lost connection is a consequence of what happened at its other end; one that was never made is why nothing was set up.
    """
    nodes = _nodes(facts, ranks)
    for mode, (tier, verb) in _LOST.items():
        told = [event for event in facts.events if event.kind == SIGNATURE and event.name.startswith(mode)]
        named = [event for event in told if event.captures.get("peer")]
        found = {nodes.get(_address(event.captures["peer"])) for event in named}
        node = found.pop() if len(found) == 1 else None
        members = sorted({rank for (where, _), rank in ranks.items() if where == node})
        if node is None or len(members) != 1 or any(event.excerpt.startswith(f"{node}:") for event in named):
            continue  # a process that lost itself lost its own helper thread
        peer = named[0].captures["peer"]
        lines = sum(event.count for event in named)
        claim = f"NCCL {verb} {_who(node, members)} ({peer.partition('<')[0]}{f', {lines} times' if lines > 1 else ''})"
        cause = mode == "nccl/ib-completion-error" or (stuck and mode == "nccl/connect-failed")
        yield Match(
            rule=f"nccl-log/{mode.partition('/')[2]}",
            mode=mode,
            role="cause" if cause else "symptom",
            maturity="incubating",
            tier=tier,
            evidence=(evidence(named[0], claim),),
            subject=Subject(node=node, attempt=named[0].subject.attempt),
            scope="rank",
            captures={**named[0].captures, "culprit_rank": str(members[0]), "peer_node": node},
            events=(named[0],),
            title=claim,
        )


def unreached(facts: Facts) -> Iterator[Match]:
    """Yield the node whose processes gave their peers the address of another kind of interface than all others did, where it answered nobody.

    An interface that only lives on its own node, such as a container bridge, has the same address on each: who calls it meets its own.
    """
    used = {name: _by_node(facts, name) for name in ("address", "interface")}
    refused = [
        event for event in facts.events if event.kind == SIGNATURE and event.name.startswith("nccl/connect-failed")
    ]
    for node, told in used["address"].items():
        called = [event for event in refused if _address(event.captures.get("peer", "")) == told.captures["value"]]
        own = used["interface"][node].captures["value"] if node in used["interface"] else ""
        others = {event.captures["value"] for other, event in used["interface"].items() if other != node}
        if called and own and len(others) == 1 and own not in others:
            claim = f"NCCL on {node} gave its peers the address of {own}, the others that of {others.pop()}, and nobody reached it there"
            yield Match(
                rule="nccl-log/interface",
                mode="nccl/socket-interface",
                role="cause",
                maturity="incubating",
                tier="log",
                evidence=(
                    evidence(told, claim),
                    evidence(called[0], f"could not connect to {called[0].captures['peer']}"),
                ),
                subject=Subject(node=node, attempt=called[0].subject.attempt),
                scope="node",
                captures={"interface": own},
                events=(told,),
                fixes=FIXES["nccl/socket-interface"],
                title=claim,
            )


def _by_node(facts: Facts, name: str) -> dict[str, Event]:
    """Return the first word of each node on what it uses, where all its processes use the same."""
    found: dict[str, list[Event]] = {}
    for event in facts.events:
        if event.kind == STATE and event.name == f"nccl/{name}" and event.subject.node:
            found.setdefault(event.subject.node, []).append(event)
    return {node: told[0] for node, told in found.items() if len({event.captures["value"] for event in told}) == 1}


def _nodes(facts: Facts, ranks: Ranks) -> dict[str, str]:
    """Return the node that each address and each short name stands for."""
    found = {node.partition(".")[0]: node for node, _ in ranks if node}
    for event in facts.events:
        if event.kind == STATE and event.name == "nccl/address" and event.subject.node:
            found.setdefault(_address(event.captures.get("value", "")), event.subject.node)
    return found


def _address(peer: str) -> str:
    """Return the address or short name in `10.0.0.7<40122>`, `n03.site<40122>` or `n03.site<10.0.0.7:40122>`."""
    name = peer.partition("<")[0].strip("[]")
    return name if ":" in name or name.replace(".", "").isdigit() else name.partition(".")[0]


def _who(node: str | None, ranks: list[int]) -> str:
    named = f"rank {ranks[0]}" if ranks else "a process"
    return f"{named} on {node}" if node else named
