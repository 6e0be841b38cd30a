"""Series that keep their shape in fixed memory: first, last, extremes, non-finite values and changes stay exact."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple, Protocol, cast

from msgspec import Struct, field

from runtriage.model.series import Columns, Points, Series, floats
from runtriage.model.subject import Subject
from runtriage.scan.thin_numbers import Array, extremes, finite_flags, listed, places_nonfinite, same
from runtriage.scan.whole import Sample, Whole, least_and_greatest, packed, point, together

WHOLE: Final = 2048
"""A series of up to this many points is kept whole."""
BUCKETS: Final = 512
"""Longer ones keep first, least, greatest and last of at most this many stretches of the artifact."""
NONFINITE: Final = 256
"""Non-finite points that are kept."""
CHANGES: Final = 256
"""Points at which a value differs from the one before, kept while there are no more (settings that rarely change)."""


_SOME: Final = 1024
"""Values in which most metrics change too often already."""


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


class Maker(Protocol):
    """Makes samples of lines on demand."""

    def sample(self, ordinal: int, index: int, value: float, /) -> Sample:
        """Return the sample of one line."""
        ...

    def byte(self, index: int, /) -> int:
        """Return the offset of one line in the artifact."""
        ...

    def columns_of(self, rows: Sequence[int], /) -> Columns:
        """Return where lines stand, once for all that ask for the same lines; a step that is not printed is NaN."""
        ...


class Pick(NamedTuple):
    """A value that may be kept: its rank in the series, its line, and the value."""

    ordinal: int
    row: int
    value: float


class Picked(Struct, frozen=True):
    """What a bucket keeps of some lines."""

    key: int
    first: Pick
    least: Pick
    greatest: Pick
    last: Pick


class _Stretch(NamedTuple):
    """Values in printed order, the line each comes from and its rank in the series; samples are made when asked for."""

    values: Sequence[float]
    rows: Sequence[int]
    ordinals: Sequence[int]
    maker: Maker

    def make(self, index: int) -> Sample:
        return self.maker.sample(int(self.ordinals[index]), int(self.rows[index]), float(self.values[index]))

    def whole(self) -> Whole:
        return Whole(self.ordinals, array("d", self.values).tobytes(), self.maker.columns_of(self.rows))

    def byte(self, index: int) -> int:
        return self.maker.byte(int(self.rows[index]))

    def without(self, places: Sequence[int]) -> _Stretch:
        """Return the others, in order."""
        if isinstance(self.values, list):
            left = set(places)
            kept = [index for index in range(len(self.values)) if index not in left]
            rows, ordinals = ([each[index] for index in kept] for each in (self.rows, self.ordinals))
            return _Stretch([self.values[index] for index in kept], rows, ordinals, self.maker)
        finite = finite_flags(cast(Array, self.values))
        values, rows = (cast(Array, each)[finite] for each in (self.values, self.rows))
        ordinals = finite.nonzero()[0] + self.ordinals[0]
        return _Stretch(cast(Sequence[float], values), rows.tolist(), ordinals.tolist(), self.maker)


class Thin(Struct):
    """One metric of one subject as it grows; `shift` says how many bytes (a power of two) a bucket spans.

    `place` counts the numbers before it in the first line that prints it.
    What is kept depends on the samples alone, not on how the artifact was cut into blocks or shared among workers.
    """

    name: str
    shift: int
    total: int = 0
    whole: list[Whole] | None = field(default_factory=list[Whole])
    buckets: dict[int, Bucket] = field(default_factory=dict[int, Bucket])
    nonfinite: int = 0
    bad: list[Sample] = field(default_factory=list[Sample])
    before_bad: Sample | None = None
    changes: list[Sample] | None = field(default_factory=list[Sample])
    last: Sample | None = None
    last_finite: Sample | None = None
    place: int = 0
    late: bool = True
    """Whether changes are still to be looked for: a series that is kept whole, all its values finite, needs none."""
    held: int = 0
    """How many samples `whole` holds."""

    def extend(self, values: Sequence[float], rows: Sequence[int], maker: Maker) -> None:
        """Add values in printed order; `rows` tells the maker which line each comes from. Only what is kept is made."""
        if not len(values):
            return
        every = _Stretch(values, rows, range(self.total, self.total + len(values)), maker)
        odd = places_nonfinite(values)
        finite = self._finite(every, odd) if odd else every
        count = len(finite.values)
        if odd or self.takes_picked(count) or not self.late:
            self._change(every)
        if self.whole is not None and not self.takes_picked(count):
            self.whole += [finite.whole()] if count else []
            self.held += count
        else:
            if count:
                self.reach(finite.byte(count - 1))
            self._spread()
            self._fill(finite)
        if count:
            self.last_finite = finite.make(count - 1)
        self.total += len(values)
        self.last = every.make(len(values) - 1)
        self._shrink()

    def takes_picked(self, finite: int) -> bool:
        """Tell whether so many more finite values are too many to be kept whole."""
        return self.whole is None or self.held + finite > WHOLE

    def absorb(self, picked: Sequence[Picked], odd: Sequence[Pick], last: Pick, maker: Maker) -> None:
        """Add values of which it is known already what may be kept: of each bucket, and the non-finite ones.

        None of them changes what did not change before unless `notice` was told of them, and the first non-finite value came earlier.
        """
        self._spread()
        self.nonfinite += len(odd)
        self.bad.extend(maker.sample(*each) for each in odd[: NONFINITE - len(self.bad)])
        for each in picked:
            self.buckets[each.key] = _improved(self.buckets.get(each.key), each, maker)
        if picked:
            self.last_finite = self.buckets[picked[-1].key].last
        self.total = last.ordinal + 1
        self.last = maker.sample(*last)
        self._shrink()

    def _finite(self, every: _Stretch, odd: Sequence[int]) -> _Stretch:
        """Keep the non-finite values, whose places are given, and return the others."""
        if not self.nonfinite:
            self.before_bad = every.make(odd[0] - 1) if odd[0] else self.last_finite
        self.nonfinite += len(odd)
        self.bad.extend(every.make(index) for index in odd[: NONFINITE - len(self.bad)])
        return every.without(odd)

    @property
    def changing(self) -> bool:
        """Tell whether values that differ from the one before are still few enough to be kept."""
        self._look_back()
        return self.changes is not None

    def notice(self, values: Sequence[float], rows: Sequence[int], maker: Maker) -> None:
        """Look for changes in values, in printed order, before they are absorbed."""
        self._change(_Stretch(values, rows, range(self.total, self.total + len(values)), maker))

    def _look_back(self) -> None:
        """Look for changes in what was kept whole."""
        if not self.late:
            return
        self.late = False
        before: float | None = None
        for part in self.whole or ():
            for index, value in enumerate(floats(part.values)):
                if value != before:
                    if self.changes is None or len(self.changes) >= CHANGES:
                        self.changes = None
                        return
                    self.changes.append(part.sample(index))
                before = value

    def _change(self, every: _Stretch) -> None:
        self._look_back()
        if self.changes is None:
            return
        before, room = self.last.value if self.last else None, CHANGES - len(self.changes)
        found: list[int] = []
        parts = (every.values[:_SOME], every.values[_SOME:])
        for index, value in enumerate(chain.from_iterable(map(listed, parts))):
            if value != before and (before is None or not same(before, value)):
                found.append(index)
                if len(found) > room:
                    self.changes = None
                    return
            before = value
        self.changes.extend(every.make(index) for index in found)

    def _fill(self, finite: _Stretch) -> None:
        """Add values to the buckets: of each bucket only the first, the last and the extremes are made."""
        low, count = 0, len(finite.values)
        while low < count:
            key = finite.byte(low) >> self.shift
            high = bisect_left(range(count), (key + 1) << self.shift, low, key=finite.byte)
            values = finite.values[low:high]
            least, greatest = extremes(values)
            old = self.buckets.get(key)
            self.buckets[key] = Bucket(
                old.first if old else finite.make(low),
                old.least if old and old.least.value <= values[least] else finite.make(low + least),
                old.greatest if old and old.greatest.value >= values[greatest] else finite.make(low + greatest),
                finite.make(high - 1),
            )
            low = high

    def _put(self, key: int, bucket: Bucket) -> None:
        mine = self.buckets.get(key)
        self.buckets[key] = bucket if mine is None else mine.joined(bucket)

    def _spread(self) -> None:
        if self.whole is not None:
            whole, self.whole = self.whole, None
            for sample in chain.from_iterable(part.samples() for part in whole):
                self._put(sample.byte >> self.shift, Bucket(sample, sample, sample, sample))

    def reach(self, size: int) -> None:
        """Make buckets as large as those of an artifact of at least so many bytes: where its size is known only at the end, as if it were known."""
        while self.shift < start_shift(size):
            self._coarsen()

    def _shrink(self) -> None:
        while len(self.buckets) > BUCKETS:
            self._coarsen()

    def _coarsen(self) -> None:
        old, self.buckets, self.shift = self.buckets, {}, self.shift + 1
        for key, bucket in old.items():
            self._put(key >> 1, bucket)

    def merge(self, later: Thin) -> None:
        """Add what the same metric did further on; its samples must already count on from `total`."""
        while self.shift < later.shift:
            self._coarsen()
        while later.shift < self.shift:
            later._coarsen()
        mine, more = self.whole, later.whole
        if mine is not None and more is not None and not self.takes_picked(later.held):
            if not (self.late and later.late):
                self._merge_changes(later)
            mine.extend(more)
            self.held += later.held
        else:
            self._merge_changes(later)
            self._spread()
            later._spread()
            for key, bucket in later.buckets.items():
                self._put(key, bucket)
        if not self.nonfinite and later.nonfinite:
            self.before_bad = later.before_bad or self.last_finite
        self.nonfinite += later.nonfinite
        self.bad = (self.bad + later.bad)[:NONFINITE]
        self.total += later.total
        self.last = later.last or self.last
        self.last_finite = later.last_finite or self.last_finite
        self._shrink()

    def _merge_changes(self, later: Thin) -> None:
        self._look_back()
        later._look_back()
        if self.changes is None or later.changes is None:
            self.changes = None
            return
        again = bool(self.last and later.changes and same(self.last.value, later.changes[0].value))
        joined = self.changes + later.changes[again:]
        self.changes = joined if len(joined) <= CHANGES else None

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
            None if self.whole is None else [part.moved(ordinals, lines) for part in self.whole],
            {key: Bucket(*map(move, bucket)) for key, bucket in self.buckets.items()},
            self.nonfinite,
            [move(sample) for sample in self.bad],
            self.before_bad and move(self.before_bad),
            move_all(self.changes),
            self.last and move(self.last),
            self.last_finite and move(self.last_finite),
            self.place,
            self.late,
            self.held,
        )

    def result(self, artifact: str, role: str | None, subject: Subject) -> Series:
        """Return the value other stages see."""
        before = self.before_bad if self.nonfinite else self.last_finite
        least, greatest, points = self._kept()
        return Series(
            artifact=artifact,
            name=self.name,
            role=role,
            subject=subject,
            points=points,
            total=self.total,
            nonfinite=self.nonfinite,
            first_nonfinite=point(self.bad[0]) if self.bad else None,
            last_finite=point(before) if before else None,
            minimum=point(least) if least else None,
            maximum=point(greatest) if greatest else None,
        )

    def _kept(self) -> tuple[Sample | None, Sample | None, Points]:
        """Return the least and the greatest finite value, and all points."""
        if self.whole is not None and not self.nonfinite:
            whole = together(self.whole)
            return *least_and_greatest(whole), whole.points()
        finite = [*chain.from_iterable(part.samples() for part in self.whole or ())]
        finite += chain.from_iterable(self.buckets.values())
        edges = [sample for sample in (self.before_bad, self.last, self.last_finite) if sample is not None]
        kept = {sample.ordinal: sample for sample in (*finite, *self.bad, *(self.changes or ()), *edges)}
        least = min(finite, key=lambda sample: (sample.value, sample.ordinal), default=None)
        greatest = min(finite, key=lambda sample: (-sample.value, sample.ordinal), default=None)
        return least, greatest, packed([kept[ordinal] for ordinal in sorted(kept)]).points()


def _improved(old: Bucket | None, new: Picked, maker: Maker) -> Bucket:
    """Return a bucket with what came later; only what is kept is made."""
    return Bucket(
        old.first if old else maker.sample(*new.first),
        old.least if old and old.least.value <= new.least.value else maker.sample(*new.least),
        old.greatest if old and old.greatest.value >= new.greatest.value else maker.sample(*new.greatest),
        maker.sample(*new.last),
    )


def start_shift(size: int | None) -> int:
    """Return the bucket size to begin with: `BUCKETS` of them hold an artifact of known size."""
    return 0 if size is None else (size // BUCKETS).bit_length()
