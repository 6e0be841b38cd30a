"""Findings to verdict: the smallest set of causes that explains what was seen, or an honest abstention."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from runtriage.judge import ceiling, disagreement, phase, routing, unheard, words
from runtriage.judge.attempts import lost_progress
from runtriage.judge.cascade import cascade, unexplained
from runtriage.judge.category import category
from runtriage.judge.confidence import confidence, floor
from runtriage.judge.crowd import thinned
from runtriage.judge.culprit import culprit, nobody, place, witnessed
from runtriage.judge.incidents import fold
from runtriage.judge.lasting import lasting
from runtriage.judge.order import Clocks, clocks, precedes
from runtriage.judge.outcome import PROGRESSED, RECOVERED, UNRESOLVED, last_attempt
from runtriage.judge.pods import placed
from runtriage.judge.ruled_out import ruled_out
from runtriage.judge.score import hypotheses
from runtriage.judge.status import LIVING, came_through, failed_status, last_progress, quiet_status, told
from runtriage.judge.wanted import wanted
from runtriage.model.artifact import Unavailable
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Finding, Match
from runtriage.model.place import Citation
from runtriage.model.runai import KIND
from runtriage.model.subject import Subject
from runtriage.model.verdict import Hypothesis, Incident, Verdict

_EVIDENCE = 6
_FACTORS = 3
_FACTOR = 200
_ONE_MESSAGE = 5
"""So many lines at most a message goes on below its first one."""
_TOLD_ON = frozenset({"crash/exit-no-error", "elastic/child-failed"})
"""What a launcher says of a process that told nothing itself."""
_TRACES = frozenset({"cuda/preemptive-cleanup-xid45"})
"""What the end of a process leaves in the kernel's log: nothing is known by it alone."""
_OUTSIDE = frozenset({"kernel", "recorder"})
_BLOCKED = "stall/storage-read-blocked"
_LOST = "io/nfs-not-responding"
_WRAPPERS = ("ChildFailedError", "CalledProcessError", "ProcessExitedException")
"""Launchers' own exceptions: they repeat that a process failed and add nothing."""


class _Seen(Struct, frozen=True, kw_only=True):
    """What every verdict is drawn from; `ranked` holds a hypothesis for each incident, best first."""

    facts: Facts
    findings: Sequence[Finding]
    incidents: Sequence[Incident]
    ranked: Sequence[Hypothesis]
    ticks: Clocks


def judge(findings: Sequence[Finding], facts: Facts) -> Verdict:
    """Return the verdict on a run; never raises for what a run contains."""
    ticks = clocks(facts)
    found = [item for item in findings if isinstance(item, Match)]
    if facts.outcomes and facts.outcomes[0].request.kind.startswith(KIND):
        return _followed(findings, found, facts, ticks)
    matches = [place(item, facts) for item in thinned(routing.standing(found, facts))]
    incidents = lasting(fold(matches, facts, ticks), ticks)
    ranked = hypotheses(incidents, ticks, disagreement.good_ends(matches))
    seen = _Seen(facts=facts, findings=findings, incidents=incidents, ranked=ranked, ticks=ticks)
    best = _best(ranked)
    out = routing.decided(matches, facts) or routing.waiting(best.incident if best else None, incidents, matches, facts)
    if out is not None:
        return _routed_out(out, seen)
    says = routing.said(matches, facts)
    if best is None or best.incident is None or (routing.COMPLETED in says and _seen_from_outside(best.incident)):
        return _quiet(seen, says)
    return _failed(best, best.incident, seen)


def _followed(findings: Sequence[Finding], matches: Sequence[Match], facts: Facts, ticks: Clocks) -> Verdict:
    """Return the verdict on a workload that is diagnosed step by step: its course says what is proved."""
    from runtriage.judge import runai, runai_verdict  # no other run waits for these

    course = runai.course(matches, facts)
    if course.requests:
        return runai_verdict.unfinished(course)
    matches = runai.own(matches, course.workload)
    if course.stop is not None:
        return runai_verdict.stopped(course, course.stop, matches, facts)
    incidents = fold([place(item, facts) for item in thinned(matches)], facts, ticks)
    ranked = hypotheses(incidents, ticks)
    seen = _Seen(facts=facts, findings=findings, incidents=incidents, ranked=ranked, ticks=ticks)
    best = _best([item for item in ranked if runai_verdict.accepted(item, course, facts)])
    verdict = None if best is None or best.incident is None else _failed(best, best.incident, seen)
    return runai_verdict.settled(verdict, course, matches, facts)


def _best(ranked: Sequence[Hypothesis]) -> Hypothesis | None:
    for item in ranked:
        if item.incident is not None and _may_be_root(item.incident):
            return item
    return None


def _may_be_root(incident: Incident) -> bool:
    if incident.mode in _TRACES:
        return False
    return incident.outcome not in (RECOVERED, PROGRESSED) and incident.matches[0].maturity != "sandbox"


def _seen_from_outside(incident: Incident) -> bool:
    """Tell whether only the kernel or a recorder tells of a fault: a job that its scheduler closed as completed was not ended by it."""
    return incident.outcome == UNRESOLVED and all(match.tier in _OUTSIDE for match in incident.matches)


def _routed_out(state: Match, seen: _Seen) -> Verdict:
    word = state.captures["routed"]
    text = routing.text(word)
    subject = placed(state.subject, (state,), seen.facts)
    return Verdict(
        run_status=routing.status(word),
        primary_class=None,
        mode=None,
        confidence=0.9,
        summary=text,
        proximate="",
        root_cause=text,
        evidence=state.evidence,
        root=None if word == routing.COMPLETED else state.evidence[0].citation,
        culprit=None if nobody(subject) or word == routing.COMPLETED else subject,
        last_progress=last_progress(seen.facts, None),
        attempts=last_attempt(seen.facts) + 1,
        hypotheses=tuple(seen.ranked),
        ruled_out=ruled_out(None, seen.incidents, seen.findings, seen.ticks, settled=state.mode),
        fixes=state.fixes if word == routing.PREEMPTED else (),
        routed=word,
    )


def _quiet(seen: _Seen, says: frozenset[str]) -> Verdict:
    living = _living(seen)
    status, sure = quiet_status(seen.incidents, seen.facts, says | {LIVING} if living else says)
    progress = last_progress(seen.facts, None)
    survived = [item for item in seen.incidents if item.outcome == RECOVERED and item.role == "cause"]
    refused = any(isinstance(item, Unavailable) for item in seen.facts.outcomes)
    through = [item.matches[0].evidence[0] for item in survived]
    if status == "recovered" and not through:
        through = came_through(seen.facts)
        status = "recovered" if through else "completed"
    reads = seen.facts.reads
    blank = all(read.bytes_read <= (read.lines or 0) for read in reads)  # nothing but ends of lines
    text = words.quiet(status, progress, len(survived), refused=refused, unread=not reads, blank=blank)
    denials = disagreement.denials(seen.incidents) if status in ("completed", "recovered") else []
    shown = [*through, *denials]
    return Verdict(
        run_status=status,
        primary_class=None,
        mode=None,
        confidence=min(sure, disagreement.DOUBTED) if denials else sure,
        summary=text,
        proximate="",
        root_cause=text,
        evidence=tuple([*shown, *living][:_EVIDENCE]),
        last_progress=progress,
        attempts=last_attempt(seen.facts) + 1,
        hypotheses=tuple(seen.ranked),
        ruled_out=ruled_out(None, seen.incidents, seen.findings, seen.ticks),
        missing=wanted(None, seen.facts, ended=status != "unknown"),
        abstained="nothing in what was read says how the run ended" if status == "unknown" else None,
        routed=_routed(status) if told(sure) else None,
    )


def _living(seen: _Seen) -> list[Evidence]:
    """Return what is known of the processes of a run that goes on: their state, their memory, and where they stand."""
    told = [item for item in seen.findings if isinstance(item, Match) and item.captures.get("living") == "yes"]
    return [item.evidence[0] for item in told]


def _routed(status: str) -> str | None:
    return status if status in ("completed", "running") else None


def _failed(best: Hypothesis, root: Incident, seen: _Seen) -> Verdict:
    facts, incidents, ranked = seen.facts, seen.incidents, seen.ranked
    order = (best, *(item for item in ranked if item is not best))
    sure = confidence(order, facts)
    sure = min(sure, floor()) if _passed_on(root, facts) else sure
    sure = min(sure, unheard.DOUBTED) if unheard.unheard(root, facts) else sure
    guilty = _guilty(best, root, seen)
    progress = last_progress(facts, guilty)
    effects = cascade(best, incidents, facts)
    status = failed_status(root, incidents, heard=any(entry.last_progress for entry in facts.progress))
    abstains = sure < floor() or _passed_on(root, facts)
    return Verdict(
        run_status=status,
        primary_class=None if abstains else root.primary_class,
        mode=None if abstains else root.mode,
        secondary_classes=_secondary(root, ranked),
        confidence=sure,
        summary=words.summary(root, guilty, status, progress.last_step if progress else None),
        proximate=words.proximate(root, guilty),
        root_cause=words.cause(root, guilty, words.confirmed(facts, root.mode, root.primary_class), effects),
        contributing=_contributing(root, incidents, best, facts, seen.findings),
        evidence=(
            *_evidence(root, best, ranked, incidents, ceiling.told(root, facts)),
            *unexplained(best, facts),
            *disagreement.spoken(seen.findings),
        ),
        root=_place(root, best, incidents, seen.ticks),
        culprit=None if nobody(guilty) else guilty,
        last_progress=progress,
        attempts=last_attempt(seen.facts) + 1,
        hypotheses=order,
        cascade=effects,
        ruled_out=ruled_out(root, seen.incidents, seen.findings, seen.ticks),
        missing=wanted(root, facts),
        abstained="the evidence is too weak to name a cause" if abstains else None,
        workload_category=category(root, incidents, facts),
        deterministic=_deterministic(root, incidents),
        fixes=_fixes(root, incidents, facts),
        values={**_values(root, guilty), **ceiling.values(root, facts)},
    )


_STALLED, _STACKS = "stalled", "stacks/"


def _place(root: Incident, best: Hypothesis, incidents: Sequence[Incident], ticks: Clocks) -> Citation:
    """Return where the root is told: a process that waits for storage began to wait where the server was lost, if a line says so.

    Of a run that stood still, a stack that shows what it waits for tells more than the last line before it.
    """
    first = root.matches[0]
    if root.primary_class == _STALLED:
        told = (root, *(item for item in incidents if item.id in best.explains))
        stacks = (match for item in told for match in item.matches if match.rule.startswith(_STACKS))
        first = next((match for match in stacks if match.captures.get("waits_for")), first)
    if root.mode == _BLOCKED:
        lost = [
            match for item in incidents if item.id in best.explains and item.mode == _LOST for match in item.matches
        ]
        before = [match for match in lost if precedes(match, first, ticks)]
        first = before[0] if before else first
    return first.evidence[0].citation


def _fixes(root: Incident, incidents: Sequence[Incident], facts: Facts) -> tuple[str, ...]:
    """Return the remedies of the root, and behind them those of what the run outlived: it is no cause of this and wants mending still."""
    beside = (item for item in incidents if item is not root and item.matches[0].captures.get("outlived") == "yes")
    named = (fix for item in (root, *beside) for match in item.matches for fix in match.fixes)
    return tuple(dict.fromkeys((*phase.fixes(root, facts), *named)))


def _passed_on(root: Incident, facts: Facts) -> bool:
    """Tell whether all there is is a launcher's traceback about a program whose own output is missing, or one that was cut."""
    captures = root.matches[0].captures
    if root.role != "symptom" or any(entry.last_step is not None for entry in facts.progress):
        return False
    return captures.get("truncated") == "yes" or (
        root.mode in _TOLD_ON and "said" not in captures and ("raised_in" in captures or "bare" in captures)
    )


def _guilty(best: Hypothesis, root: Incident, seen: _Seen) -> Subject:
    explained = [item for item in seen.incidents if item.id in best.explains]
    subject = witnessed(culprit(root, seen.facts, seen.ticks), root, explained, seen.facts)
    return placed(subject, root.matches, seen.facts)


def _secondary(root: Incident, ranked: Sequence[Hypothesis]) -> tuple[str, ...]:
    found = [
        item.incident.primary_class
        for item in ranked
        if item.incident is not None
        and item.incident.primary_class != root.primary_class
        and item.incident.role == "cause"
        and _may_be_root(item.incident)
    ]
    return tuple(dict.fromkeys(found))[:3]


def _contributing(
    root: Incident,
    incidents: Sequence[Incident],
    best: Hypothesis,
    facts: Facts,
    findings: Sequence[Finding],
) -> tuple[str, ...]:
    named = [
        words.clipped(item.matches[0].evidence[0].claim, _FACTOR)
        for item in incidents
        if item is not root
        and item.matches[0].tier in ("config", "metric")
        and item.id not in best.explains
        and item.outcome != RECOVERED
    ]
    beside = [
        words.clipped(item.evidence[0].claim, _FACTOR)
        for item in findings
        if isinstance(item, Match) and item.role == "context" and item.tier == "config"
    ]
    told = [
        *phase.factors(root, facts),
        *beside,
        *named,
        *words.confirmed(facts, root.mode, root.primary_class),
        *lost_progress(facts),
    ]
    return tuple(dict.fromkeys(told))[:_FACTORS]


def _evidence(
    root: Incident,
    best: Hypothesis,
    ranked: Sequence[Hypothesis],
    incidents: Sequence[Incident],
    measured: Sequence[Evidence],
) -> tuple[Evidence, ...]:
    found = [*root.matches[0].evidence, *_named(root), *measured]
    explained = set(best.explains)
    support = [item for item in incidents if item is not root and item.id in explained]
    support.sort(key=lambda item: item.role == "symptom")
    found += [item.matches[0].evidence[0] for item in support]
    found += [
        item.incident.matches[0].evidence[0]
        for item in ranked
        if item.incident is not None and _may_be_root(item.incident)
    ]
    told = [item for item in found if not item.claim.startswith(_WRAPPERS)]
    found = told or found
    unique = {
        (item.citation.artifact, item.citation.first_line, item.citation.pointer, item.claim): item for item in found
    }
    return tuple(unique.values())[:_EVIDENCE]


def _deterministic(root: Incident, incidents: Sequence[Incident]) -> bool | None:
    others = [item for item in incidents if item.mode == root.mode and item.attempt != root.attempt]
    if not others or root.step is None:
        return None
    return all(item.step == root.step for item in others)


def _values(root: Incident, guilty: Subject) -> dict[str, str]:
    first = root.matches[0]
    known = {
        "rank": guilty.rank,
        "node": guilty.node,
        "pod": guilty.pod,
        "gpu": guilty.gpu,
        "step": root.step,
        "file": first.evidence[0].citation.artifact,
        "line": first.evidence[0].citation.first_line,
        "pid": first.subject.pid,
    }
    values = {key: str(value) for key, value in known.items() if value is not None}
    more = {key: value for match in _saying_more(root) for key, value in match.captures.items() if value}
    return {**values, **more, **{key: value for key, value in first.captures.items() if value}}


def _saying_more(root: Incident) -> list[Match]:
    """Return what names something more a few lines below the root's first line: the same message, read by the same rule."""
    first = root.matches[0]
    line = first.evidence[0].citation.last_line
    found: dict[frozenset[str], Match] = {}
    for match in root.matches[1:]:
        place = match.evidence[0].citation
        near = line is not None and place.first_line is not None and 0 < place.first_line - line <= _ONE_MESSAGE
        same = (match.rule, match.subject, place.artifact) == (
            first.rule,
            first.subject,
            first.evidence[0].citation.artifact,
        )
        names = frozenset(match.captures) - frozenset(first.captures)
        if near and same and names:
            found.setdefault(names, match)
    return list(found.values())


def _named(root: Incident) -> list[Evidence]:
    """Return the one line that names something which the root's first line does not."""
    known = {match.title for match in root.matches} | {root.matches[0].evidence[0].claim}
    return [item for match in _saying_more(root) if (item := match.evidence[0]).claim not in known][:1]
