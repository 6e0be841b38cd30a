"""A page about a failure mode, before it is written as Markdown or for a terminal."""

from __future__ import annotations

from msgspec import Struct


class Heading(Struct, frozen=True):
    """A heading; level 1 is the page's own."""

    text: str
    level: int


class Paragraph(Struct, frozen=True):
    """Running text."""

    text: str


class Items(Struct, frozen=True):
    """A list under a line that says what it lists; the line may be empty."""

    label: str
    texts: tuple[str, ...]


class Sample(Struct, frozen=True):
    """A text as a program prints it, and where it was seen."""

    text: str
    source: str


class Links(Struct, frozen=True):
    """Addresses to read more at, all https."""

    addresses: tuple[str, ...]


Block = Heading | Paragraph | Items | Sample | Links


class Finder(Struct, frozen=True):
    """A detector that can find a mode: its id, what it looks for in one sentence, and the ids of the fixes it names."""

    id: str
    what: str
    fixes: tuple[str, ...]


class Page(Struct, frozen=True):
    """Everything known about one failure mode; `recognised` says whether anything finds it."""

    mode: str
    title: str
    primary_class: str
    recognised: bool
    blocks: tuple[Block, ...]
