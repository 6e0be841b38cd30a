"""Floods of known tracebacks are passed over by who looks for metric lines and counts line breaks; nothing that is said changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from runtriage.model.subject import Subject
from runtriage.scan import traceback_flood
from runtriage.scan.block import Block
from runtriage.scan.metrics import MetricFinder
from runtriage.scan.table import Rows
from runtriage.scan.traceback_flood import Flood, Floods
from tests.scan.reading import read

SETTLED = "RuntimeError: peer gone"
METRIC = "   step 70 loss 2.5"
"""A line that a program prints in between, and that might be one of a frame."""


def traceback(prefix: str, depth: int, last: str, extra: str = "") -> str:
    frames = [f'  File "/home/ml/layer{level}.py", line {level}, in forward\n    x = f(x)' for level in range(depth)]
    text = "\n".join(("Traceback (most recent call last):", *frames, *([extra] if extra else ()), last))
    return "".join(f"{prefix}{line}\n" for line in text.split("\n"))


def log(rng: random.Random) -> bytes:
    """Metric lines, floods, and between the tracebacks of a flood now and then a line that means something."""
    prefixes = [f"[rank{rank}]: " for rank in range(rng.randrange(1, 9))] if rng.random() < 0.8 else [""]
    pool = [
        traceback(
            prefix, rng.choice((1, 3, 9)), rng.choice((SETTLED, "KeyError: 'w'")), METRIC if rng.random() < 0.2 else ""
        )
        for prefix in prefixes
        for _ in range(2)
    ]
    parts: list[str] = []
    step = 0
    for _ in range(rng.randrange(2, 5)):
        for _ in range(rng.randrange(20, 200)):
            step += 1
            parts.append(f"{rng.choice(prefixes)}step {step} loss {rng.random():.3f}\n")
        for _ in range(rng.randrange(50, 400)):
            parts.append(rng.choice(pool))
            if rng.random() < 0.02:
                parts.append(
                    f"{rng.choice(prefixes)}{rng.choice(('step 3 loss 9.5', 'gradient overflow', '', 'INFO done'))}\n"
                )
    return "".join(parts).encode()


def nothing(*_: object) -> list[Flood]:
    """Look for no floods."""
    return []


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
@example(0)
def test_floods_that_are_passed_over_say_what_they_say_line_by_line(seed: int) -> None:
    rng = random.Random(seed)
    data, block = log(rng), rng.choice((4096, 20_000, 100_000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traceback_flood, "_LEAST", 500)
        quick = repr(read(data, block=block))
        patch.setattr(Floods, "survey", nothing)
        assert repr(read(data, block=block)) == quick


def test_a_metric_line_within_a_known_traceback_counts_every_time() -> None:
    told = "".join(f"[rank0]: step {step} loss 1.{step}\n" for step in range(1, 30))
    flood = read((told + traceback("[rank0]: ", 3, SETTLED, METRIC) * 400).encode(), block=50_000)
    assert [each.total for each in flood.series if each.name == "loss"] == [29 + 400]


def test_lines_behind_a_flood_have_their_own_numbers() -> None:
    flood = [traceback(f"[rank{rank}]: ", rank, SETTLED) for rank in range(1, 5)]
    rng = random.Random(4)
    text = "".join(rng.choice(flood) for _ in range(3000)) + "[rank1]: gradient overflow\n"
    found = read(text.encode(), block=200_000)
    overflow = next(event for event in found.events if event.name.startswith("overflow"))
    assert overflow.citation.first_line == text.count("\n")
    assert found.read.lines == text.count("\n")


def test_only_the_first_of_a_flood_is_searched_for_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []
    region = MetricFinder._region  # pyright: ignore[reportPrivateUsage]

    def counted(self: MetricFinder, block: Block, start: int, end: int, single: dict[Subject, Rows]) -> object:
        searched.append(end - start)
        return region(self, block, start, end, single)

    monkeypatch.setattr(MetricFinder, "_region", counted)
    told = "".join(f"[rank0]: step {step} loss 1.{step}\n" for step in range(1, 30))
    data = (told + traceback("[rank0]: ", 9, SETTLED) * 2000).encode()
    read(data, block=100_000)
    assert sum(searched) < 300_000 < len(data)
