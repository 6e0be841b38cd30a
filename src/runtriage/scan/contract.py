"""What the engine asks of the readers of log text, and how it hands them text.

The engine finds places in bytes; readers understand them. All text given to a reader is bytes of the artifact without ANSI
codes, cut at line breaks; offsets in a `Draft` count from the start of that text, and the engine turns them into citations.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from runtriage.model.subject import NOBODY, Subject
from runtriage.model.time import Instant
from runtriage.scan.draft import Draft

WORDS = "words"
"""The reader of cues that wake none: where they stand is noted for a parser, which their name tells."""


class Cue(Struct, frozen=True, kw_only=True):
    """A pattern that is no signature but wakes a reader.

    `name` is unique, `regex` obeys the rules of `runtriage.model.catalogue.Pattern`. `reader` names the function in
    `runtriage.scan.dialects.cues.READERS` that is called with the lines from the match on. `block` is false when the reader
    wants one line only. `lead` asks for one line of the same speaker before the match as well (a logger prints its own line
    above a traceback): the first row then is that line, or has empty text where there is none. `stack` asks for at most so many
    lines directly above instead, as far as they may belong to a stack: the match is in the first row that may not.
    """

    name: str
    regex: str
    reader: str
    ignore_case: bool = False
    block: bool = False
    lead: bool = False
    stack: int = 0


class Row(NamedTuple):
    """One line of a window: where it starts and ends in the text, and its bytes without rank prefix and line break.

    A line with carriage returns is the part that stayed on the screen, or the part that holds the cue.
    """

    start: int
    end: int
    text: bytes


class Reading(Struct):
    """What a cue reader made of its lines. `rows` is how many of them it used: cues inside them do not wake it again.

    A draft of the kind `framework` (`name`: pytorch, lightning, ...) is no event; it only tells what the run uses. `world_size` in
    the numbers of any draft is remembered.
    """

    drafts: list[Draft] = field(default_factory=list[Draft])
    rows: int = 1


class CueReader(Protocol):
    """Reads from the line with the cue on. `rows` is lazy, holds the lines of one speaker (prefix) only, at most 64 KiB."""

    def __call__(self, cue: str, rows: Iterator[Row], /) -> Reading:
        """Return drafts; offsets in them are those of the rows."""
        ...


class LineContext(Struct, frozen=True):
    """What the front of one line says."""

    subject: Subject = NOBODY
    when: Instant | None = None


class LineReader(Protocol):
    """`runtriage.scan.dialects.line_reader(artifact, sample)`: reads the fronts of the lines of one artifact.

    Subjects hold what the artifact and its path say, too. `sample` is the first 64 KiB (of the part that is read).
    """

    @property
    def style(self) -> Hashable:
        """Readers with equal styles find the same prefixes in every line."""
        ...

    def speaker(self, line: bytes, /) -> tuple[int, bytes]:
        """Return the length of the launcher's prefix (rank, pod, kubectl time) and a key that is equal for equal speakers.

        `(0, b"")` without one. Called for very many lines: a few hundred nanoseconds.
        """
        ...

    def prefixes(self, text: bytes, /) -> Iterator[bytes]:
        """Yield the launcher's prefixes that the lines of a text begin with, in order; one may come again, and may be empty."""
        ...

    def about(self, line: bytes, /) -> Hashable:
        """Return a key that is equal for lines about one subject: a microsecond."""
        ...

    def subject(self, line: bytes, /) -> Subject:
        """Return whom one whole line is about (prefix, then fields), without reading its time: a few microseconds."""
        ...

    def may_date(self, line: bytes, /) -> bool:
        """Tell whether a line may print a time: false where it holds nothing like one."""
        ...

    def when(self, line: bytes, /) -> Instant | None:
        """Return the time that one whole line prints."""
        ...

    def context(self, line: bytes, /) -> LineContext:
        """Return subject and time of one whole line."""
        ...


class MetricLine(Struct, frozen=True):
    """All numbers of one metric line. `values` are (name as printed, value); `total` is the planned last step."""

    step: int | None
    epoch: float | None
    total: int | None
    values: Sequence[tuple[str, float]]


class Dialect(Protocol):
    """How one file prints metrics, learnt from its first metric lines (`runtriage.scan.dialects.learn`).

    The engine finds `anchors` (literals; every metric line of the dialect holds one of them) at memory speed and parses lines with
    `parse`. `fields` are literals that stand directly before a number: (literal, name); the engine may read those numbers by itself.
    """

    @property
    def name(self) -> str:
        """A short name such as `hf-dict`."""
        ...

    @property
    def anchors(self) -> tuple[bytes, ...]:
        """Literals of at least four bytes; none where only a header tells that rows of numbers are metrics (CSV, tables)."""
        ...

    @property
    def fields(self) -> tuple[tuple[bytes, str], ...]:
        """For example `((b"'loss': ", "loss"),)`: what follows is blanks, an optional quote, then a number as `float` takes it."""
        ...

    def parse(self, line: bytes, /) -> MetricLine | None:
        """Read one whole line exactly; None when it is no metric line. The reference for every faster way."""
        ...


class Metrics(Protocol):
    """`runtriage.scan.dialects.metrics(artifact, task)`: how metrics are found in one artifact."""

    def learn(self, lines: Sequence[bytes], all_lines: Sequence[bytes] = (), /) -> Sequence[Dialect]:
        """Return the dialects in these lines of the artifact (it may mix several) that earlier ones did not teach, most frequent first.

        `lines` are a few of each shape, `all_lines` every one of the window they were taken from.
        """
        ...

    def role(self, name: str, /) -> str | None:
        """Return what the metric with this printed name means; see `runtriage.model.series.Series`."""
        ...


class Reads(Protocol):
    """The part of a stream that blocks are read with."""

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer with the next bytes and return how many; 0 at the end."""
        ...
