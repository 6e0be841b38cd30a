"""Matches folded into incidents: one failure, in one attempt, however many ranks and lines report it."""

from __future__ import annotations

from collections.abc import Iterable

from runtriage.judge.order import Clocks, earliest
from runtriage.judge.outcome import TERMINAL, UNRESOLVED, Course, outcome
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.place import Citation
from runtriage.model.subject import Subject
from runtriage.model.taxonomy import GENERIC, modes
from runtriage.model.verdict import Incident

_TOGETHER = 2
"""Lines this close belong to one print."""
_NEVER = frozenset({"advice", "context"})
_PARENTS = "exit/"
"""Rules that read how a process ended from what its launcher, shell or record says."""
_HANDS_ON = "log/stage-empty"
_BARE_REASON = "Error"
"""What Kubernetes writes of a container whose process ended with any code but 0."""
_STATES = "state/"
"""Rules that read what a platform's record says."""
_Key = tuple[str, int, str, str]
"""Mode, attempt, outcome, and what else tells incidents apart."""
_PLAIN = frozenset({"raise_for_status"})
"""Functions of HTTP libraries that raise what a server answered."""


def generic(mode: str) -> bool:
    """Tell whether a mode only says that an exception was raised."""
    return mode.endswith(GENERIC)


def fold(matches: Iterable[Match], facts: Facts, ticks: Clocks) -> tuple[Incident, ...]:
    """Return incidents in order of first appearance. Advice and context never take part."""
    course = Course(facts)
    groups: dict[_Key, list[Match]] = {}
    for match in matches:
        if match.role in _NEVER or match.mode not in modes():
            continue
        key = (match.mode, match.subject.attempt, outcome(match, course), _fingerprint(match))
        groups.setdefault(key, []).append(match)
    groups = _one_death(groups)
    return tuple(
        _incident(index, key[0], key[1], key[2], group, ticks) for index, (key, group) in enumerate(groups.items())
    )


def _one_death(groups: dict[_Key, list[Match]]) -> dict[_Key, list[Match]]:
    """Join what a node's kernel or the process itself told of an end with what the platform read of the exit code: the same death, told twice."""
    for key, group in [*groups.items()]:
        platform = (key[0], key[1], UNRESOLVED, key[3])
        told = groups.get(platform, []) if key[2] == TERMINAL else []
        if told and _are_states(told) and (_on_one_node(group, told) or _of_its_pods(group, told)):
            group += groups.pop(platform)
    return groups


def _on_one_node(group: list[Match], told: list[Match]) -> bool:
    nodes = {match.subject.node for match in group}
    return None not in nodes and nodes == {match.subject.node for match in told}


def _of_its_pods(group: list[Match], told: list[Match]) -> bool:
    """Tell whether each log in which a process told its end is named after a pod whose containers ended so."""
    pods = {match.subject.pod for match in told}
    names = {match.evidence[0].citation.artifact.rpartition("/")[2] for match in group}
    return None not in pods and all(any(pod and name.startswith(pod) for pod in pods) for name in names)


def _are_states(group: list[Match]) -> bool:
    return all(match.rule.startswith(_STATES) for match in group)


def _measured(first: Match, group: list[Match]) -> Match:
    """Return the scheduler's own record, with its time and figures, where the first match is an echo without either."""
    if first.start is not None or first.numbers or first.tier != "scheduler":
        return first
    return next((match for match in group if match.start is not None and match.numbers), first)


def _own(first: Match, group: list[Match], ticks: Clocks) -> Match:
    """Return what the process said of its end itself, where the first match is only what a parent saw of it."""
    if not _of_parents(first):
        return first
    rank = first.subject.rank
    own = [match for match in group if not _of_parents(match) and (rank is None or match.subject.rank in (None, rank))]
    return earliest(own, ticks) if own else first


def _of_parents(match: Match) -> bool:
    """Tell whether all that a match rests on is the code with which a process ended."""
    return match.rule.startswith(_PARENTS) or (
        match.rule.startswith(_STATES) and match.captures.get("reason") == _BARE_REASON
    )


def _upstream(group: list[Match]) -> Match | None:
    """Return what a task said that comes before the one that failed, by the order of the workflow and whatever the clocks say."""
    return next((match for match in group if match.rule == _HANDS_ON), None)


def _telling(first: Match, group: list[Match]) -> Match:
    """Return the match that says most among those printed together with the first one."""
    where = first.evidence[0].citation
    if where.first_line is None:
        return first
    near = [match for match in group if _together(where, match.evidence[0].citation)]
    return max([first, *near], key=lambda match: len(match.numbers) + len(match.captures))


def _repeated(first: Match, group: list[Match]) -> Match:
    """Return the last of a chain that only repeats an error deep in a library, and says where the user's code met it.

    A refusal as the HTTP library words it is less telling than the error that the service's own library made of it.
    """
    if first.captures.get("chain") != "inner" or first.captures.get("user_frame"):
        return first
    plain = first.captures.get("function") in _PLAIN
    for match in group:
        if plain and match.captures.get("chain") == "outer":
            return match
        same = all(match.captures.get(name) == first.captures.get(name) for name in ("exception", "message"))
        if same and match.captures.get("chain") == "outer" and match.captures.get("user_frame"):
            return match
    return first


def _together(one: Citation, two: Citation) -> bool:
    if one.artifact != two.artifact or one.first_line is None or two.first_line is None:
        return False
    return 0 <= two.first_line - one.first_line <= _TOGETHER


def _fingerprint(match: Match) -> str:
    if not generic(match.mode):
        return match.role
    return f"{match.captures.get('exception', '')}@{match.captures.get('user_frame', '')}"


def _incident(index: int, mode: str, attempt: int, end: str, group: list[Match], ticks: Clocks) -> Incident:
    first = _upstream(group) or _repeated(
        _telling(_own(_measured(earliest(group, ticks), group), group, ticks), group), group
    )
    ordered = (first, *(match for match in group if match is not first))
    subjects: dict[Subject, None] = {match.subject: None for match in ordered}
    return Incident(
        id=f"i{index}",
        mode=mode,
        primary_class=modes()[mode].primary_class,
        role=first.role,
        attempt=attempt,
        matches=ordered,
        subjects=tuple(subjects),
        outcome=end,
        start=first.start,
        step=first.step,
        count=sum(match.count for match in group),
    )
