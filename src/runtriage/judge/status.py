"""What state the run is in, and how far it came."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runtriage.judge.incidents import generic
from runtriage.judge.outcome import RECOVERED, TERMINAL, finished, last_attempt
from runtriage.model.event import CHECKPOINT, EXIT, FINISH
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation
from runtriage.model.subject import Subject
from runtriage.model.verdict import Incident

_FINAL = deferred(r"(?<![a-z])final(?![a-z])", re.IGNORECASE)
_HANG_ENDERS = frozenset(
    {"orch/time-limit", "crash/sigkill-unknown", "crash/sigterm-external", "orch/user-cancel", "crash/sighup"}
)
_STOPPED = "crash/sigint-user"
"""A person ended what stood still: whatever the program printed on its way out is of no account."""
_DEGRADED = frozenset(
    {
        "div/overfitting",
        "div/plateau-not-learning",
        "stall/throughput-collapse",
        "cuda/thermal-or-power-throttle",
        "ckpt/partial-init-warning",
        "nccl/straggler-rank",
    }
)
_WATCHED = frozenset({"metric", "log"})
_DIVERGED = frozenset({"nan/fp16-scale-floor"})


def failed_status(root: Incident, incidents: Sequence[Incident]) -> str:
    """Return crashed, hung, degraded or diverged for a run whose root is known."""
    family = root.mode.partition("/")[0]
    if root.mode in _DEGRADED or (family == "eval" and not _raised(root)):
        return "degraded"
    if root.mode in _DIVERGED or family == "div":
        return "diverged"
    ended = {item.mode for item in incidents if _ends(item)}
    if family in ("nan", "inf") and root.matches[0].tier in _WATCHED and not ended - _HANG_ENDERS:
        return "diverged"
    hangs = root.primary_class == "stalled" or root.matches[0].captures.get("hang") == "yes"
    if hangs and (_STOPPED in ended or not ended - _HANG_ENDERS):
        return "hung"
    if _never_ended(root, ended):
        return "hung"
    return "crashed"


def _raised(root: Incident) -> bool:
    return root.matches[0].tier == "exception" and root.outcome == TERMINAL


def _ends(incident: Incident) -> bool:
    return incident.outcome != RECOVERED and (
        incident.matches[0].tier in ("exception", "exit", "launcher") or incident.mode in _HANG_ENDERS
    )


def _never_ended(root: Incident, ended: set[str]) -> bool:
    return root.matches[0].tier in ("kernel", "recorder") and root.primary_class != "oom" and not ended


def quiet_status(incidents: Sequence[Incident], facts: Facts, says: frozenset[str] = frozenset()) -> str:
    """Return completed, recovered, running or unknown for a run in which nothing failed for good.

    `says` holds what the platform's states say of it.
    """
    done = finished(facts) or _exited_well(facts) or "completed" in says
    restarted = last_attempt(facts) > 0 or _restarted(facts)
    if done and (restarted or any(_survived(item, facts) for item in incidents)):
        return "recovered"
    if done or _reached_total(facts) or _kept_final(facts):
        return "completed"
    return "running" if "running" in says else "unknown"


def _survived(incident: Incident, facts: Facts) -> bool:
    """Tell whether the run came through a fault worth a name; what was only logged, or came after the end, is noise."""
    first = incident.matches[0]
    if incident.outcome != RECOVERED or incident.role != "cause" or first.tier != "exception" or generic(incident.mode):
        return False
    where = first.evidence[0].citation
    ends = [
        event.citation.byte_start or 0
        for event in facts.events
        if event.kind == FINISH and event.citation.artifact == where.artifact
    ]
    return first.captures.get("logged") != "yes" and (not ends or (where.byte_start or 0) < max(ends))


def _restarted(facts: Facts) -> bool:
    """Tell whether a launcher reported a failed process and the same log went on training afterwards."""
    failed = [
        event.citation
        for event in facts.events
        if event.kind == EXIT and event.captures.get("by") == "launcher" and event.numbers.get("code", 0) != 0
    ]
    return any(
        entry.artifact == where.artifact and _start(entry.last_progress) > (where.byte_start or 0)
        for where in failed
        for entry in facts.progress
        if entry.last_progress is not None
    )


def _kept_final(facts: Facts) -> bool:
    """Tell whether the run wrote what it calls its final checkpoint after its last step."""
    ends = [_start(entry.last_progress) for entry in facts.progress if entry.last_progress is not None]
    return bool(ends) and any(
        event.kind == CHECKPOINT
        and event.name == "saved"
        and _FINAL.search(f"{event.captures.get('path', '')} {event.excerpt}") is not None
        and (event.citation.byte_start or 0) > max(ends)
        for event in facts.events
    )


def _start(where: Citation | None) -> int:
    return (where.byte_start or 0) if where is not None else 0


def _exited_well(facts: Facts) -> bool:
    codes = [event.numbers["code"] for event in facts.events if event.kind == EXIT and "code" in event.numbers]
    return bool(codes) and codes[-1] == 0


def _reached_total(facts: Facts) -> bool:
    last = last_attempt(facts)
    return any(
        entry.total_steps is not None and entry.last_step is not None and entry.last_step >= entry.total_steps - 1
        for entry in facts.progress
        if entry.subject.attempt == last
    )


def last_progress(facts: Facts, culprit: Subject | None) -> RankProgress | None:
    """Return the progress entry that says best how far the run came: the last attempt's furthest, the culprit's own if it has one."""
    entries = [entry for entry in facts.progress if entry.last_step is not None or entry.last_epoch is not None]
    if not entries:
        return None
    newest = max(entry.subject.attempt for entry in entries)
    entries = [entry for entry in entries if entry.subject.attempt == newest]
    if culprit is not None and culprit.rank is not None:
        entries = [entry for entry in entries if entry.subject.rank == culprit.rank] or entries
    return max(entries, key=lambda entry: (entry.last_step or 0, entry.progress_lines))
