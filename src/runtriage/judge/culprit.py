"""Whose failure it was: the rank, node, pod or GPU the root belongs to, or nobody in particular."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from runtriage.judge import gpus as cards
from runtriage.judge.order import Clocks, earliest
from runtriage.judge.seats import first_of_node, seated
from runtriage.model.event import EXIT, LAUNCHER
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.verdict import Incident

_SYMMETRIC_SHARE = 0.75
"""When this share of all ranks fails in the same way, no single rank is at fault."""
_SIGKILL = frozenset({"crash/sigkill-unknown", "data/worker-killed"})
"""What a rank says that was killed, or whose loader was."""
_UNREADABLE = frozenset({"crash/sigbus"})
"""The end of a process that touched a page of a mapped file which cannot be read."""
_MISMATCH = "nccl/collective-mismatch"
_WAITED = "nccl/watchdog-timeout"
"""Whoever reports it waited for somebody else."""
_BETWEEN = frozenset({"nccl/version-mismatch"})
"""Holds between ranks: the one that compares is no more at fault than the other."""
_WAITERS = 3
"""So many ranks must have waited before the only one that printed nothing is the one they waited for."""
_BROKEN = frozenset({"nccl/ib-completion-error", "nccl/unhandled-system-error", "nccl/ib-async-fatal"})
"""What a rank says whose own adapter failed; its peers only wait."""


def culprit(root: Incident, facts: Facts, ticks: Clocks) -> Subject:
    """Return the subject at fault; rank is None when the job failed as one or when nothing names a rank."""
    matches = [place(match, facts) for match in root.matches]
    first = earliest(matches, ticks)
    named = first.captures.get("culprit_rank", "")
    if named.isdigit():
        alike = {match.captures.get("culprit_rank", named) for match in matches if match.rule == first.rule}
        return replace(first.subject, rank=int(named) if len(alike) == 1 else None)
    odd = _odd_one(matches)
    if odd is not None:
        return replace(first.subject, rank=odd, local_rank=None)
    ranks = {match.subject.rank for match in matches if match.subject.rank is not None}
    if root.mode == _WAITED:
        absent = _absent(root.matches, facts)
        return replace(first.subject, rank=absent, node=first.subject.node if absent is None else None, local_rank=None)
    if root.mode in _BETWEEN or (first.scope == "job" and len(ranks) != 1) or _everybody(ranks, facts):
        return replace(first.subject, rank=None, local_rank=None)
    if (lowest := first_of_node(matches)) is not None:
        return replace(first.subject, rank=lowest, local_rank=None, gpu=None, pid=None)
    if first.subject.rank is None and len(ranks) == 1:
        return replace(first.subject, rank=next(iter(ranks)))
    nodes = {match.subject.node for match in matches if match.subject.node is not None}
    if first.subject == replace(NOBODY, attempt=first.subject.attempt) and len(nodes) == 1:
        return replace(first.subject, node=next(iter(nodes)))
    return first.subject


def _odd_one(matches: Sequence[Match]) -> int | None:
    """Return the rank that others name as the one that called something else.

    A rank compares itself with the others in their order: where the first that differs is neither of the first two, those agree with it.
    """
    said = {
        match.subject.rank: int(match.captures["peer_rank"])
        for match in matches
        if match.mode == _MISMATCH and match.captures.get("peer_rank", "").isdigit()
    }
    named = set(said.values())
    if len(named) != 1:
        return None
    odd = next(iter(named))
    return odd if len(set(said) - {odd}) > 1 or (odd > 1 and odd not in said) else None


def witnessed(subject: Subject, root: Incident, effects: Sequence[Incident], facts: Facts) -> Subject:
    """Return the subject with its rank taken from others where the root's own lines name none.

    A kernel record knows a GPU, not a rank: the rank that its peers waited for is the one. An exception without a rank prefix
    belongs to the rank that the launcher's summary in the same artifact names.
    """
    if subject.rank is not None:
        return _on_node(subject, facts)
    if root.matches[0].scope == "job" or _several(root):
        return subject
    for ranks in (
        _alike(root, effects, facts),
        _killed(root, effects),
        _awaited(effects, facts, kernel=root.matches[0].tier == "kernel"),
        _broken(root, effects),
    ):
        if len(ranks) == 1:
            return _with_rank(subject, next(iter(ranks)), effects)
    exception = root.matches[0].tier == "exception"
    named = _named_by_launcher(root, effects, facts) if exception else _of_card(root, facts)
    return subject if named is None else replace(subject, rank=named)


def _with_rank(subject: Subject, rank: int, effects: Sequence[Incident]) -> Subject:
    """Return the subject with a rank, and with the node that the lines about that rank name where its own name none."""
    about = [match.subject for item in effects for match in item.matches if match.subject.rank == rank]
    nodes = {seen.node for seen in about if seen.node}
    node = subject.node or (next(iter(nodes)) if len(nodes) == 1 else None)
    return replace(subject, rank=rank, node=node)


def _on_node(subject: Subject, facts: Facts) -> Subject:
    """Return the subject with the one node that lines about its rank name, where its own name none."""
    if subject.node is not None:
        return subject
    about = [event.subject for event in facts.events if event.subject.attempt == subject.attempt]
    nodes = {seen.node for seen in about if seen.rank == subject.rank and seen.node}
    return replace(subject, node=next(iter(nodes))) if len(nodes) == 1 else subject


def _alike(root: Incident, effects: Sequence[Incident], facts: Facts) -> set[int]:
    """Return the ranks that raised an error of the root's own class, or of which another observer tells the same."""
    same = [
        (item.mode, match) for item in effects if item.primary_class == root.primary_class for match in item.matches
    ]
    told = [place(match, facts) for mode, match in same if match.tier == "exception" or mode == root.mode]
    return {match.subject.rank for match in told if match.subject.rank is not None}


def _killed(root: Incident, effects: Sequence[Incident]) -> set[int]:
    """Return the ranks that were killed, where the root is a kill for memory or a disk whose mapped pages cannot be read."""
    ends = (
        _SIGKILL if root.mode.startswith("oom/") else _UNREADABLE if root.mode.startswith("io/") else frozenset[str]()
    )
    found = [match for item in effects if item.mode in ends for match in item.matches]
    return {match.subject.rank for match in found if match.subject.rank is not None}


def _broken(root: Incident, effects: Sequence[Incident]) -> set[int]:
    """Return the ranks whose transfers failed, where the root is a link that went down."""
    if not root.mode.startswith("net/"):
        return set()
    found = [match for item in effects if item.mode in _BROKEN for match in item.matches]
    return {match.subject.rank for match in found if match.subject.rank is not None}


def _awaited(effects: Sequence[Incident], facts: Facts, *, kernel: bool) -> set[int]:
    """Return the ranks that their peers waited for: those that were silent, those that a report of NCCL or of its recorder names, or
    the one that printed nothing where a kernel record says that something broke.
    """
    matches = [match for item in effects for match in item.matches]
    silent = {
        match.subject.rank for match in matches if match.rule == "ranks/silent" and match.subject.rank is not None
    }
    named = [
        match.captures.get("culprit_rank", "")
        for match in matches
        if match.mode.startswith(("nccl/", "gloo/", "jax/", "stall/"))
    ]
    told = silent or {int(rank) for rank in named if rank.isdigit()}
    absent = None if told or not kernel else _absent([match for match in matches if match.mode == _WAITED], facts)
    return told if absent is None else {absent}


def _absent(waiting: Sequence[Match], facts: Facts) -> int | None:
    """Return the one rank that nothing is heard of while all others waited in a collective."""
    waited = {match.subject.rank for match in waiting if match.subject.rank is not None}
    heard = {event.subject.rank for event in facts.events} | {entry.subject.rank for entry in facts.progress}
    silent = set(range(world_size(facts) or 0)) - heard
    return silent.pop() if len(silent) == 1 and len(waited) >= max(_WAITERS, (world_size(facts) or 0) - 1) else None


def _of_card(root: Incident, facts: Facts) -> int | None:
    """Return the rank of the GPU that a kernel record or a listing names, as far as its number among the node's can be told."""
    first = root.matches[0]
    numbers = {match.subject.gpu for match in root.matches if match.subject.gpu and match.subject.gpu.isdigit()}
    if len(numbers) == 1 and _single_node(facts) and root.primary_class != "nccl-distributed":
        return int(next(iter(numbers)))
    number = cards.usual(first, cards.driven(facts) or world_size(facts))
    return None if number is None else _global(first.subject.node, number, facts)


def _several(root: Incident) -> bool:
    """Tell whether more than one rank printed the root: then none of them was singled out."""
    return len({item.rank for item in root.subjects if item.rank is not None}) > 1


def _named_by_launcher(root: Incident, effects: Sequence[Incident], facts: Facts) -> int | None:
    """Return the rank that the launcher saw fail first; of one that ended by a signal only where it did not wait for others."""
    artifact = root.matches[0].evidence[0].citation.artifact
    waited = {match.subject.rank for item in effects if item.mode.startswith("nccl/") for match in item.matches}
    failed = [
        event
        for event in facts.events
        if event.kind == LAUNCHER
        and event.citation.artifact == artifact
        and event.subject.attempt == root.attempt
        and (
            event.numbers.get("code", 0) > 0 or (event.numbers.get("code", 0) < 0 and event.subject.rank not in waited)
        )
    ]
    named = [event for event in failed if event.captures.get("section") == "root-cause"]
    if not named:
        return _left_with_error(artifact, root.attempt, facts)
    return named[0].subject.rank if (world_size(facts) or 1) > len(failed) else None


def _left_with_error(artifact: str, attempt: int, facts: Facts) -> int | None:
    """Return the only rank that an artifact says left with an error of its own; its peers were ended by signals or went on."""
    ranks = {
        event.subject.rank
        for event in facts.events
        if event.kind == EXIT
        and event.citation.artifact == artifact
        and event.subject.attempt == attempt
        and event.numbers.get("code", 0) > 0
        and "signal" not in event.numbers
    }
    return next(iter(ranks)) if len(ranks) == 1 else None


def _everybody(ranks: set[int], facts: Facts) -> bool:
    size = world_size(facts)
    return size is not None and size > 1 and len(ranks) > 1 and len(ranks) >= _SYMMETRIC_SHARE * size


def world_size(facts: Facts) -> int | None:
    """Return how many ranks the job has: as printed, else one more than the highest rank seen."""
    if facts.world_size is not None:
        return facts.world_size
    ranks = [event.subject.rank for event in facts.events if event.subject.rank is not None]
    ranks += [entry.subject.rank for entry in facts.progress if entry.subject.rank is not None]
    return max(ranks) + 1 if ranks else None


def place(match: Match, facts: Facts) -> Match:
    """Fill the global rank of a match from printed evidence that ties it to a pid or a local rank."""
    subject = match.subject
    seat = seated(subject, facts)
    if seat is not None:
        return replace(match, subject=replace(subject, rank=seat))
    if subject.rank is not None:
        return _of_no_array(match, facts)
    by_pid = _ranks_by_pid(facts)
    if subject.pid is not None and subject.pid in by_pid:
        return replace(match, subject=replace(subject, rank=by_pid[subject.pid]))
    rank = cards.printed_rank(match, facts)
    rank = _of_task(match, facts) if rank is None else rank
    local = subject.local_rank if subject.local_rank is not None else cards.listed(match, facts)
    if rank is None and local is not None:
        rank = _global(subject.node, local, facts)
    return match if rank is None else replace(match, subject=replace(subject, rank=rank))


def _of_no_array(match: Match, facts: Facts) -> Match:
    """Take the rank off a match whose file is named by a task of a job array, as the scheduler's own record tells: it is no rank."""
    rank, file = match.subject.rank, f"-{match.evidence[0].citation.artifact.rpartition('/')[2]}"
    if f"_{rank}." not in file:
        return match
    jobs = {event.captures.get("job", "") for event in facts.events if event.name == "slurm/job"}
    array = any(job.endswith(f"_{rank}") and f"-{job}." in file for job in jobs)
    return replace(match, subject=replace(match.subject, rank=None)) if array else match


def _of_task(match: Match, facts: Facts) -> int | None:
    """Return the rank that a scheduler's task is, where it started the ranks itself: a launcher's tasks are nodes."""
    task = match.captures.get("tasks", "")
    launched = any(event.subject.local_rank is not None or event.kind == LAUNCHER for event in facts.events)
    return int(task) if task.isdigit() and not launched else None


def _global(node: str | None, local: int, facts: Facts) -> int | None:
    """Return the global rank of a local one: as printed, as its node's others lie, or the same where there is one node."""
    known = _ranks_by_local(facts)
    if (node, local) in known:
        return known[node, local]
    if _single_node(facts):
        return local
    firsts = {rank - number for (where, number), rank in known.items() if where == node}
    return next(iter(firsts)) + local if node is not None and len(firsts) == 1 else None


def _ranks_by_pid(facts: Facts) -> Mapping[int, int]:
    found: dict[int, int] = {}
    for event in facts.events:
        if event.subject.rank is None:
            continue
        worker = event.captures.get("pids", "")
        for pid in (event.subject.pid, int(worker) if worker.isdigit() else None):
            if pid is not None:
                found.setdefault(pid, event.subject.rank)
    return found


def _ranks_by_local(facts: Facts) -> Mapping[tuple[str | None, int], int]:
    found: dict[tuple[str | None, int], int] = {}
    for event in facts.events:
        if event.subject.local_rank is not None and event.subject.rank is not None:
            found.setdefault((event.subject.node, event.subject.local_rank), event.subject.rank)
    return found


def _single_node(facts: Facts) -> bool:
    """Tell whether a job may lie on one machine: of more ranks than that has GPUs, one machine's log is only a part."""
    if (world_size(facts) or 1) > cards.BOARD:
        return False
    nodes = {event.subject.node for event in facts.events if event.subject.node is not None}
    return len(nodes) <= 1


def nobody(subject: Subject | None) -> bool:
    """Tell whether a subject names no rank, node, pod or GPU."""
    return subject is None or replace(subject, attempt=0) == NOBODY
