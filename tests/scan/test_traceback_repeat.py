from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtriage.model.subject import NOBODY
from runtriage.scan.contract import Reading, Row
from runtriage.scan.events import Counted
from runtriage.scan.fold import Group, Tally
from runtriage.scan.traceback import read_traceback
from runtriage.scan.traceback_repeat import Record, Repeats
from tests.scan.reading import read as scan

STACK = ["Traceback (most recent call last):", '  File "/home/ml/train.py", line 5, in <module>', "    main()"]


def text(prefix: str, last: str) -> bytes:
    return "".join(f"{prefix}{line}\n" for line in [*STACK, last]).encode()


def rows(data: bytes, start: int, length: int) -> Iterator[Row]:
    yield Row(start, start, b"")
    at = start
    while at < len(data):
        end = data.index(b"\n", at)
        yield Row(at, end, data[at + length : end])
        at = end + 1


def read(data: bytes, start: int, length: int) -> Reading:
    return read_traceback("traceback", rows(data, start, length))


def note(repeats: Repeats, data: bytes, start: int, speaker: bytes, reading: Reading) -> None:
    for draft in reading.drafts:
        repeats.note(data, (start, len(data)), b"", speaker, Counted(Tally(Group(), None), 0, draft, NOBODY))


def test_a_known_traceback_gives_what_reading_it_again_would():
    prefix = "[rank5]: "
    one = text(prefix, "RuntimeError: peer gone")
    data = one * 6
    repeats, speaker = Repeats(), b"[rank5]:"
    for number in range(6):
        start = number * len(one)
        known = repeats.recall(data, start, len(data), speaker)
        reading = read(data, start, len(prefix))
        (draft,) = reading.drafts
        if number == 0:
            assert known is None
        else:
            assert known is not None
            counted, by = known.counted, start - known.start
            assert (counted.draft.start + by, counted.draft.end + by) == (draft.start, draft.end)
            assert counted.draft.captures == draft.captures
        note(repeats, data, start, speaker, reading)


def test_another_message_or_another_speaker_is_not_known():
    one, other = text("", "RuntimeError: peer gone"), text("", "RuntimeError: out of memory")
    data = one * 4 + other
    repeats = Repeats()
    for number in range(4):
        note(repeats, data, number * len(one), b"", read(data, number * len(one), 0))
    assert repeats.recall(data, 0, len(data), b"") is not None
    assert repeats.recall(data, 4 * len(one), len(data), b"") is None
    assert repeats.recall(data, 0, len(data), b"[rank1]:") is None


def test_a_traceback_whose_meaning_lies_around_it_is_always_read():
    one = text("", "RuntimeError: peer gone")
    link = b"\nThe above exception was the direct cause of the following exception:\n\n"
    data = (one + link + one) * 5
    repeats, size = Repeats(), len(one + link + one)
    for number in range(5):
        note(repeats, data, number * size, b"", read(data, number * size, 0))
    assert repeats.recall(data, 0, len(data), b"") is None


def flood(rng: random.Random) -> bytes:
    """Many tracebacks, most of them equal, with signatures in and between them, of a few ranks and attempts."""
    lasts = [
        "RuntimeError: No space left on device: '/a/b'",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB",
        "ValueError: gradient overflow, DataLoader worker (pid 77)",
        "RuntimeError: " + "long " * 900 + "gradient overflow",
        "RuntimeError: peer gone",
    ]
    between = [
        "gradient overflow",
        "step {n} loss 2.5",
        "During handling of the above exception, another exception occurred:\n",
        "Worker group FAILED. 2/3 attempts left; will restart worker group",
        "torch/nn/modules ",
    ]
    parts: list[str] = []
    for number in range(rng.randrange(4, 60)):
        prefix = rng.choice(("[rank0]: ", "[rank1]: ", ""))
        lines = [*STACK, rng.choice(lasts[: rng.randrange(1, 6)])]
        if rng.random() < 0.25:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(between).format(n=number))
        parts += [f"{prefix}{line}\n" for line in lines]
    return "".join(parts).encode()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_passing_over_known_tracebacks_says_what_going_through_them_says(seed: int):
    rng = random.Random(seed)
    data, block = flood(rng), rng.choice((16_384, 20_000, 524_288))
    quick = repr(scan(data, block=block))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Record, "close", lambda _: None)
        patch.setattr(Repeats, "glance", lambda *_: None)
        assert repr(scan(data, block=block)) == quick
