"""Workflow documents for a person, in plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from runtriage.render.visible import visible

Document = Mapping[str, Any]
_WORDS: Final = {True: "holds", False: "FAILS", None: "not known"}


def state(found: Document) -> str:
    """Return a run's state, its stages, what blocks it and the one next move."""
    return _text(_state(found))


def runs(found: Document) -> str:
    """Return the list of runs."""
    return _text(_runs(found))


def artifacts(found: Document) -> str:
    """Return declared outputs by stage and what lies under the run."""
    return _text(_artifacts(found))


def log(found: Document) -> str:
    """Return which source answered, then the log."""
    return _text(_log(found))


def accelerators(found: Document) -> str:
    """Return what can be requested and what the nodes offer."""
    return _text(_accelerators(found))


def differences(found: Document) -> str:
    """Return what differs between two runs."""
    return _text(_differences(found))


def _state(found: Document) -> Iterator[str]:
    life, decision = found["workflow_lifecycle"], found["decision"]
    yield f"Run: {found['run_id']} ({found['workflow_name'] or 'workflow not known'})"
    yield f"Status: {found['status']}"
    if found["status"] != found["last_known"]["state"]:
        yield f"Last known: {found['last_known']['state']} (from {found['last_known']['source']})"
    trust = "yes" if found["automation_may_trust_state"] else "no"
    yield f"Verification: {found['verification_status']} · automation may trust it: {trust}"
    if found["live_verification"]["reason"]:
        yield f"  {found['live_verification']['reason']}"
    if life:
        done = "recorded" if life["completion_recorded"] else "not recorded"
        yield f"Lifecycle: {life['status']} at {life['updated_at'] or 'an unknown time'} (from {life['source']}) · completion {done} · driver liveness {life['driver_liveness']}"
    yield from _stages(found)
    for blocker in found["blockers"]:
        yield f"Blocked: pod {blocker['pod']}: {blocker['reason']} [{blocker['reason_code']}] {blocker['message']}"
        if blocker["check_command"]:
            yield f"  check: {blocker['check_command']}"
    if found.get("measured"):
        yield f"Measured: {', '.join(f'{name} {value}' for name, value in found['measured'].items())}"
    for note in found["diagnostics"]:
        yield f"Note: {note}"
    code = f" · {found['reason_code']}" if found["reason_code"] else ""
    yield f"Class: {found['class']}{code}"
    if found["failing_stage"]:
        yield f"Failing stage: {found['failing_stage']}"
    if found["cause"]["text"]:
        yield f"Because: {found['cause']['text']}{_cited(found['cause']['citation'])}"
    yield from _decision(decision)


def _stages(found: Document) -> Iterator[str]:
    if found["stages"]:
        yield "Stages:"
    for key, stage in found["stages"].items():
        words = [f"job {stage['managed_job_id'] or '-'}"]
        if stage["raw_job_scheduler_state"]:
            words.append(f"queue {stage['raw_job_scheduler_state']}")
        if stage["retry_count"]:
            words.append(f"{stage['retry_count']} retries")
        words += [f"{output['uri']} {output['state']}" for output in stage["outputs"] if output["state"] != "valid"]
        if stage["outcome_conflict"]:
            words.append("its records contradict each other")
        yield f"  {stage['index']}. {key}: {stage['state']} ({', '.join(words)})"
    if found["not_run"]:
        yield f"  not run: {', '.join(found['not_run'])}"


def _decision(decision: Document) -> Iterator[str]:
    yield f"Decision: {decision['decision']}{' (after cancelling)' if decision['cancel_first'] else ''}"
    yield f"  {decision['because']}"
    for check in decision["preconditions"]:
        yield f"  - {_WORDS[check['holds']]}: {check['text']}{_cited(check['citation'])}"
    if decision["cancel_command"]:
        yield f"  first:  {decision['cancel_command']}"
    if decision["command"]:
        yield f"  {'then:  ' if decision['cancel_command'] else ''}{decision['command']}"
    if decision["explicit_operator_only"]:
        yield "  only a person may decide this; no automation should"


def _cited(citation: Document | None) -> str:
    return (
        f" ({citation['artifact']}{'#' + citation['pointer'] if citation.get('pointer') else ''})" if citation else ""
    )


def _runs(found: Document) -> Iterator[str]:
    for row in found["runs"]:
        yield f"{row['updated_at'] or '-':<22} {row['recorded_state']:<22} {row['run_id']:<32} {row['workflow_name']:<24} {row['run_prefix_uri']}"
    yield f"{len(found['runs'])} of {found['total']} runs under {found['parent']}"
    for row in found["unreadable"]:
        yield f"not readable: {row['prefix']} ({row['reason']})"


def _artifacts(found: Document) -> Iterator[str]:
    yield f"Run: {found['run_id']} · {found['state']}"
    if found["reason"]:
        yield f"  {found['reason']}"
    for stage in found["stages"]:
        yield f"{stage['stage']}: {stage['state']}"
        for output in stage["declared"]:
            size = f", {output['size']} bytes" if "size" in output else ""
            yield f"  {output['state']:<13} {output['uri']}{size}"
        if not stage["declared"]:
            yield "  declares no outputs"
    if found["first_stage_without_outputs"]:
        yield f"First stage without all its outputs: {found['first_stage_without_outputs']}"
    yield f"{len(found['artifacts'])}{' or more' if found['artifacts_cut'] else ''} objects under the run:"
    yield from (f"  {row['size']:>12} {row['uri']}" for row in found["artifacts"])


def _log(found: Document) -> Iterator[str]:
    yield f"Stage: {found['stage']} · attempt {found['attempt'] or '-'} · job {found['managed_job_id'] or '-'}"
    yield f"Sources: live {found['live_log_state']} · stored {found['cached_log_state']}"
    for key in ("live_reason", "reason"):
        if found.get(key):
            yield f"  {found[key]}"
    if found["provenance"]:
        yield f"From: {found['provenance']}"
        if found.get("live_log_empty"):
            yield "  the live log was read and is empty so far"
        elif not found["log"]:
            yield "  the stored log was read and is empty"
        yield ""
        yield str(found["log"] or "").rstrip("\n")
    else:
        yield "No source answered with a log."


def _accelerators(found: Document) -> Iterator[str]:
    sky, nodes = found["sky"], found["nodes"]
    yield f"sky: {sky['state']}{' (' + sky['reason'] + ')' if sky.get('reason') else ''}"
    yield from (f"  {row['name']}: {', '.join(map(str, row['per_node']))} on one node" for row in sky["accelerators"])
    yield f"nodes: {nodes['state']}{' (' + nodes['reason'] + ')' if nodes.get('reason') else ''}"
    for row in nodes["nodes"]:
        free = "unknown" if row["free"] is None else row["free"]
        yield f"  {row['node']}: {row['product'] or 'no product label'}, {row['gpus']} GPUs, {free} free{'' if row['ready'] else ', not ready'}"
    if nodes.get("gpus_waited_for"):
        yield f"  pods wait for {nodes['gpus_waited_for']} GPUs, so what is free cannot be told"


def _differences(found: Document) -> Iterator[str]:
    for side in ("base", "candidate"):
        row = found[side]
        failing = f", failing stage {row['failing_stage']}" if row["failing_stage"] else ""
        yield f"{side}: {row['run_id']} {row['state']}{failing}"
    for row in found["differences"]:
        yield f"  {row['kind']:<8} {row['what']}: {row['base']} -> {row['candidate']}"
    if not found["differences"]:
        yield "  nothing that was compared differs"
    for row in found["unreadable"]:
        yield f"  not compared: {row['path']} of the {row['run']} could not be read ({row['detail'] or row['state']})"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{visible(line)}\n" for line in lines)
