"""The report as one HTML file: no script, nothing loaded from anywhere, readable on paper and on a phone."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

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


class Frame(Struct, frozen=True):
    """What a site puts around the page: links (text, address), where feedback is sent, what people said, the causes to choose from, whether to load it again soon, and a warning."""

    links: tuple[tuple[str, str], ...] = ()
    feedback: str | None = None
    said: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    alike: str | None = None
    live: bool = False
    warning: str | None = None


def document(report: Report, frame: Frame | None = None) -> str:
    """Return the whole page; a report too large for it is cut, which the page says."""
    page = ""
    for limits in _LIMITS:
        page = _page(report, shortened(report, limits), frame)
        if len(page.encode()) <= LARGEST:
            break
    return page


def policy(*, forms: str = "'none'") -> str:
    """Return what the page allows: its own style and nothing else, and forms only where told."""
    digest = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action {forms}"


def _page(whole: Report, shown: Report, frame: Frame | None) -> str:
    allowed = policy(forms="'self'" if frame else "'none'")
    template = environment().get_template("report.html")
    return template.render(
        style=Markup(style()), policy=Markup(allowed), frame=frame, **html_view.content(whole, shown)
    )


@cache
def environment() -> Environment:
    """Return the templates; every value is escaped, since no name of a file turns that off."""
    return Environment(
        loader=PackageLoader("runtriage.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def style(name: str = "report.css") -> str:
    """Return a style sheet, by default that of the page, without the blanks between its rules."""
    source, _, _ = PackageLoader("runtriage.render", "templates").get_source(environment(), name)
    lines = (line.strip() for line in source.splitlines())
    return "".join(line for line in lines if line and not line.startswith("/*"))
