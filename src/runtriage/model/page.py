"""A page about a failure mode, before it is written as Markdown or for a terminal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the page's own."""

    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list under a line that says what it lists; the line may be empty."""

    label: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """A text as a program prints it, and where it was seen."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses to read more at, all https."""

    addresses: tuple[str, ...]


Block = Heading | Paragraph | Items | Sample | Links


@dataclass(frozen=True, slots=True)
class Finder:
    """A detector that can find a mode: its id, what it looks for in one sentence, and the ids of the fixes it names."""

    id: str
    what: str
    fixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything known about one failure mode; `recognised` says whether anything finds it."""

    mode: str
    title: str
    primary_class: str
    recognised: bool
    blocks: tuple[Block, ...]
