"""The deciding series as one line of blocks, the failure marked."""

from __future__ import annotations

from runtriage.model.report import Report, SeriesSummary

_BLOCKS = "▁▂▃▄▅▆▇█"
_WIDTH = 60
_BROKEN = "✗"
_POINT = "╎"
"""Stands before the value at which the run went wrong."""


def curve(report: Report) -> str | None:
    """Return `loss ▁▂▅╎█ 4.1 → 9 (320 points, ╎ step 210)`, or None when the report has no series worth drawing."""
    series = _deciding(report)
    if series is None:
        return None
    rank = f" rank {series.rank}" if series.rank is not None else ""
    failed = _failed_at(series, report)
    where = "" if failed is None else f", {_POINT} step {failed:,.10g}"
    ends = f"{_number(series.first)} → {_number(series.last)}"
    return f"{series.name}{rank} {_draw(series, failed)} {ends} ({series.total:,} points{where})"


def _deciding(report: Report) -> SeriesSummary | None:
    """Return the series that the evidence cites, else a loss, else any that is long enough to draw."""
    drawn = [item for item in report.metrics if len(item.curve) > 3]
    cited = {(item.citation.series, item.citation.artifact) for item in report.evidence if item.citation.series}
    return min(
        drawn,
        key=lambda item: (
            (item.name, item.artifact) not in cited,
            item.rank != report.culprit.rank or item.rank is None,
            item.role != "loss",
        ),
        default=None,
    )


def _failed_at(series: SeriesSummary, report: Report) -> float | None:
    """Return the step at which the evidence says that this series went wrong; values that are not finite show it themselves."""
    for item in report.evidence:
        place = item.citation
        if place.series == series.name and place.artifact == series.artifact and place.first_step is not None:
            return None if series.nonfinite else place.first_step
    return None


def _draw(series: SeriesSummary, failed: float | None) -> str:
    stride = max(len(series.curve) / _WIDTH, 1.0)
    count = min(len(series.curve), _WIDTH)
    picked = [series.curve[min(int(index * stride), len(series.curve) - 1)] for index in range(count)]
    finite = [value for _, value in picked if value is not None]
    if not finite:
        return _BROKEN * len(picked)
    low, high = min(finite), max(finite)
    span = (high - low) or 1.0
    blocks = [
        _BROKEN if value is None else _BLOCKS[int((value - low) / span * (len(_BLOCKS) - 1))] for _, value in picked
    ]
    at = next((index for index, (step, _) in enumerate(picked) if failed is not None and step >= failed), None)
    if at is not None:
        blocks.insert(at, _POINT)
    return "".join(blocks)


def _number(value: float | None) -> str:
    return "nan" if value is None else f"{value:.4g}"
