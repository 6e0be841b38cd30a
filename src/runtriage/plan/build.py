"""A verdict becomes ordered steps with this run's own values, a decision, and commands to run next."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from runtriage.model.catalogue import Catalogue
from runtriage.model.event import COMMAND, EXCEPTION, EXIT, LAUNCHER, Event
from runtriage.model.facts import Facts
from runtriage.model.pattern import deferred
from runtriage.model.plan import DANGEROUS, NEEDS_APPROVAL, SAFE, Decision, Fix, Plan, Step
from runtriage.model.verdict import Verdict
from runtriage.plan.commands import next_commands
from runtriage.plan.decision import decision
from runtriage.plan.fill import fill, fill_command
from runtriage.plan.resume import resume_steps
from runtriage.plan.slurm import job

_RISK_COST = {SAFE: 1.0, NEEDS_APPROVAL: 2.0, DANGEROUS: 6.0}
_LATER = 0.7
"""What is left of a step's score for each place it stands behind the first in its signature's own order."""
_STEPS = 5
_NAMED = deferred(r"['\"](?P<path>(?:[\w.~+=@-]*[/\\])+[^'\"]{1,400}|[\w.+=@-]{1,200}\.\w{1,12})['\"]")
_PATH = deferred(r"(?:^|[\s('\"=:])(?:[a-z][a-z0-9]{1,10}:/|~|\.{1,2}|[A-Z]:\\)?[/\\][\w.~+=@-]{1,200}")
"""A path from the root, the home or the folder of the run, or an address."""
_TIMED_OUT = 124
"""From here up exit codes are of `timeout`, of a shell that found nothing to run, or of signals."""
_HALF = deferred(
    r"(?<!b)(?:fp16|float16)|(?<![a-z])(?:half|amp)(?![a-z])|gradscaler|loss.?scale|\b16-(?:mixed|true)\b", re.I
)
_OFF = frozenset({"false", "0", "no", "off", "none", "null", ""})
_WELL = frozenset({"completed", "running", "recovered"})


def plan(verdict: Verdict, facts: Facts, catalogue: Catalogue) -> Plan:
    """Return the recovery plan: steps by impact x confidence / risk and by the place their author gave them.

    At equal score quick and reversible steps come first.
    """
    values = _values(verdict, facts)
    fixes = enumerate(catalogue.fixes[name] for name in verdict.fixes if name in catalogue.fixes)
    ranked = sorted(fixes, key=lambda item: _order(item[1], item[0], verdict.confidence))
    steps = [
        step
        for step in (_step(fix, values) for _, fix in ranked)
        if step is not None and _sensible(step, verdict, facts)
    ]
    steps = [*steps[:_STEPS], *resume_steps(verdict, facts)]
    return Plan(
        steps=tuple(steps),
        decision=_decide(steps, verdict),
        next_commands=next_commands(verdict, facts, steps),
    )


def _order(fix: Fix, place: int, confidence: float) -> tuple[float, float, bool]:
    score = _LATER**place * fix.impact * confidence / _RISK_COST.get(fix.risk, _RISK_COST[DANGEROUS])
    return (-round(score, 4), fix.minutes, not fix.reversible)


def _sensible(step: Step, verdict: Verdict, facts: Facts) -> bool:
    if step.fix == "capture-native-stack":
        return not any(event.kind == EXCEPTION and event.captures.get("fatal") == "yes" for event in facts.events)
    if step.fix == "use-bfloat16":
        return _halves(verdict, facts)
    return step.fix != "restart-unchanged" or not (verdict.deterministic or any(map(_gave_up, facts.events)))


def _halves(verdict: Verdict, facts: Facts) -> bool:
    """Tell whether anything that was read says that the run computes in float16: its scaled loss, its configuration, or what failed."""
    if "fp16" in (verdict.mode or "") or any(series.role == "loss_scale" for series in facts.series):
        return True
    if any(_HALF.search(event.excerpt) for event in facts.events):
        return True
    return any(
        _HALF.search(f"{each.name} {each.value}") and each.value.strip().lower() not in _OFF for each in facts.settings
    )


def _gave_up(event: Event) -> bool:
    """Tell whether an event is of a worker that ended with an exit code of its own: no signal, and no limit of `timeout`, ended it."""
    worker = event.subject
    known = worker.rank is not None or worker.local_rank is not None or worker.pid is not None
    own = 0 < event.numbers.get("code", 0) < _TIMED_OUT and "signal" not in event.numbers
    return event.kind in (EXIT, LAUNCHER) and known and own


def _step(fix: Fix, values: Mapping[str, str]) -> Step | None:
    action = fill(fix.action, values) or fix.plain
    if not action:
        return None
    return Step(
        action=action,
        risk=fix.risk,
        expected_impact=fix.expected_impact,
        time_to_try=_minutes(fix.minutes),
        reversible=fix.reversible,
        validate=fix.validate,
        proceeds=fix.proceeds,
        command=fill_command(fix.command, values) or fix.plain_command or None,
        fix=fix.id,
    )


def _minutes(minutes: float) -> str:
    return f"{minutes:g} min" if minutes < 60 else f"{minutes / 60:g} h"


def _decide(steps: Sequence[Step], verdict: Verdict) -> Decision:
    if verdict.primary_class is None and verdict.run_status in _WELL:
        return "GO"
    return decision(steps)


def _values(verdict: Verdict, facts: Facts) -> dict[str, str]:
    values = dict(verdict.values)
    command = next(
        (
            event.captures["command"]
            for event in facts.events
            if event.kind == COMMAND and event.captures.get("command")
        ),
        None,
    )
    if command:
        values["command"] = command
    if verdict.last_progress and verdict.last_progress.last_step is not None:
        values.setdefault("step", str(verdict.last_progress.last_step))
    message = values.get("message", "")
    named = _NAMED.search(message)
    if named or _PATH.search(message):  # a message without one says nothing of where the data should be
        values.setdefault("path_message", message)
    if named:
        values.setdefault("named_path", named["path"])
        if named["path"].startswith("/"):  # a relative one counts from where the run was started
            values.setdefault("named_file", named["path"])
    for name, value in (("folder", _folder(verdict)), ("slurm_job", job(verdict, facts))):
        if value:
            values.setdefault(name, value)
    return values


def _folder(verdict: Verdict) -> str | None:
    """Return the folder of the absolute path that the failure names; what was read itself is not meant."""
    read = verdict.root.artifact if verdict.root else None
    named = (verdict.values.get(name, "") for name in ("checkpoint", "path", "file"))
    return next((posixpath.dirname(path) for path in named if path.startswith("/") and path != read), None)
