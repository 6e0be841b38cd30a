"""How far each speaker came."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from runtriage.model.facts import RankProgress
from runtriage.model.place import Citation, byte_of
from runtriage.model.subject import Subject
from runtriage.model.time import Instant
from runtriage.scan.block import BEHIND
from runtriage.scan.silence import longest, silence
from runtriage.scan.still import Still, last_stand
from runtriage.scan.table import Table
from runtriage.scan.track import NOWHERE, Reach, Replay, Track

_FEW = 3
"""Progress lines without a time behind the last one that had any, from which on they are known to print none."""

Cite = Callable[[int, int], Citation]


class Closing(NamedTuple):
    """The last line of a stretch or attempt, the time it prints or else the nearest line before it, and where that line begins."""

    line: Citation
    when: Instant | None
    at: int


class Steps(Struct):
    """Progress of one subject in one attempt; `place` is the last progress line's place in the present block until settled."""

    subject: Subject
    first_step: int | None = None
    last_step: int | None = None
    last_epoch: float | None = None
    lines: int = 0
    progress: Citation | None = None
    progress_time: Instant | None = None
    line: Citation | None = None
    line_time: Instant | None = None
    closing: Closing | None = None
    gap: float | None = None
    first_time: Instant | None = None
    untimed: int = 0
    """Progress lines behind the last row that printed a time."""
    place: tuple[int, int] | None = None
    track: Track = field(default_factory=Track)
    still: Still | None = None

    def extend(self, rows: Table, low: int, high: int, own: Sequence[int]) -> None:
        """Take the progress lines `low` to `high` of a block; `own` are those among them whose steps are the run's own."""
        first, last = bisect_left(rows.stepped, low), bisect_left(rows.stepped, high)
        if first < last:
            if self.first_step is None:
                self.first_step = rows.said(rows.stepped[first]).step
            self.lines += last - first
            self.track.note(rows, rows.stepped[first:last])
            self._stand(last_stand(rows, rows.stepped[first:last]), whole=last - first)
        if own:
            self.last_step = rows.said(own[-1]).step
        epoch = rows.latest(rows.epochs, low, high)
        if epoch:
            self.last_epoch = rows.said(epoch[0]).epoch
        if places := (*rows.latest(rows.stepped, low, high), *epoch):
            self.place = (int(rows.starts[max(places)]), rows.end(max(places)))
        times = rows.times(low, high)
        if times:
            self.untimed = last - bisect_right(rows.stepped, times.at, first, last)
        else:
            self.untimed += last - first
        if times:
            self.gap = longest(longest(self.gap, silence(self.progress_time, times.first)), times.gap)
            self.first_time, self.progress_time = self.first_time or times.first, times.last

    @property
    def dated(self) -> Instant | None:
        """Return when progress was printed last, where its lines print times: a lone metric with a time among them tells nothing of those behind it."""
        return self.progress_time if self.untimed < _FEW else None

    @property
    def undated(self) -> bool:
        """Tell whether there is progress, and no line of it prints a time."""
        return self.dated is None and (self.progress is not None or self.place is not None)

    def _stand(self, still: Still, *, whole: int) -> None:
        """Take the stretch at the end of some more lines, `whole` of which print a step."""
        self.still = still if self.still is None else self.still.joined(still, whole=still.lines == whole)

    def reach(self) -> Reach:
        """Return how far the subject has come."""
        runs = self.track.runs
        return Reach(len(runs) - 1, runs[-1][1], runs[-1][0]) if runs else NOWHERE

    def settle(self, cite: Cite) -> None:
        """Cite the last progress line while the block can still be read."""
        if self.place is not None:
            self.progress, self.place = cite(*self.place), None

    def hear(self, line: Citation, when: Instant | None) -> None:
        """Take a line of the subject as its last if it comes behind the one known."""
        here, there = -1 if self.line is None else byte_of(self.line), byte_of(line)
        if here < there or (here == there and self.line_time is None):
            self.line, self.line_time = line, when

    def close(self, line: Citation, when: Instant | None) -> None:
        """Take a line as the last of a stretch or attempt; it counts only if it stands at the end of the artifact, too."""
        self._end(Closing(line, when, byte_of(line)))

    def _end(self, closing: Closing) -> None:
        before = self.closing
        if before is None:
            self.closing = closing
        elif byte_of(before.line) < byte_of(closing.line):
            dated = closing if closing.when is not None else before
            self.closing = Closing(closing.line, dated.when, dated.at)

    def date(self, when: Instant, at: int) -> None:
        """Take the time of the line at an offset, just before the last one, which prints none."""
        if self.closing is not None and self.closing.when is None:
            self.closing = Closing(self.closing.line, when, at)

    def merge(self, later: Steps) -> Replay:
        """Add what the same subject did further on; return which of its steps count."""
        if self.first_step is None:
            self.first_step = later.first_step
        self.gap = longest(longest(self.gap, later.gap), silence(self.progress_time, later.first_time))
        self.first_time = self.first_time or later.first_time
        self.untimed = later.untimed if later.progress_time is not None else self.untimed + later.untimed
        self.progress_time = later.progress_time or self.progress_time
        replay = self.track.join(later.track, self.last_step)
        self.last_step = replay.last
        self.last_epoch = later.last_epoch if later.last_epoch is not None else self.last_epoch
        self.progress = later.progress or self.progress
        if later.line is not None:
            self.hear(later.line, later.line_time)
        if later.closing is not None:
            self._end(later.closing)
        if later.still is not None:
            self._stand(later.still, whole=later.lines)
        self.lines += later.lines
        return replay

    def result(self, artifact: str, subject: Subject, size: int) -> RankProgress:
        """Return the value other stages see; `size` are the bytes of the artifact."""
        if self.closing is not None and byte_of(self.closing.line) >= size - BEHIND:
            self.hear(self.closing.line, self.closing.when if self.closing.at >= size - BEHIND else None)
        if self.progress is not None:
            self.hear(self.progress, self.dated)
        return RankProgress(
            artifact=artifact,
            subject=subject,
            first_step=self.first_step,
            last_step=self.last_step,
            last_epoch=self.last_epoch,
            total_steps=self.track.total,
            progress_lines=self.lines,
            last_progress=self.progress,
            last_progress_time=self.dated,
            first_progress_time=self.first_time,
            last_line=self.line,
            last_line_time=self.line_time or self.progress_time,
            longest_gap=self.gap,
            standing=self.still.standing() if self.still is not None else None,
        )
