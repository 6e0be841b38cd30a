from __future__ import annotations

import math

import pytest

from runtriage.scan.steps import Cite, Steps
from tests.scan.reading import read


def loss(values: list[str]):
    data = "".join(f"step {n} loss {value}\n" for n, value in enumerate(values)).encode()
    (series,) = [each for each in read(data).series if each.name == "loss"]
    return series


def test_a_long_series_keeps_its_ends_extremes_and_every_odd_value():
    values = [f"{2 + n * 7919 % 1000 / 1000:.3f}" for n in range(20_000)]
    values[777], values[13_333] = "-4.5", "99.75"
    values[5000], values[5001], values[16_000] = "nan", "inf", "nan"
    series = loss(values)
    points = {point.step: point.value for point in series.points}
    assert (series.total, series.nonfinite) == (20_000, 3)
    assert len(series.points) < 2500
    assert (points[0], points[19_999]) == (2.0, float(values[-1]))
    assert series.minimum and (series.minimum.step, series.minimum.value) == (777, -4.5)
    assert series.maximum and (series.maximum.step, series.maximum.value) == (13_333, 99.75)
    assert series.first_nonfinite and series.first_nonfinite.step == 5000
    assert series.last_finite and series.last_finite.step == 4999
    assert math.isnan(points[16_000])


def test_a_short_series_is_kept_whole():
    values = [f"{n / 7:.6f}" for n in range(2000)]
    assert [point.value for point in loss(values).points] == [float(value) for value in values]


def test_a_setting_that_rarely_changes_keeps_each_change():
    values = [str(2.0 ** (16 - n // 3000)) for n in range(20_000)]
    points = {point.step: point.value for point in loss(values).points}
    assert all(points[step] == 2.0 ** (16 - step // 3000) for step in range(3000, 20_000, 3000))


def test_points_say_where_they_were_printed():
    series = loss([f"{n}.5" for n in range(10_000)])
    assert all(point.line == point.step + 1 for point in series.points)


def _attempts(number: int) -> bytes:
    one = (
        "torch.distributed.elastic.agent.server.api: [default] Worker group FAILED. 3/9 attempts left; will restart worker group\n"
        "step 1 loss {0}.5\nstep 2 loss nan\nstep 3 loss {0}.25\n"
    )
    return "".join(one.format(each) for each in range(number)).encode()


def test_a_series_over_many_attempts_is_kept_whole_or_thinned_as_in_one():
    short, long = ([each for each in read(_attempts(count)).series if each.name == "loss"] for count in (30, 3000))
    assert sum(each.total for each in short) == 90
    assert sum(len(each.points) for each in short) == 90
    assert sum(each.total for each in long) == 9000
    assert sum(each.nonfinite for each in long) == 3000


def test_the_progress_of_past_attempts_is_not_gone_through_again_at_each_new_one(monkeypatch: pytest.MonkeyPatch):
    asked: list[Steps] = []
    settle = Steps.settle

    def counted(self: Steps, cite: Cite) -> None:
        asked.append(self)
        settle(self, cite)

    monkeypatch.setattr(Steps, "settle", counted)
    read(_attempts(200))
    assert 200 <= len(asked) <= 800
