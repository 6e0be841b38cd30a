"""The report as one HTML file: no script, nothing loaded from anywhere, readable on paper and on a phone."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from runtriage.model.report import Report
from runtriage.render import html_view
from runtriage.render.shorten import Limits, shortened

LARGEST: Final = 300_000
"""Bytes of the largest page."""
_LIMITS: Final = (
    Limits(characters=2_000, entries=40, lines=41),
    Limits(characters=600, entries=24, lines=15),
    Limits(characters=200, entries=12, lines=7, points=60),
    Limits(characters=60, entries=6, lines=1, points=30),
)


def document(report: Report) -> str:
    """Return the whole page; a report too large for it is cut, which the page says."""
    page = ""
    for limits in _LIMITS:
        page = _page(report, shortened(report, limits))
        if len(page.encode()) <= LARGEST:
            break
    return page


def _page(whole: Report, shown: Report) -> str:
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    template = _environment().get_template("report.html")
    return template.render(style=Markup(style), digest=digest, **html_view.content(whole, shown))


@cache
def _environment() -> Environment:
    """Return the templates; every value is escaped, since no name of a file turns that off."""
    return Environment(
        loader=PackageLoader("runtriage.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _style() -> str:
    source, _, _ = PackageLoader("runtriage.render", "templates").get_source(_environment(), "report.css")
    lines = (line.strip() for line in source.splitlines())
    return "".join(line for line in lines if line and not line.startswith("/*"))
