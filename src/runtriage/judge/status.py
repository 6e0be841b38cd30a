"""What state the run is in, and how far it came."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from runtriage.judge.incidents import generic
from runtriage.judge.outcome import RECOVERED, TERMINAL, finished, last_attempt
from runtriage.judge.planned import reached
from runtriage.model.event import ATTEMPT, CHECKPOINT, CLOSING, EXCEPTION, EXIT, FINISH, RECOVERY, Event
from runtriage.model.facts import Facts, RankProgress
from runtriage.model.finding import Evidence
from runtriage.model.pattern import deferred
from runtriage.model.place import Citation, byte_of
from runtriage.model.subject import Subject
from runtriage.model.verdict import Incident

LIVING = "living"
"""What stands beside the words of platforms where processes of the run were seen."""
_SAVES = deferred(r"check ?point|ckpt|\bck\b|snapshot|\bstate\b", re.IGNORECASE)
_NUMBER = deferred(r"\d+")
_QUOTED = 160
"""Characters of a line that a claim quotes."""
_FROM_ZERO = ("epoch-zero", "last-epoch-from-zero")
"""What is said of the first epoch of those that count from 0, and of the last."""
_FINAL = deferred(r"(?<![a-z])final(?![a-z])", re.IGNORECASE)
_HANG_ENDERS = frozenset(
    {
        "orch/time-limit",
        "elastic/sigterm-siblings",
        "crash/sigkill-unknown",
        "crash/sigterm-external",
        "orch/user-cancel",
        "crash/sighup",
    }
)
_STOPPED = "crash/sigint-user"
"""A person ended what stood still: whatever the program printed on its way out is of no account."""
_DEGRADED = frozenset(
    {
        "div/overfitting",
        "div/representation-collapse",
        "div/plateau-not-learning",
        "stall/throughput-collapse",
        "cuda/thermal-or-power-throttle",
        "ckpt/partial-init-warning",
        "nccl/straggler-rank",
    }
)
_LEFT_OUT = "log/left-out"
"""A workflow of which no task failed, and some were not begun."""
_SLOWED = "stall/throughput-collapse"
_LOST = frozenset({"cuda/fell-off-bus", "cuda/ecc-uncorrectable", "cuda/illegal-memory-access"})
"""What takes every process on a GPU with it: without a step of the run, nothing tells that any of them stands still.

Source: NVIDIA's Xid catalog (79, 48 and 94, 31): the driver ends or loses what runs there.
"""
_WAITS = frozenset({"nccl/desync-report"})
"""Says who waits for whom, not that anybody gave up."""
_WATCHED = frozenset({"metric", "log"})
_EVALUATED = frozenset({"series/nonfinite-eval_loss", "series/nonfinite-eval_loss_part"})
"""Only what training is judged by is not finite: training itself went on."""
_UNSETTLED = frozenset({"series/no-better-than-baseline"})
"""Training goes on at a level that is of no use, and no further from it."""
_FED = frozenset({"data/nan-features"})
"""What makes a loss not finite from outside: where only a curve tells of it, the run ended as the curve did."""
_DIVERGED = frozenset({"nan/fp16-scale-floor"})
_TAIL = 6
"""Values of the learning rate that are looked at."""
_NOTHING = 0.01
"""What is left of a rate that has come to nothing, measured by what it was some prints before."""
_TOLD, _INFERRED, _OPEN = 0.9, 0.7, 0.5
"""How sure a status is that the run or its platform states, that what it printed last suggests, that nothing tells."""


def failed_status(root: Incident, incidents: Sequence[Incident], heard: bool = True) -> str:
    """Return crashed, hung, degraded or diverged for a run whose root is known; `heard` where anything of its progress was read."""
    family = root.mode.partition("/")[0]
    if (
        root.mode in _DEGRADED
        or root.matches[0].captures.get("hollow") == "yes"
        or root.matches[0].rule in _UNSETTLED
        or (family == "eval" and not any(_refused(item) for item in (root, *incidents)))
    ):
        return "degraded"
    if root.mode in _DIVERGED or (family == "div" and not generic(root.mode)):
        return "diverged"
    ended = {item.mode for item in incidents if _ends(item)}
    if root.matches[0].rule == _LEFT_OUT and not ended - {root.mode}:
        return "degraded"
    if (
        (family in ("nan", "inf") or root.mode in _FED)
        and root.matches[0].tier in _WATCHED
        and not ended - _HANG_ENDERS
    ):
        return "degraded" if all(match.rule in _EVALUATED for match in root.matches) else "diverged"
    hangs = root.primary_class == "stalled" or root.matches[0].captures.get("hang") == "yes"
    if hangs and (_STOPPED in ended or not ended - _HANG_ENDERS):
        return "hung"
    if "thread" in root.matches[0].captures and ended <= {root.mode} and _only_in_threads(incidents):
        return "hung"  # the rest of the program waits for a thread that is gone
    if not ended and any(item.mode == _SLOWED and item.outcome != RECOVERED for item in incidents):
        return "degraded"
    if root.mode in _LOST and not heard:
        return "crashed"
    if _never_ended(root, ended) or (root.mode in _WAITS and not ended):
        return "hung"
    return "crashed"


def _only_in_threads(incidents: Sequence[Incident]) -> bool:
    """Tell whether no exception ended the main thread."""
    raised = [match for item in incidents if _ends(item) for match in item.matches if match.tier == "exception"]
    return all("thread" in match.captures for match in raised)


def _refused(incident: Incident) -> bool:
    """Tell whether an evaluation ended the run: a check raised, or left with a sentence, because of what it measured."""
    if not incident.mode.startswith("eval/") or incident.outcome == RECOVERED:
        return False
    first = incident.matches[0]
    return first.captures.get("said") == "yes" or (first.tier == "exception" and incident.outcome == TERMINAL)


def _ends(incident: Incident) -> bool:
    return incident.outcome != RECOVERED and (
        incident.matches[0].tier in ("exception", "exit", "launcher") or incident.mode in _HANG_ENDERS
    )


def _never_ended(root: Incident, ended: set[str]) -> bool:
    dead = root.primary_class in ("oom", "process-crash") or root.mode == "orch/host-maintenance"
    return root.matches[0].tier in ("kernel", "recorder") and not dead and not ended


def quiet_status(incidents: Sequence[Incident], facts: Facts, says: frozenset[str] = frozenset()) -> tuple[str, float]:
    """Return completed, recovered, running or unknown for a run in which nothing failed for good, and how sure that is.

    `says` holds what the platform's states say of it, and `LIVING` where its processes were seen: what a log calls the end is not yet theirs.
    """
    if LIVING in says:
        return "running", _TOLD
    done = finished(facts) or _exited_well(facts) or "completed" in says
    restarted = last_attempt(facts) > 0 or _restarted(facts)
    survived = any(_survived(item, facts) for item in incidents)
    ended = done or _reached_total(facts) or _kept_final(facts)
    if (done and (restarted or _helped_itself(facts))) or (ended and survived):
        return "recovered", _TOLD
    if ended:
        return "completed", _TOLD
    if closed(facts) or _rate_ran_out(facts) or (reached(facts) and not any(map(_fails, facts.events))):
        return "completed", _INFERRED
    return ("running", _TOLD) if "running" in says else ("unknown", _OPEN)


def told(sure: float) -> bool:
    """Tell whether a status is stated by the run or its platform, and not only suggested by what was printed last."""
    return sure >= _TOLD


def came_through(facts: Facts) -> list[Evidence]:
    """Return what shows that a run came through a fault that is no incident: what it mended itself, and processes and attempts that were replaced."""
    told: dict[Citation, str] = {}
    for event in facts.events:
        if _mended(event, facts):
            told[event.citation] = f"the program went on after a fault of its own: {_short(event.excerpt)}"
        elif _replaced(event, facts):
            told[event.citation] = "a launcher reports a failed process, and the run went on after it"
        elif event.kind == ATTEMPT:
            told[event.citation] = "the run was started again here"
    return [Evidence(claim=claim, citation=where) for where, claim in told.items()]


def _short(excerpt: str) -> str:
    line = " ".join(excerpt.split())
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 3]}..."


def _helped_itself(facts: Facts) -> bool:
    """Tell whether a program that dealt with a fault of its own went on to make progress."""
    return any(_mended(event, facts) for event in facts.events)


def _mended(event: Event, facts: Facts) -> bool:
    return event.kind == RECOVERY and _went_on_after(event.citation, facts)


def _went_on_after(where: Citation, facts: Facts) -> bool:
    return any(
        entry.artifact == where.artifact
        and entry.last_progress is not None
        and byte_of(entry.last_progress) > byte_of(where)
        for entry in facts.progress
    )


def closed(facts: Facts) -> bool:
    """Tell whether a run that says no word of its end printed, behind its last step, what programs print once and last."""
    last = last_attempt(facts)
    ends = {
        entry.artifact: byte_of(entry.last_progress)
        for entry in facts.progress
        if entry.subject.attempt == last and entry.last_progress is not None
    }
    if any(_fails(event) for event in facts.events):
        return False
    said = [event for event in facts.events if event.kind == CLOSING and (not ends or event.citation.artifact in ends)]
    late = [
        event
        for event in said
        if event.name != _FROM_ZERO[0]
        and byte_of(event.citation) >= ends.get(event.citation.artifact, 0)
        and event.count == 1
        and not _of_a_step(event, facts)
    ]
    early = {event.name for event in said if byte_of(event.citation) < ends.get(event.citation.artifact, 0)}
    late = [event for event in late if event.name != _FROM_ZERO[1] or _FROM_ZERO[0] in early]
    return any(event.name not in early and not (event.name == "own" and _falls_short(facts, last)) for event in late)


def _of_a_step(event: Event, facts: Facts) -> bool:
    """Tell whether a line is of a checkpoint that is named after the last step: more of them may have been to come."""
    steps = {str(entry.last_step) for entry in facts.progress if entry.last_step is not None}
    saves = _SAVES.search(event.excerpt) is not None
    return saves and any(number.lstrip("0") in steps for number in _NUMBER.findall(event.excerpt))


def _falls_short(facts: Facts, attempt: int) -> bool:
    """Tell whether a run printed neither steps nor epochs, or had not come to the end it planned."""
    entries = [
        entry
        for entry in facts.progress
        if entry.subject.attempt == attempt and (entry.last_step is not None or entry.last_epoch is not None)
    ]
    return not entries or any(
        entry.total_steps is not None and (entry.last_step or 0) < entry.total_steps - 1 for entry in entries
    )


def _fails(event: Event) -> bool:
    """Tell whether an event is of a process that went wrong, and not only a word about it."""
    if event.kind == EXCEPTION:
        return event.captures.get("logged") != "yes" and event.captures.get("ignored") != "yes"
    return event.kind == EXIT and event.numbers.get("code") != 0


def _survived(incident: Incident, facts: Facts) -> bool:
    """Tell whether the run came through a fault worth a name; what was only logged, or came after the end, is noise."""
    first = incident.matches[0]
    if incident.outcome != RECOVERED or incident.role != "cause" or generic(incident.mode):
        return False
    if first.tier == "metric":
        return True
    if first.tier != "exception":
        return False
    where = first.evidence[0].citation
    ends = [
        byte_of(event.citation)
        for event in facts.events
        if event.kind == FINISH and event.citation.artifact == where.artifact
    ]
    return first.captures.get("logged") != "yes" and (not ends or byte_of(where) < max(ends))


def _restarted(facts: Facts) -> bool:
    """Tell whether a launcher reported a failed process and the same log went on training afterwards."""
    return any(_replaced(event, facts) for event in facts.events)


def _replaced(event: Event, facts: Facts) -> bool:
    failed = event.kind == EXIT and event.captures.get("by") == "launcher" and event.numbers.get("code", 0) != 0
    return failed and _went_on_after(event.citation, facts)


def _rate_ran_out(facts: Facts) -> bool:
    """Tell whether the learning rate fell evenly and came to nothing with the last step, as a schedule does at its planned end."""
    if any(_fails(event) for event in facts.events):
        return False
    last = last_attempt(facts)
    rates = [one for one in facts.series if one.role == "lr" and one.subject.attempt == last]
    return any(_runs_out([point.value for point in one.points[-_TAIL:]]) for one in rates)


def _runs_out(values: Sequence[float]) -> bool:
    falls = len(values) == _TAIL and all(now < before for before, now in pairwise(values))
    return falls and 0 <= values[-1] <= _NOTHING * values[0] and values[-2] > _NOTHING * values[0]


def _kept_final(facts: Facts) -> bool:
    """Tell whether the run wrote what it calls its final checkpoint after its last step."""
    ends = [byte_of(entry.last_progress) for entry in facts.progress if entry.last_progress is not None]
    return bool(ends) and any(
        event.kind == CHECKPOINT
        and event.name == "saved"
        and _FINAL.search(f"{event.captures.get('path', '')} {event.excerpt}") is not None
        and byte_of(event.citation) > max(ends)
        for event in facts.events
    )


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
