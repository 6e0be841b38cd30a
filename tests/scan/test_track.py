from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtriage.scan.contract import MetricLine
from runtriage.scan.track import Track
from tests.scan.dialects.series import LOGS
from tests.scan.reading import read


@dataclass
class Printed:
    steps: list[tuple[int, int | None]]

    def said(self, index: int) -> MetricLine:
        return MetricLine(self.steps[index][0], None, self.steps[index][1], ())

    def total(self, index: int) -> int | None:
        return self.steps[index][1]

    def totals(self, rows: Sequence[int]) -> set[int | None]:
        return {self.steps[row][1] for row in rows}


def last(*steps: tuple[int, int | None]) -> int | None:
    track, found = Track(), None
    for step in steps:
        found = step[0] if track.follow(Printed([step]), [0]) else found
    at_once = Track().follow(Printed(list(steps)), range(len(steps)))
    assert (steps[at_once[-1]][0] if at_once else None) == found
    return found


def test_the_bar_of_an_evaluation_does_not_move_the_run():
    assert last((7, 24), (8, 24), (1, 8), (8, 8), (9, 24)) == 9
    assert last((8, 24), (1, 8), (8, 8), (24, 24), (3, 8), (8, 8)) == 24


def test_a_run_that_dies_in_its_first_evaluation_stands_where_training_stood():
    assert last((8, 24), (1, 8), (3, 8)) == 8


def test_the_next_bar_after_a_full_one_is_the_run_s_next_stage():
    assert last((4000, 5000), (5000, 5000), (1, 24), (12, 24)) == 12


def test_steps_without_a_total_are_always_the_run_s():
    assert last((5, None), (10, None)) == 10
    assert last((5, 24), (10, None)) == 10


def test_a_recorded_trainer_log_ends_at_its_last_training_step():
    (progress,) = read((LOGS / "hf-trainer.txt").read_bytes()).progress
    assert (progress.last_step, progress.total_steps) == (24, 24)
