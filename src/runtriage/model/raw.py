"""Text as a run wrote it, before redaction. Only scan, parse, collect, redact and pipeline may import this module."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from runtriage.model.place import Citation
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant


class RawText(Struct, frozen=True):
    """Unredacted text; printing or formatting it shows only its length, so that it cannot leak by accident."""

    raw: str

    def __repr__(self) -> str:
        return f"<raw text, {len(self.raw)} characters>"

    def __str__(self) -> str:
        return repr(self)


class RawEvent(Struct, kw_only=True):
    """Something that happened, once, at a place; see `runtriage.model.event.Event` for the meaning of the fields."""

    kind: str
    name: str
    citation: Citation
    excerpt: RawText
    above: RawText = RawText("")
    """Whole lines right before the excerpt, which may say that it holds a secret: the header of a table, a name and a colon. Never shown."""
    captures: Mapping[str, RawText] = field(default_factory=dict[str, RawText])
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    when: Instant | None = None
    step: int | None = None
    epoch: float | None = None
    subject: Subject = NOBODY
    count: int = 1
    last: Citation | None = None


class RawSetting(Struct, frozen=True, kw_only=True):
    """A configuration value before redaction; see `runtriage.model.facts.Setting`."""

    name: str
    value: RawText
    citation: Citation
    role: str | None = None
