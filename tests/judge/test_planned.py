"""The last step or epoch that the settings name was printed, and nothing else says how the run ended."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.judge import judge
from runtriage.model.facts import Facts, RankProgress, Setting
from runtriage.model.subject import NOBODY
from tests.detect.build import series
from tests.judge.build import at, facts, progress

pytestmark = pytest.mark.usefixtures("untouched_world")


def _set(run: Facts, **values: str) -> Facts:
    made = (Setting(name=name, value=value, role=name, citation=at("c.yaml", 1)) for name, value in values.items())
    return replace(run, settings=tuple(made))


@pytest.mark.parametrize(
    ("settings", "last", "status"),
    [
        ({"max_steps": "1000"}, 1000, "completed"),
        ({"max_steps": "1000"}, 999, "completed"),
        ({"max_steps": "1000"}, 800, "unknown"),
        ({"max_steps": "-1"}, 1000, "unknown"),
        ({"max_steps": "auto"}, 1000, "unknown"),
        ({"epochs": "3"}, 1000, "unknown"),
        ({}, 1000, "unknown"),
    ],
)
def test_a_run_that_printed_its_planned_last_step_completed(settings: dict[str, str], last: int, status: str) -> None:
    assert judge([], _set(facts(entries=[progress(last, 90)]), **settings)).run_status == status


def test_settings_that_disagree_and_a_rank_that_lags_leave_it_open() -> None:
    both = facts(entries=[progress(1000, 90, rank=0), progress(700, 80, rank=1)])
    assert judge([], _set(both, max_steps="1000")).run_status == "unknown"
    twice = _set(facts(entries=[progress(1000, 90)]), max_steps="1000")
    other = replace(twice.settings[0], value="2000")
    assert judge([], replace(twice, settings=(*twice.settings, other))).run_status == "unknown"


@pytest.mark.parametrize(
    ("printed", "planned", "status"), [(10, "10", "completed"), (7, "10", "unknown"), (40, "10", "unknown")]
)
def test_epochs_count_where_one_line_sums_each_of_them_up(printed: int, planned: str, status: str) -> None:
    losses = series("loss", "loss", [3.0 - n / 50 for n in range(printed)])
    end = losses.points[-1]
    losses = replace(losses, points=(*losses.points[:-1], replace(end, step=min(printed, 10))))
    entry = RankProgress(
        artifact=losses.artifact,
        subject=NOBODY,
        last_epoch=min(printed, 10),
        last_progress=at(losses.artifact, end.line),
    )
    assert judge([], _set(replace(facts(entries=[entry]), series=(losses,)), epochs=planned)).run_status == status
