from __future__ import annotations

import random

from runtriage.api.history_fleet import nodes, weeks


def test_weeks_have_no_gap_and_begin_on_monday() -> None:
    assert weeks([("2026-01-01", 2), ("2026-01-04", 1), ("2026-01-20", 5)]) == [
        ("2025-12-29", 3), ("2026-01-05", 0), ("2026-01-12", 0), ("2026-01-19", 5),
    ]  # fmt: skip
    assert weeks([]) == []
    assert len(weeks([("2020-01-01", 1), ("2026-01-01", 1)])) == 26


def test_a_node_that_fails_far_more_than_the_others_stands_out() -> None:
    counts = [("bad", 12), *((f"n{number}", 2) for number in range(20))]
    assert [node.name for node in nodes(counts) if node.stands_out] == ["bad"]


def test_chance_alone_makes_no_node_stand_out() -> None:
    wrong = 0
    for seed in range(100):
        chance = random.Random(seed)
        counts = {f"n{number}": 0 for number in range(40)}
        for _ in range(200):
            counts[chance.choice(list(counts))] += 1
        wrong += any(node.stands_out for node in nodes(sorted(counts.items(), key=lambda item: -item[1])))
    assert wrong <= 3


def test_too_few_failures_or_nodes_say_nothing() -> None:
    assert not any(node.stands_out for node in nodes([("a", 2), ("b", 0), ("c", 0)]))
    assert not any(node.stands_out for node in nodes([("a", 50), ("b", 1)]))
    assert nodes([]) == []
