"""What a parser takes and gives, and how the parser of a document is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import chain

from msgspec import Struct, field

from runtriage.model.artifact import Artifact, Request
from runtriage.model.facts import RankProgress
from runtriage.model.raw import RawEvent, RawSetting
from runtriage.model.series import Series
from runtriage.model.spots import Spot
from runtriage.model.target import ByteStream, Seekable
from runtriage.parse.checkpoint_piece import Piece
from runtriage.parse.text_words import WORDS, may_claim

HEAD = 65_536
"""How many bytes of an artifact a parser sees before it says whether the document is its own."""


class Parsed(Struct, kw_only=True):
    """What one structured document says. `requests` is what the document points at and the run's story may need."""

    events: list[RawEvent] = field(default_factory=list[RawEvent])
    settings: list[RawSetting] = field(default_factory=list[RawSetting])
    progress: list[RankProgress] = field(default_factory=list[RankProgress])
    series: list[Series] = field(default_factory=list[Series])
    pieces: list[Piece] = field(default_factory=list[Piece])
    requests: list[Request] = field(default_factory=list[Request])
    frameworks: list[str] = field(default_factory=list[str])
    bytes_read: int = 0
    cut: str | None = None
    logs: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """Output of programs that the document carries inside, by name; it is scanned as `PATH!NAME`."""
    left_out: str | None = None
    """What the document is, where it is named for the reader but holds nothing that is read."""


class Parser(Struct, frozen=True):
    """One kind of document.

    `claims` decides by name and first bytes; parsers are asked in order of id. `read` gets the stream from its start and never
    raises for what a document holds. `scanned` says that the log engine reads the document as well. `read_spots` then reads only the
    given spots, those in which the engine found the words that `model.spots` lists under the id: it says the same as `read`.
    """

    id: str
    claims: Callable[[Artifact, bytes], bool]
    read: Callable[[Artifact, ByteStream], Parsed]
    scanned: bool = False
    read_spots: Callable[[Artifact, Seekable, Sequence[Spot]], Parsed] | None = None


class Waiting(Struct, frozen=True):
    """A parser that waits for the scan of a log, and how many events were told before those it will tell."""

    artifact: Artifact
    parser: Parser
    before: int

    def read(
        self, open: Callable[[Artifact], ByteStream], spots: Mapping[str, Sequence[Spot]], *, complete: bool
    ) -> Parsed:
        """Read the spots that a scan found, by the id of the parser: all of the log where that did not read it to its end, or where it cannot be gone to."""
        mine = spots.get(self.parser.id)
        if complete and mine is None:
            return Parsed()
        with open(self.artifact) as stream:
            if self.parser.read_spots is None or mine is None or not complete or not isinstance(stream, Seekable):
                return self.parser.read(self.artifact, stream)
            return self.parser.read_spots(self.artifact, stream, mine)


def parsers(modules: Iterable[str] = WORDS) -> list[Parser]:
    """Return every parser of this package, or of some of its modules, by id."""
    found = chain.from_iterable(import_module(f"runtriage.parse.{name}").PARSERS for name in modules)
    return sorted(found, key=lambda parser: parser.id)


def recognise(artifact: Artifact, head: bytes) -> Parser | None:
    """Return the parser that claims a document, or None."""
    asked = parsers(name for name in WORDS if may_claim(name, artifact, head))
    return next((parser for parser in asked if parser.claims(artifact, head)), None)


def read_all(stream: ByteStream, limit: int) -> tuple[bytes, bool]:
    """Return up to `limit` bytes, and whether there were more."""
    buffer = bytearray(min(limit + 1, HEAD))
    filled = 0
    while filled <= limit:
        if filled == len(buffer):
            buffer.extend(bytes(min(filled, limit + 1 - filled)))
        with memoryview(buffer) as view:
            count = stream.readinto(view[filled:])
        if count == 0:
            break
        filled += count
    return bytes(buffer[: min(filled, limit)]), filled > limit
