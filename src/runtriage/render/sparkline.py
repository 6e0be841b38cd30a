"""The deciding series as one line of blocks, the failure marked."""

from __future__ import annotations

from runtriage.model.report import Report, SeriesSummary

_BLOCKS = "▁▂▃▄▅▆▇█"
_WIDTH = 60
_BROKEN = "✗"


def curve(report: Report) -> str | None:
    """Return `loss ▁▂▅✗ 4.1 → nan (320 points)`, or None when the report has no series worth drawing."""
    series = next((item for item in report.metrics if item.role == "loss" and len(item.curve) > 3), None)
    if series is None:
        series = next((item for item in report.metrics if len(item.curve) > 3), None)
    if series is None:
        return None
    rank = f" rank {series.rank}" if series.rank is not None else ""
    return f"{series.name}{rank} {_draw(series)} {_number(series.first)} → {_number(series.last)} ({series.total:,} points)"


def _draw(series: SeriesSummary) -> str:
    values = [value for _, value in series.curve]
    stride = max(len(values) / _WIDTH, 1.0)
    picked = [values[min(int(index * stride), len(values) - 1)] for index in range(min(len(values), _WIDTH))]
    finite = [value for value in picked if value is not None]
    if not finite:
        return _BROKEN * len(picked)
    low, high = min(finite), max(finite)
    span = (high - low) or 1.0
    return "".join(
        _BROKEN if value is None else _BLOCKS[int((value - low) / span * (len(_BLOCKS) - 1))] for value in picked
    )


def _number(value: float | None) -> str:
    return "nan" if value is None else f"{value:.4g}"
