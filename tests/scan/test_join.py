"""Stretches of an artifact, scanned apart and joined, must say what one scan says."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.scan.join import join
from runtriage.scan.kit import Kit
from runtriage.scan.many import line_from
from runtriage.scan.result import ScanResult
from runtriage.scan.tail import Memory
from tests.scan.reading import RULES, read
from tests.scan.test_invariance import PIECES
from tests.scan.test_traceback_repeat import flood
from tests.scan.test_traceback_train import dense

LINES = st.lists(PIECES.filter(lambda piece: b"\x1b" not in piece), min_size=1, max_size=150).map(b"".join)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def in_parts(data: bytes, cuts: list[int]) -> ScanResult:
    artifact = Artifact(path="train.log", kind="log", size=len(data))
    kit = Kit(RULES, Options())
    starts = sorted({line_from(Memory(data), cut) for cut in cuts if 0 < cut < len(data)} - {len(data)})
    whole = None
    for start, stop in zip([0, *starts], [*starts, None], strict=True):
        part = kit.part(Memory(data), artifact, start, stop)
        if whole is None:
            whole = part
            continue
        if part.entered != whole.left:
            part = kit.part(Memory(data), artifact, start, stop, whole.left)
        join(whole, part)
    assert whole is not None
    return kit.finish(whole, artifact)


@QUICK
@given(LINES, st.lists(st.integers(1, 60_000), max_size=4))
def test_stretches_join_into_what_one_scan_says(data: bytes, cuts: list[int]):
    assert repr(in_parts(data, cuts)) == repr(read(data))


def test_steps_and_attempts_go_on_across_a_cut():
    data = b"\n".join(
        [
            b"[default] starting workers for entrypoint: bash",
            *[b"[rank0]: step %d loss 2.5" % n for n in range(500)],
            b"[rank0]: gradient overflow",
            b"Worker group FAILED. 2/3 attempts left; will restart worker group",
            *[b"[rank0]: step %d loss nan" % n for n in range(400)],
            b"[rank0]: gradient overflow",
            b"",
        ]
    )
    whole = read(data)
    assert [event.step for event in whole.events if event.kind == "signature"] == [499, 399]
    for cut in range(100, len(data), 997):
        assert repr(in_parts(data, [cut])) == repr(whole)


def floods(rng: random.Random) -> bytes:
    """Floods of tracebacks of all kinds."""
    kind = rng.random()
    if kind < 0.4:
        return b"".join(flood(rng) for _ in range(rng.randrange(1, 12)))
    if kind < 0.7:
        return dense(rng)[: rng.randrange(60_000, 160_000)]
    return b"".join(flood(rng) + dense(rng)[: rng.randrange(20_000)] for _ in range(3))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
@example(1146)
def test_what_a_reader_used_from_far_before_a_cut_stays_used(seed: int):
    rng = random.Random(seed)
    data = floods(rng)
    cuts = [rng.randrange(1, len(data)) for _ in range(rng.randrange(1, 5))]
    assert repr(in_parts(data, cuts)) == repr(read(data))


def test_a_series_of_many_points_is_thinned_alike():
    data = b"".join(b"step %d loss %d.%d lr 0.001\n" % (n, n * 7919 % 31, n % 10) for n in range(30_000))
    whole = read(data)
    assert [series.total for series in whole.series] == [30_000, 30_000]
    assert all(len(series.points) < 4000 for series in whole.series)
    assert repr(in_parts(data, [len(data) // 3, len(data) // 2])) == repr(whole)


def test_a_last_line_without_a_time_takes_that_of_the_nearest_before_it_across_a_cut():
    timed = b"".join(b"[rank1]: 2026-05-14 02:03:%02d step %d loss 2.5\n" % (n % 60, n) for n in range(50))
    spoken = b"[rank1]: 2026-05-14 02:05:00 saving\n"
    last = b"[rank1]: and nothing after it\n"
    for between in (100, 50_000, 80_000):
        filler = b"[rank0]: still here, waiting for the other one\n" * (between // 46)
        data = timed + spoken + filler + last
        whole = read(data)
        for cut in (len(timed) + len(spoken) + 10, len(data) - len(last) - 60, len(data) - len(last)):
            assert repr(in_parts(data, [cut])) == repr(whole)
