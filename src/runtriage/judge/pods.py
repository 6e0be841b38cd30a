"""Which pod and node a root belongs to, where the documents of a platform tell more than the line that failed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from runtriage.model.event import STATE, Event
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.pattern import deferred
from runtriage.model.subject import Subject

_MEMBER = deferred(r"\b(?:master|worker|launcher|head|node|rank|ps|chief)[-_]?\d*\b", re.IGNORECASE)
_REPLICA = deferred(r"(.+)-(master|worker)-(\d{1,6})")
_KINDS = ("master", "worker")
_SUFFIXES = frozenset({".log", ".txt", ".out", ".err", ".previous", ".prev", ".json", ".gz", ".zst"})


def placed(subject: Subject, matches: Sequence[Match], facts: Facts) -> Subject:
    """Return the subject with its pod and node filled in from states; a node that a pod's own document names wins."""
    states = [event for event in facts.events if event.kind == STATE]
    homes = _homes(states)
    pod = subject.pod or _of_matches(matches) or _pod(matches, states, homes) or _alone_on(subject.node, homes)
    if pod is not None:
        rank = subject.rank if subject.rank is not None else _rank(pod, list(homes), facts)
        return replace(subject, pod=pod, node=homes.get(pod) or subject.node or _told(matches), rank=rank)
    if subject.node is None:
        return replace(subject, node=_told(matches) or _only_node(matches[0].mode, states))
    return subject


def _of_matches(matches: Sequence[Match]) -> str | None:
    """Return the one pod that the root's own records name."""
    pods = {match.subject.pod for match in matches if match.subject.pod}
    return next(iter(pods)) if len(pods) == 1 else None


def _alone_on(node: str | None, homes: Mapping[str, str | None]) -> str | None:
    """Return the one pod of the job that ran on a node."""
    pods = [pod for pod, home in homes.items() if node is not None and home == node]
    return pods[0] if len(pods) == 1 else None


def _told(matches: Sequence[Match]) -> str | None:
    """Return the one node that the root's own lines name."""
    nodes = {match.subject.node for match in matches if match.subject.node}
    return next(iter(nodes)) if len(nodes) == 1 else None


def _rank(pod: str, pods: Sequence[str], facts: Facts) -> int | None:
    """Return the rank of a pod that the training operator numbered, where each pod of the job is one rank: masters first, then workers."""
    found = _REPLICA.fullmatch(pod)
    if found is None:
        return None
    masters, workers = (sorted(name for name in pods if name.startswith(f"{found[1]}-{kind}-")) for kind in _KINDS)
    if facts.world_size is None or len(masters) != 1 or len(masters) + len(workers) != facts.world_size:
        return None
    return int(found[3]) + (len(masters) if found[2] == "worker" else 0)


def _homes(states: Sequence[Event]) -> Mapping[str, str | None]:
    """Return the node of each pod seen, in order of appearance; None where none is named."""
    homes: dict[str, str | None] = {}
    for event in states:
        if event.subject.pod:
            homes[event.subject.pod] = event.subject.node or homes.get(event.subject.pod)
    return homes


def _pod(matches: Sequence[Match], states: Sequence[Event], homes: Mapping[str, str | None]) -> str | None:
    if not homes:
        return None
    stem = _stem(matches[0].evidence[0].citation.artifact)
    named = [pod for pod in homes if _names(stem, pod)]
    if named:
        return min(named, key=lambda pod: _age(pod, states))
    text = "\n".join(match.captures.get("message", "") for match in matches)
    spoken = [pod for pod in homes if pod in text and re.search(rf"(?<![\w-]){re.escape(pod)}(?![\w-])", text)]
    if len(spoken) == 1:
        return spoken[0]
    member = None if matches[0].tier == "kernel" else _MEMBER.search(stem)
    if len(homes) == 1 and (member is None or member.group().rstrip("-_0123456789") in next(iter(homes))):
        return next(iter(homes))
    return None


def _stem(artifact: str) -> str:
    name = PurePosixPath(artifact).name
    while PurePosixPath(name).suffix in _SUFFIXES:
        name = PurePosixPath(name).stem
    return name


def _names(stem: str, pod: str) -> bool:
    """Tell whether a file is called after a pod: by its name, the end of it, or a part of it that holds a number."""
    if stem == pod or pod.endswith(f"-{stem}") or stem.startswith((f"{pod}.", f"{pod}_")):
        return True
    return any(sign.isdigit() for sign in stem) and f"-{stem}-" in pod


def _age(pod: str, states: Sequence[Event]) -> float:
    """Return the age of the pod in seconds, so that of several attempts the newest is taken: its log is the one kept."""
    ages = [
        event.numbers["age"]
        for event in states
        if event.subject.pod == pod and event.name == "k8s/pod-row" and "age" in event.numbers
    ]
    return min(ages, default=0.0)


def _only_node(mode: str, states: Sequence[Event]) -> str | None:
    """Return the one node that is down when the root is a lost node, or else the one node the job ran on."""
    wanted = "slurm/node" if mode == "orch/slurm-node-fail" else "slurm/job"
    nodes = {event.subject.node for event in states if event.name == wanted and event.subject.node}
    jobs = sum(event.name == "slurm/job" for event in states)
    if len(nodes) != 1 or (wanted == "slurm/job" and jobs != 1):
        return None
    return next(iter(nodes))
