"""What a reader of log text returns: an event whose place is still an offset, before the engine cites it."""

from __future__ import annotations

from msgspec import Struct, field

from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant


class Draft(Struct, kw_only=True):
    """An event to be: `start` and `end` are byte offsets in the coordinates of the text the reader was given.

    They bound what is cited (`end` excludes the line break). `kind`, `name`, `captures` and `numbers` mean what
    `runtriage.model.event` says; captures are raw text and must pass redaction.
    """

    kind: str
    name: str
    start: int
    end: int
    captures: dict[str, str] = field(default_factory=dict[str, str])
    numbers: dict[str, float] = field(default_factory=dict[str, float])
    subject: Subject = NOBODY
    when: Instant | None = None
