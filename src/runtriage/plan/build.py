"""A verdict becomes ordered steps with this run's own values, a decision, and commands to run next."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence

from runtriage.model.catalogue import Catalogue
from runtriage.model.event import COMMAND
from runtriage.model.facts import Facts
from runtriage.model.pattern import deferred
from runtriage.model.plan import DANGEROUS, NEEDS_APPROVAL, SAFE, Decision, Fix, Plan, Step
from runtriage.model.verdict import Verdict
from runtriage.plan.commands import next_commands
from runtriage.plan.decision import decision
from runtriage.plan.fill import fill, fill_command
from runtriage.plan.gpus import to_share
from runtriage.plan.resume import fall_back_first, resume_steps
from runtriage.plan.sensible import sensible
from runtriage.plan.slurm import job

_RISK_COST = {SAFE: 1.0, NEEDS_APPROVAL: 2.0, DANGEROUS: 6.0}
_LATER = 0.7
"""What is left of a step's score for each place it stands behind the first in its signature's own order."""
_STEPS = 5
_NAMED = deferred(r"['\"](?P<path>(?:[\w.~+=@-]*[/\\])+[^'\"]{1,400}|[\w.+=@-]{1,200}\.\w{1,12})['\"]")
_PATH = deferred(r"(?:^|[\s('\"=:])(?:[a-z][a-z0-9]{1,10}:/|~|\.{1,2}|[A-Z]:\\)?[/\\][\w.~+=@-]{1,200}")
"""A path from the root, the home or the folder of the run, or an address."""
_HUB = deferred(
    r"https?://(?:huggingface\.co|hf\.co)/(?:api/(?:resolve-cache/)?)?(?:models/|datasets/|spaces/)?(?P<name>[\w.-]{1,96}/[\w.-]{1,96}?)(?=[/?#]|\.?$)"
)
"""An address of the Hugging Face hub: owner and name stand behind the kind of repository, or at the front."""
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
        if step is not None and sensible(step, verdict, facts)
    ]
    steps = fall_back_first(steps[:_STEPS], resume_steps(verdict, facts))
    return Plan(
        steps=tuple(steps),
        decision=_decide(steps, verdict),
        next_commands=next_commands(verdict, facts, steps),
    )


def _order(fix: Fix, place: int, confidence: float) -> tuple[float, float, bool]:
    score = _LATER**place * fix.impact * confidence / _RISK_COST.get(fix.risk, _RISK_COST[DANGEROUS])
    return (-round(score, 4), fix.minutes, not fix.reversible)


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
    found = {
        "folder": _folder(verdict),
        "slurm_job": job(verdict, facts),
        "gpus": to_share(verdict, facts),
        "repository": _repository(values),
    }
    for name, value in found.items():
        if value:
            values.setdefault(name, value)
    return values


def _folder(verdict: Verdict) -> str | None:
    """Return the folder of the absolute path that the failure names; what was read itself is not meant."""
    read = verdict.root.artifact if verdict.root else None
    named = (verdict.values.get(name, "") for name in ("checkpoint", "path", "file"))
    return next((posixpath.dirname(path) for path in named if path.startswith("/") and path != read), None)


def _repository(values: Mapping[str, str]) -> str | None:
    """Return the repository of a hub that the failure's address is of."""
    found = _HUB.match(values.get("url", ""))
    return None if found is None else found["name"].rstrip(".")
