"""What all pages share."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct

from runtriage.api.exposure import LOCAL

if TYPE_CHECKING:
    from runtriage.store.history import History
    from runtriage.web.jobs import Jobs

UPLOAD_LIMIT = 256 << 20
"""Bytes of the largest upload."""


class Site(Struct, frozen=True, kw_only=True):
    """Where the history lies, who may ask, and what reads uploads. `token` None means that everybody who reaches the port may."""

    history: Path | str
    jobs: Jobs
    token: str | None = None
    hosts: frozenset[str] | None = frozenset(LOCAL)
    """Names under which the site may be asked for; None allows all, which only a token makes safe."""

    def opened(self) -> History:
        """Return the history, to be closed by the caller. Raises `HistoryError`."""
        from runtriage.store.history import History

        return History(self.history)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("runtriage.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def rendered(template: str, **content: Any) -> str:
    """Return a page; every value is escaped."""
    return _environment().get_template(template).render(sheet=_version(), **content)


@cache
def _version() -> str:
    """Return what the address of the style sheet changes with."""
    return hashlib.sha256(stylesheet().encode()).hexdigest()[:8]


@cache
def stylesheet() -> str:
    """Return the style of all pages: that of the report, and what tables and forms add."""
    from runtriage.render.html import style

    source, _, _ = PackageLoader("runtriage.web", "templates").get_source(_environment(), "site.css")
    return style() + source
