"""Tracebacks counted many at once say what each looked at by itself says."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from runtriage.scan import engine, traceback_train
from runtriage.scan.block import AHEAD
from runtriage.scan.traceback_repeat import Known, Record, Repeats
from tests.scan.reading import read as scan

LASTS = (
    "RuntimeError: peer gone",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB",
    "KeyError: 'weights'",
    "KeyboardInterrupt",
    "RuntimeError: No space left on device: '/a/b'\r",
    "ValueError: gradient overflow, DataLoader worker (pid 77)",
)
ODD = (
    "",
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
    "Exception ignored in: <function _wait at 0x7f>",
    "Exception in thread Thread-3:",
    "step 7 loss 2.5",
    "Worker group FAILED. 2/3 attempts left; will restart worker group",
    "gradient overflow",
    "    and a line more of it",
)


def traceback(rng: random.Random, last: str) -> list[str]:
    depth = rng.choice((1, 3, 12))
    frames = [f'  File "/home/ml/layer{level}.py", line {level}, in forward\n    x = f(x)' for level in range(depth)]
    return ["Traceback (most recent call last):", *frames, last]


def dense(rng: random.Random) -> bytes:
    """Many tracebacks directly behind one another, a few of each rank, now and then with something between or in them."""
    ranks = rng.randrange(1, 7)
    prefixes = [rng.choice(("[rank{}]: ", "[rank{}]: ", "[default{}]:")).format(rank) for rank in range(ranks)]
    prefixes = [""] if rng.random() < 0.2 else prefixes
    pool = [(prefix, traceback(rng, rng.choice(LASTS))) for prefix in prefixes for _ in range(rng.choice((1, 1, 2)))]
    parts: list[str] = [f"{prefixes[0]}INFO start\n"]
    rare = rng.choice((0.0, 0.01, 0.03))
    for _ in range(rng.randrange(200, 500)):
        prefix, lines = rng.choice(pool)
        if rng.random() < rare:
            lines = [*lines]
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(ODD))
        parts += [f"{prefix}{part}\n" for line in lines for part in line.split("\n")]
        if rng.random() < rare:
            parts.append(f"{rng.choice(prefixes)}{rng.choice(ODD)}\n")
    return "".join(parts).encode()


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32))
@example(0)
def test_many_at_once_say_what_one_after_another_says(seed: int) -> None:
    rng = random.Random(seed)
    data, block = dense(rng), rng.choice((4096, 16_384, 50_000))
    quick = repr(scan(data, block=block))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Repeats, "row", lambda *_: ([], []))
        assert repr(scan(data, block=block)) == quick
        patch.setattr(Record, "close", lambda _: None)
        patch.setattr(Repeats, "glance", lambda *_: None)
        assert repr(scan(data, block=block)) == quick


def _row(rng: random.Random) -> tuple[traceback_train.Row, bytes]:
    """Known tracebacks of three ranks; some are so long that the next of a rank stands where its reader's look ends."""
    ends = ["RuntimeError: peer gone", "KeyError: 'weights'"]
    texts = [
        (
            f"[rank{rank}]:",
            f"[rank{rank}]: Traceback (most recent call last):\n[rank{rank}]:   File {fill}\n[rank{rank}]: {end}",
        )
        for rank in range(3)
        for end in ends[: rng.choice((1, 1, 2))]
        for fill in ("x" * rng.randrange(10), "x" * (AHEAD - rng.randrange(60, 260)))[: 1 + (rank == 2)]
    ]
    known = [Known(cast(Any, None), 0, 0, f"{name} ".encode(), name.encode(), text.encode()) for name, text in texts]
    chosen = [rng.choice(known) for _ in range(rng.randrange(8, 40))]
    starts = list(accumulate((len(each.text) + 1 for each in chosen), initial=300))[:-1]
    data = (
        b"\n" * 300 + b"".join(each.text + b"\n" for each in chosen) + rng.choice((b"", b"[rank1]: step 7\n", b"[rank"))
    )
    return traceback_train.Row(chosen, starts, rng.randrange(8, len(chosen) + 1)), data


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_where_no_order_matters_all_are_told_at_once_as_they_are_one_by_one(seed: int) -> None:
    row, data = _row(random.Random(seed))

    def speaker(line: bytes) -> tuple[int, bytes]:
        return 9, line[:8]

    quick = traceback_train.lone(row, data, len(data), speaker)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traceback_train, "_always", lambda *_: False)
        assert traceback_train.lone(row, data, len(data), speaker) == quick


def test_of_a_flood_of_ranks_only_the_first_and_the_last_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    alone = engine.stands_alone
    monkeypatch.setattr(engine, "stands_alone", lambda *lines: looked.append(1) or alone(*lines))
    rng = random.Random(3)
    texts = [
        "".join(
            f"[rank{rank}]: {line}\n"
            for line in (
                "Traceback (most recent call last):",
                '  File "/home/ml/train.py", line 5, in <module>',
                "    main()",
                "RuntimeError: peer gone",
            )
        )
        for rank in range(4)
    ]

    found = scan("".join(rng.choice(texts) for _ in range(4000)).encode(), block=65_536)

    assert sum(event.count for event in found.events if event.kind == "exception") == 4000
    assert len(looked) < 1000
