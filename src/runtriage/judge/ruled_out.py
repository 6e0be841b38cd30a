"""Why each other plausible cause is not the root, in the words of the edge or outcome that decided it."""

from __future__ import annotations

from collections.abc import Sequence

from runtriage.judge.explains import explains
from runtriage.judge.order import Clocks, precedes
from runtriage.judge.outcome import PROGRESSED, RECOVERED
from runtriage.judge.score import superseded
from runtriage.judge.words import lowered
from runtriage.model.finding import Clear, Finding
from runtriage.model.taxonomy import modes
from runtriage.model.verdict import Incident, RuledOut

_LIMIT = 12
_SETTLED = "the platform states what became of the run, and it is not this"


def ruled_out(
    root: Incident | None,
    incidents: Sequence[Incident],
    findings: Sequence[Finding],
    ticks: Clocks,
    settled: str | None = None,
) -> tuple[RuledOut, ...]:
    """Return one entry for each cause that looked plausible, most telling first, at most twelve.

    `settled` is the mode of the state that settles how a run ended which is routed out: that is no rival of itself.
    """
    found: dict[str, RuledOut] = {}
    for incident in incidents:
        if incident is root or (root is not None and incident.mode == root.mode) or incident.mode == settled:
            continue
        because = _SETTLED if settled is not None and _stands(incident) else _because(root, incident, ticks)
        if incident.mode not in found:
            found[incident.mode] = RuledOut(
                cause=incident.primary_class,
                because=f"{_title(incident)}: {because}",
                citation=incident.matches[0].evidence[0].citation,
            )
    for entry in _cleared(root, findings):
        found.setdefault(entry.because, entry)
    return tuple(list(found.values())[:_LIMIT])


def _stands(incident: Incident) -> bool:
    return incident.outcome not in (PROGRESSED, RECOVERED) and incident.matches[0].maturity != "sandbox"


def _title(incident: Incident) -> str:
    return lowered(modes()[incident.mode].title or incident.mode)


def _because(root: Incident | None, incident: Incident, ticks: Clocks) -> str:
    if incident.outcome == PROGRESSED:
        step = f" (step {incident.step})" if incident.step is not None else ""
        return f"the run went on making progress after it{step}"
    if incident.outcome == RECOVERED:
        return "the run recovered from it"
    if incident.matches[0].maturity == "sandbox":
        return "only a sandbox signature names it, and those never decide"
    if root is None:
        return "too weak to stand alone"
    reason = explains(root, incident, ticks)
    if reason:
        return f"a consequence of the root; {reason}"
    if superseded(incident, (incident, root), ticks) is root:
        return f"it ended attempt {incident.attempt + 1}, and attempt {root.attempt + 1} came to another end"
    if incident.role in ("symptom", "confirmation"):
        return "it reports a consequence; by itself it names no cause"
    if incident.matches[0].captures.get("outlived") == "yes":
        return "the run had met it again and again before, and went on; it may have a part"
    return f"less speaks for it than for the root, {_order(root, incident, ticks)}"


def _order(root: Incident, incident: Incident, ticks: Clocks) -> str:
    """Return which of the two began first, as far as places or times tell."""
    first = precedes(root.matches[0], incident.matches[0], ticks)
    if first is None:
        return "and nothing tells which of them began first"
    return "and the root began no later" if first else "though it began earlier"


def _cleared(root: Incident | None, findings: Sequence[Finding]) -> list[RuledOut]:
    if root is None or root.mode != "crash/sigkill-unknown":
        return []
    return [
        RuledOut(
            cause=modes()[item.mode].primary_class,
            because=f"not in {', '.join(item.examined[:3])}, read whole",
        )
        for item in findings
        if isinstance(item, Clear)
        and item.mode.startswith("oom/host")
        and any("dmesg" in name for name in item.examined)
    ][:1]
