"""A rank is a straggler when its own part of the step is slow and its peers wait for it."""

from __future__ import annotations

import pytest

from runtriage.detect.straggler import find
from runtriage.model.series import Series
from tests.detect.build import CATALOGUE, facts, series

pytestmark = pytest.mark.usefixtures("untouched_world")

QUICK = [0.1] * 12
LATE = [0.1] * 4 + [120.0] * 8


def steps(slow: list[float], wait: list[float], ranks: int = 3) -> list[Series]:
    found = [series("data_time", "data_time", slow if rank == 2 else QUICK, rank=rank) for rank in range(ranks)]
    return found + [
        series("compute_and_wait", "", [5.0] * 12 if rank == 2 else wait, rank=rank) for rank in range(ranks)
    ]


def test_the_rank_whose_data_take_long_while_its_peers_wait_is_named() -> None:
    (match,) = find(facts(curves=steps(LATE, [5.0] * 4 + [125.0] * 8)), CATALOGUE)
    assert match.mode == "nccl/straggler-rank"
    assert match.subject.rank == 2
    assert match.step == 5


@pytest.mark.parametrize(
    "curves",
    [
        steps(LATE, [5.0] * 12),
        steps([0.2] * 12, [125.0] * 12),
        steps(LATE, [5.0] * 4 + [125.0] * 8, ranks=2),
        [],
    ],
)
def test_nobody_is_named_when_nobody_waits_or_nobody_stands_out(curves: list[Series]) -> None:
    assert not list(find(facts(curves=curves), CATALOGUE))
