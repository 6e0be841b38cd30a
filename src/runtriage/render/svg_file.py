"""The curves of a report as one SVG file that stands alone, for a page that can only point at pictures."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup
from msgspec import Struct

from runtriage.model.report import Report
from runtriage.render import html
from runtriage.render.svg_curve import HEIGHT, WIDTH, Chart, charts

_PANELS, _FEWEST = 2, 4
"""Metrics in one picture, and points of one before it says more than its numbers do."""
_LEAD, _GAP, _LEGEND, _LETTER = 18, 12, 20, 7
"""Heights of a panel's title, of what parts two panels and of a legend, and the width of a letter."""
_SHARED: Final = ("svg text", ".grid", ".line", ".broken", ".sign", ".chart .broken-text", "path.", ".chart text.")
"""Beginnings of the rules of the page's style sheet that the drawing needs too."""


class Panel(Struct, frozen=True):
    """One metric: how far down it is drawn, and its legend as (place, kind, words)."""

    chart: Chart
    top: int
    legend: list[tuple[int, str, str]]


def document(report: Report) -> str:
    """Return the file, or an empty text where no metric is worth drawing."""
    shown = _drawn(report)
    if not shown:
        return ""
    panels: list[Panel] = []
    top = 0
    for chart in shown:
        panels.append(Panel(chart, top, _legend(chart)))
        top += _LEAD + HEIGHT + (_LEGEND if chart.legend else 0) + _GAP
    template = html.environment().get_template("curves.svg")
    return template.render(
        panels=panels, width=WIDTH, height=top, lead=_LEAD, title=describe(report), style=Markup(_style())
    )


def describe(report: Report) -> str:
    """Return what the picture shows, for those who cannot see it."""
    return "; ".join(f"{chart.name} {chart.summary}" for chart in _drawn(report))


def _drawn(report: Report) -> list[Chart]:
    told = {item.name for item in report.metrics if len(item.curve) >= _FEWEST}
    return [chart for chart in charts(report) if chart.name in told][:_PANELS]


def _legend(chart: Chart) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    x = chart.left
    for kind, word in chart.legend:
        found.append((x, kind, word))
        x += 28 + _LETTER * len(word)
    return found


def _style() -> str:
    page = html.style().replace("}", "}\n").splitlines()
    shared = (rule for rule in page if rule.startswith(_SHARED))
    return "".join((html.style("curves.css"), *shared))
