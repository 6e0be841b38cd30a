"""One run as MLflow records it: state, last sign of life, settings, and what the last run that went well had set otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from runtriage.model.raw import RawEvent, RawSetting, RawText
from runtriage.model.silence import SILENT, lasted
from runtriage.model.time import Instant
from runtriage.parse.config_roles import role_of
from runtriage.parse.pointer import Node
from runtriage.parse.tables import state

_CLOCK = "mlflow"
_STATES = {1: "RUNNING", 2: "SCHEDULED", 3: "FINISHED", 4: "FAILED", 5: "KILLED"}
_VALUE = 200
_MOST = 400


def run_events(run: Node, seen_at: float | None = None) -> Iterator[RawEvent]:
    """Yield the state of a run; `seen_at` (seconds since 1970) is when the server answered."""
    info = run.get("info")
    status = info.text("status")
    ended = milliseconds(info, "end_time")
    last = last_sign(run)
    begun = milliseconds(info, "start_time")
    silent = seen_at - last.seconds if seen_at is not None and last is not None else None
    yield state(
        "mlflow/run",
        info.get("status").cite(),
        when=ended or last,
        numbers={
            "silent_seconds": silent,
            "last_step": _last_step(run),
            "heard_seconds": last.seconds - begun.seconds if last is not None and begun is not None else None,
        },
        state=status,
        run=info.text("run_name") or info.text("run_id") or info.text("run_uuid"),
        reason="silent" if status == "RUNNING" and silent is not None and silent > SILENT else "",
        message=lasted(silent) if silent is not None and status == "RUNNING" else "",
        last=last.text if last else "",
    )


def _last_step(run: Node) -> float | None:
    steps = [metric.number("step") for metric in run.get("data", "metrics").items()]
    return max((step for step in steps if step is not None), default=None)


def last_sign(run: Node) -> Instant | None:
    """Return the time of the last value the run logged, or of its start."""
    found = [milliseconds(metric, "timestamp") for metric in run.get("data", "metrics").items()]
    found.append(milliseconds(run.get("info"), "start_time"))
    known = [each for each in found if each is not None]
    return max(known, key=lambda each: each.seconds, default=None)


def milliseconds(node: Node, key: str) -> Instant | None:
    """Return the time that a member tells in milliseconds since 1970, as a number or in digits."""
    value = node.get(key).value
    number = float(value) if isinstance(value, str) and value.isdecimal() else node.number(key)
    if number is None or not 0 < number < 1e14:
        return None
    text = datetime.fromtimestamp(number / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Instant(text=text, seconds=number / 1000, zoned=True, clock=_CLOCK, precision=0.001)


def run_settings(run: Node) -> list[RawSetting]:
    """Return the parameters whose meaning is known."""
    found: list[RawSetting] = []
    for param in run.get("data", "params").items():
        name, value = param.text("key"), param.text("value")
        role = role_of(name, value)
        if role is not None and len(value) <= _VALUE and len(found) < _MOST:
            found.append(RawSetting(name=name, value=RawText(value), citation=param.get("value").cite(), role=role))
    return found


def differences(run: Node, good: Node) -> Iterator[RawEvent]:
    """Yield what the last good run is, and each setting of known meaning that it had otherwise."""
    info = good.get("info")
    if not info.text("status"):
        return
    ended = milliseconds(info, "end_time")
    name = info.text("run_name") or info.text("run_id")
    yield state("mlflow/good-run", info.get("status").cite(), when=ended, run=name, reason=ended.text if ended else "")
    before = {each.name: each for each in run_settings(good)}
    now = {each.name: each for each in run_settings(run)}
    for key in sorted(before.keys() | now.keys()):
        there, here = _told(before.get(key)), _told(now.get(key))
        if there != here:
            where = (now.get(key) or before[key]).citation
            yield state("mlflow/difference", where, setting=key, here=here, there=there)


def experiment_of(run: Node, experiment: Node) -> Iterator[RawEvent]:
    """Yield the experiment a run belongs to, and the run it is nested in."""
    tags = {tag.text("key"): tag.text("value") for tag in run.get("data", "tags").items()}
    if experiment.text("name"):
        yield state(
            "mlflow/experiment",
            experiment.get("name").cite(),
            object=experiment.text("name"),
            parent=tags.get("mlflow.parentRunId", ""),
        )


def _told(setting: RawSetting | None) -> str:
    return "not set" if setting is None else setting.value.raw


def status_name(value: object) -> str:
    """Return the name of a status that a file store writes as a number."""
    return _STATES.get(value, "") if isinstance(value, int) else str(value or "")
