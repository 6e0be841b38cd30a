"""compare(): what differs between two runs, and where they part first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, convert, field, to_builtins

from runtriage.api.compare_series import Curve, parting
from runtriage.model.report import Report
from runtriage.redact import DEFAULT, MARKER, clean_document, strict

_ENVIRONMENT: Final = re.compile(
    r"^package |^(?:NVIDIA|LD|PYTHON|OMP|MKL|CONDA|HF|SLURM|UCX|FI|JAX|XLA|TF)_|^(?:OS|os|program|codePath|git\.commit)\b|cpu|version|driver|cuda|cudnn|nccl|torch|python|host|node|hardware|gpu|world_size|framework",
    re.IGNORECASE,
)
_MOST: Final = 200


class Side(Struct, frozen=True, kw_only=True):
    """One of two runs: its report, its settings, its curves by name, and its pace."""

    label: str
    report: Report
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    curves: Mapping[str, Curve] = field(default_factory=dict[str, Curve])
    step_seconds: float | None = None
    """Median seconds of a step; None where the run does not print when it made its steps."""


class Difference(Struct, frozen=True):
    """One thing that differs; None where a run does not say."""

    name: str
    a: str | None
    b: str | None


class Metric(Struct, frozen=True):
    """The last values of one metric in both runs, and the step at which they part, None where they do not."""

    name: str
    a: float | None
    b: float | None
    parts_at: float | None = None
    a_there: float | None = None
    b_there: float | None = None


class Comparison(Struct, frozen=True, kw_only=True):
    """What differs between two runs, in the order in which a person looks for the cause. `first` is the metric that parts first."""

    a: str
    b: str
    outcome: list[Difference]
    settings: list[Difference]
    environment: list[Difference]
    timing: list[Difference]
    metrics: list[Metric]
    first: Metric | None
    same_settings: int


def compare(a: Side, b: Side, *, strict_redaction: bool = False) -> Comparison:
    """Return what differs between two runs, without secrets; with strict redaction who and where are hidden, alike on both sides."""
    document = to_builtins(_compared(a, b))
    return convert(clean_document(document, strict() if strict_redaction else DEFAULT), Comparison)


def _compared(a: Side, b: Side) -> Comparison:
    settings = _differing(a.settings, b.settings)
    metrics = _metrics(a.curves, b.curves)
    parted = [metric for metric in metrics if metric.parts_at is not None]
    return Comparison(
        a=a.label,
        b=b.label,
        outcome=_differing(_outcome(a.report), _outcome(b.report)),
        settings=[item for item in settings if not _ENVIRONMENT.search(item.name)][:_MOST],
        environment=[
            *_differing({"framework": a.report.framework}, {"framework": b.report.framework}),
            *(item for item in settings if _ENVIRONMENT.search(item.name)),
        ][:_MOST],
        timing=_differing(dict(_timing(a)), dict(_timing(b))),
        metrics=metrics,
        first=min(parted, key=lambda metric: (metric.parts_at or 0.0, metric.name), default=None),
        same_settings=sum(MARKER not in value and b.settings.get(name) == value for name, value in a.settings.items()),
    )


def _differing(a: Mapping[str, str], b: Mapping[str, str]) -> list[Difference]:
    names = sorted({*a, *b})
    return [Difference(name, a.get(name), b.get(name)) for name in names if a.get(name) != b.get(name)]


def _outcome(report: Report) -> dict[str, str]:
    nothing = None if report.abstained else "none"
    said = {
        "status": report.run_status,
        "cause": report.primary_cause or nothing,
        "failure mode": report.failure_mode or nothing,
        "root cause": report.root_cause.root if report.primary_cause is not None else nothing,
        "last step": None if report.last_progress.step is None else str(report.last_progress.step),
        "attempts": str(report.attempts),
        "culprit's node": report.culprit.node,
    }
    return {name: value for name, value in said.items() if value is not None}


def _timing(side: Side) -> Iterator[tuple[str, str]]:
    hours = side.report.observed.hours
    if hours is not None:
        yield "hours", f"{hours:.2f}"
        if side.report.last_progress.step and side.step_seconds is None:
            yield "seconds a step on average, with all waits", f"{hours * 3600 / side.report.last_progress.step:.3g}"
    if side.step_seconds is not None:
        yield "median seconds a step", f"{side.step_seconds:.3g}"
    for item in side.report.metrics:
        if item.role in {"throughput", "step_time"} and item.curve:
            finite = sorted(value for _, value in item.curve if value is not None)
            if finite:
                yield f"median {item.name}", f"{finite[len(finite) // 2]:.4g}"


def _metrics(a: Mapping[str, Curve], b: Mapping[str, Curve]) -> list[Metric]:
    return [_metric(name, a[name], b[name]) for name in a if name in b and a[name] and b[name]]


def _metric(name: str, a: Curve, b: Curve) -> Metric:
    ends = (_shown(a[-1][1]), _shown(b[-1][1]))
    found = parting(a, b)
    if found is None:
        return Metric(name, *ends)
    step, there, beside = found
    return Metric(name, *ends, step, _shown(there), _shown(beside))


def _shown(value: float) -> float | None:
    return value if math.isfinite(value) else None


def curves_of(named: Sequence[tuple[str, int | None, Curve]]) -> dict[str, Curve]:
    """Return one curve for each name: that of the lowest rank that printed it."""
    found: dict[str, Curve] = {}
    for name, _, curve in sorted(named, key=lambda item: (item[0], -1 if item[1] is None else item[1])):
        found.setdefault(name, curve)
    return found
