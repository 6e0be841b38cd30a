"""Series that keep their shape in fixed memory: first, last, extremes, non-finite values and changes stay exact."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from runtriage.model.series import Point, Series
from runtriage.model.subject import Subject

WHOLE: Final = 2048
"""A series of up to this many points is kept whole."""
BUCKETS: Final = 512
"""Longer ones keep first, least, greatest and last of at most this many stretches of the artifact."""
NONFINITE: Final = 256
"""Non-finite points that are kept."""
CHANGES: Final = 256
"""Points at which a value differs from the one before, kept while there are no more (settings that rarely change)."""


class Sample(NamedTuple):
    """A printed value: its rank in the series, offset, step as printed, line, and time in seconds."""

    ordinal: int
    byte: int
    value: float
    step: float | None
    line: int
    time: float | None


class Bucket(NamedTuple):
    """The samples kept of one stretch of the artifact (finite ones only)."""

    first: Sample
    least: Sample
    greatest: Sample
    last: Sample

    def joined(self, later: Bucket) -> Bucket:
        """Return one bucket for both stretches."""
        least = later.least if later.least.value < self.least.value else self.least
        greatest = later.greatest if later.greatest.value > self.greatest.value else self.greatest
        return Bucket(self.first, least, greatest, later.last)


@dataclass(slots=True)
class Thin:
    """One metric of one subject as it grows; `shift` says how many bytes (a power of two) a bucket spans.

    What is kept depends on the samples alone, not on how the artifact was cut into blocks or shared among workers.
    """

    name: str
    shift: int
    total: int = 0
    whole: list[Sample] | None = field(default_factory=list[Sample])
    buckets: dict[int, Bucket] = field(default_factory=dict[int, Bucket])
    nonfinite: int = 0
    bad: list[Sample] = field(default_factory=list[Sample])
    before_bad: Sample | None = None
    changes: list[Sample] | None = field(default_factory=list[Sample])
    last: Sample | None = None
    last_finite: Sample | None = None

    def extend(self, samples: Iterable[Sample]) -> None:
        """Add samples in printed order; their ordinals go on from `total`."""
        for sample in samples:
            self.total += 1
            self._change(sample)
            self.last = sample
            if math.isfinite(sample.value):
                self.last_finite = sample
                if self.whole is not None:
                    self.whole.append(sample)
                else:
                    self._put(sample.byte >> self.shift, Bucket(sample, sample, sample, sample))
            else:
                self._bad(sample)
        self._shrink()

    def _change(self, sample: Sample) -> None:
        if self.changes is not None and not (self.last and _same(self.last, sample)):
            if len(self.changes) < CHANGES:
                self.changes.append(sample)
            else:
                self.changes = None

    def _bad(self, sample: Sample) -> None:
        if not self.nonfinite:
            self.before_bad = self.last_finite
        self.nonfinite += 1
        if len(self.bad) < NONFINITE:
            self.bad.append(sample)

    def _put(self, key: int, bucket: Bucket) -> None:
        mine = self.buckets.get(key)
        self.buckets[key] = bucket if mine is None else mine.joined(bucket)

    def _shrink(self) -> None:
        if self.whole is not None and len(self.whole) > WHOLE:
            self._spread()
        while len(self.buckets) > BUCKETS:
            self._coarsen()

    def merge(self, later: Thin) -> None:
        """Add what the same metric did further on; its samples must already count on from `total`."""
        while self.shift < later.shift:
            self._coarsen()
        while later.shift < self.shift:
            later._coarsen()
        if self.whole is not None and later.whole is not None:
            self.whole.extend(later.whole)
        else:
            self._spread()
            later._spread()
            for key, bucket in later.buckets.items():
                self._put(key, bucket)
        self._merge_changes(later)
        if not self.nonfinite:
            self.before_bad = later.before_bad or (self.last_finite if later.nonfinite else None)
        self.nonfinite += later.nonfinite
        self.bad = (self.bad + later.bad)[:NONFINITE]
        self.total += later.total
        self.last = later.last or self.last
        self.last_finite = later.last_finite or self.last_finite
        self._shrink()

    def _merge_changes(self, later: Thin) -> None:
        if self.changes is None or later.changes is None:
            self.changes = None
            return
        same = bool(self.last and later.changes and _same(self.last, later.changes[0]))
        joined = self.changes + later.changes[same:]
        self.changes = joined if len(joined) <= CHANGES else None

    def _spread(self) -> None:
        if self.whole is not None:
            whole, self.whole = self.whole, None
            for sample in whole:
                self._put(sample.byte >> self.shift, Bucket(sample, sample, sample, sample))

    def _coarsen(self) -> None:
        old, self.buckets, self.shift = self.buckets, {}, self.shift + 1
        for key, bucket in old.items():
            self._put(key >> 1, bucket)

    def moved(self, ordinals: int, lines: int) -> Thin:
        """Return the same with ordinals and lines counted from further ahead."""
        if not ordinals and not lines:
            return self

        def move(sample: Sample) -> Sample:
            return sample._replace(ordinal=sample.ordinal + ordinals, line=sample.line + lines)

        def move_all(samples: list[Sample] | None) -> list[Sample] | None:
            return None if samples is None else [move(sample) for sample in samples]

        return Thin(
            self.name,
            self.shift,
            self.total,
            move_all(self.whole),
            {key: Bucket(*map(move, bucket)) for key, bucket in self.buckets.items()},
            self.nonfinite,
            [move(sample) for sample in self.bad],
            self.before_bad and move(self.before_bad),
            move_all(self.changes),
            self.last and move(self.last),
            self.last_finite and move(self.last_finite),
        )

    def result(self, artifact: str, role: str | None, subject: Subject) -> Series:
        """Return the value other stages see."""
        finite = self.whole if self.whole is not None else [each for bucket in self.buckets.values() for each in bucket]
        edges = [sample for sample in (self.before_bad, self.last, self.last_finite) if sample is not None]
        kept = {sample.ordinal: sample for sample in (*finite, *self.bad, *(self.changes or ()), *edges)}
        least = min(finite, key=lambda sample: (sample.value, sample.ordinal), default=None)
        greatest = min(finite, key=lambda sample: (-sample.value, sample.ordinal), default=None)
        before = self.before_bad if self.nonfinite else self.last_finite
        return Series(
            artifact=artifact,
            name=self.name,
            role=role,
            subject=subject,
            points=tuple(_point(kept[ordinal]) for ordinal in sorted(kept)),
            total=self.total,
            nonfinite=self.nonfinite,
            first_nonfinite=_point(self.bad[0]) if self.bad else None,
            last_finite=_point(before) if before else None,
            minimum=_point(least) if least else None,
            maximum=_point(greatest) if greatest else None,
        )


def _same(one: Sample, other: Sample) -> bool:
    return one.value == other.value or (math.isnan(one.value) and math.isnan(other.value))


def _point(sample: Sample) -> Point:
    step = float(sample.ordinal) if sample.step is None else sample.step
    return Point(step, sample.value, sample.line, sample.time, sample.byte)


def start_shift(size: int | None) -> int:
    """Return the bucket size to begin with: an artifact of known size fills about four times `BUCKETS`, then joins them."""
    return 8 if size is None else max((size // (BUCKETS * 4)).bit_length(), 0)
