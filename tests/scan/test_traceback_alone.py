"""What stands above and below a traceback gives it its meaning, however often its text was read before."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtriage.model.event import EXCEPTION
from runtriage.scan.result import ScanResult
from runtriage.scan.traceback_repeat import Repeats
from tests.scan.reading import read
from tests.scan.test_join import in_parts

STACK = ["Traceback (most recent call last):", '  File "/home/ml/train.py", line 5, in <module>', "    main()"]
LASTS = [
    "RuntimeError: No space left on device: '/a/b'",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB",
    "KeyboardInterrupt",
    "mine.Oops: it broke",
    "ValueError: told:",
]
AROUND = [
    "gradient overflow",
    "\nDuring handling of the above exception, another exception occurred:\n",
    "The above exception was the direct cause of the following exception:",
    "2026-05-14 02:12:13,155 ERROR batch failed",
    "2026-05-14 02:12:13,155 WARNING skipping batch {n}",
    "2026-05-14 02:12:13,155 INFO step {n}",
    "Exception in thread Thread-{n}:",
    "Exception ignored in: <function f>",
    '"""',
    "",
    "    indented detail {n}",
    "-- Process 3 terminated with the following error:",
    "ValueError: bare",
    '  File "/home/ml/other.py", line 9, in f',
    "plain words",
    "    +-+---------------- 1 ----------------",
    "Worker group FAILED. 2/3 attempts left; will restart worker group",
]
LINK = b"\nDuring handling of the above exception, another exception occurred:\n\n"


def chunks(rng: random.Random, prefix: str) -> list[list[str]]:
    """Tracebacks of one speaker, some with lines above or below that may change what they mean."""
    lasts, around = rng.sample(LASTS, rng.randrange(1, 4)), rng.sample(AROUND, rng.randrange(1, 5))
    often = rng.choice((0.05, 0.15, 0.4))
    made: list[list[str]] = []
    for number in range(rng.randrange(4, 60)):
        lines = [*STACK, rng.choice(lasts)]
        if rng.random() < often:
            lines = [*rng.choice(around).format(n=number % 3).split("\n"), *lines]
        if rng.random() < often:
            lines += rng.choice(around).format(n=number % 3).split("\n")
        made.append([f"{prefix}{line}\n" for line in lines])
    return made


def flood(seed: int) -> bytes:
    """Many equal tracebacks of a few speakers, whole ones or line by line in turn."""
    rng = random.Random(seed)
    queues = [
        chunks(rng, prefix) for prefix in rng.sample(["[rank0]: ", "[rank1]: ", "[rank2]: ", ""], rng.randrange(1, 5))
    ]
    torn = rng.choice((0.0, 0.1, 1.0))
    lines: list[str] = []
    while queues:
        queue = rng.choice(queues)
        count = rng.randrange(1, len(queue[0]) + 1) if rng.random() < torn else len(queue[0])
        lines += queue[0][:count]
        queue[0] = queue[0][count:]
        if not queue[0]:
            queue.pop(0)
        if not queue:
            queues.remove(queue)
    return "".join(lines).encode()


def told(result: ScanResult) -> list[tuple[str, dict[str, str]]]:
    """All that events say, with the text that their representation hides."""
    return [(repr(event), {name: value.raw for name, value in event.captures.items()}) for event in result.events]


def nothing(*_: object) -> None:
    """Knows no traceback again."""


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_a_flood_says_what_reading_every_traceback_of_it_says(seed: int):
    data = flood(seed)
    quick = told(read(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Repeats, "recall", nothing)
        patch.setattr(Repeats, "glance", nothing)
        assert told(read(data)) == quick


@pytest.mark.parametrize("seed", range(20))
def test_stretches_of_a_flood_have_the_events_of_the_whole(seed: int):
    data = flood(seed)
    cuts = random.Random(seed).choices(range(1, len(data)), k=1 + seed % 12)
    assert told(in_parts(data, cuts)) == told(read(data))


def test_a_known_traceback_that_another_follows_is_its_inner_one():
    one = "".join(f"{line}\n" for line in [*STACK, "RuntimeError: peer gone"]).encode()
    events = [event for event in read(one * 6 + one + LINK + one + b"done\n").events if event.kind == EXCEPTION]
    chains = {event.captures["chain"].raw if "chain" in event.captures else "": event.count for event in events}
    assert chains == {"": 6, "inner": 1, "outer": 1}


def test_a_known_traceback_is_told_with_the_lines_that_its_message_goes_on_with():
    one = "".join(f"{line}\n" for line in [*STACK, "RuntimeError: peer gone"]).encode()
    messages = [event.captures["message"].raw for event in read(one * 5 + one + b"    at step 7\n" + one).events]
    assert messages == ["peer gone", "peer gone\nat step 7"]
