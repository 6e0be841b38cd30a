"""What happened along a curve, as signs on its drawing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.model.report import CheckpointModel, CitationModel, EvidenceModel, SeriesSummary
from runtriage.render.sparkline import curve
from runtriage.render.svg_curve import Chart, charts
from tests.render.build import report

pytestmark = pytest.mark.usefixtures("untouched_world")

FALLING: list[tuple[float, float | None]] = [(float(step), 4.0 - step / 100) for step in range(0, 300, 10)]


def series(points: list[tuple[float, float | None]], name: str = "loss", role: str = "loss") -> SeriesSummary:
    return SeriesSummary(name=name, role=role, artifact="a.log", total=len(points), curve=points)


def drawn(*metrics: SeriesSummary, **changes: object) -> Chart:
    return charts(report(metrics=list(metrics), **changes))[0]


def kinds(chart: Chart) -> list[tuple[str, str]]:
    return [(sign.kind, sign.text) for sign in chart.signs]


def test_a_value_far_above_both_sides_is_a_spike_and_a_rise_that_stays_is_none() -> None:
    spiked = [(step, 30.0 if step == 150 else value) for step, value in FALLING]
    risen = [(step, 30.0 if step >= 150 else value) for step, value in FALLING]
    assert kinds(drawn(series(spiked))) == [("spike", "spike to 30 at step 150")]
    assert kinds(drawn(series(risen))) == []


def test_steps_that_go_back_once_are_a_restart() -> None:
    found = drawn(series([*FALLING[:20], *FALLING[15:]]))
    assert kinds(found) == [("restart", "from step 190 back to 150")]
    assert found.legend == [("restart", "steps begin again")]


def test_evaluations_and_checkpoints_stand_at_their_steps_and_those_outside_are_left_out() -> None:
    saved = [
        CheckpointModel(path="1", step=100, valid=True, last_good=True),
        CheckpointModel(path="2", step=200, valid=False),
        CheckpointModel(path="3", step=9000, valid=True),
    ]
    found = drawn(
        series(list(FALLING)), series([(120.0, 1.0), (240.0, 0.5)], "val_loss", "eval_loss"), checkpoints=saved
    )
    assert [kind for kind, _ in kinds(found)] == ["evaluation", "evaluation", "damaged", "resume"]
    assert found.signs[3].x < found.signs[2].x


def test_a_curve_of_evaluations_is_not_marked_with_itself() -> None:
    assert kinds(drawn(series([(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)], "val_loss", "eval_loss"))) == []


def test_the_terminal_draws_the_series_that_decided_with_the_point_where_it_went_wrong() -> None:
    rising = series([(float(step), float(step)) for step in range(10)], "val_loss", "eval_loss")
    place = CitationModel(artifact="a.log", first_line=3, series="val_loss", first_step=5.0)
    said = report(
        metrics=[series(list(FALLING)), rising],
        evidence=[EvidenceModel(id="e", claim="c", citation=place, role="root")],
    )
    assert curve(said) == "val_loss ▁▁▂▃▄╎▄▅▆▇█ nan → nan (10 points, ╎ step 5)"


def test_values_that_are_not_finite_show_the_point_themselves() -> None:
    place = CitationModel(artifact="a.log", first_line=3, series="loss", first_step=3.0)
    broken = replace(series([(1.0, 2.0), (2.0, 1.0), (3.0, None), (4.0, None)]), nonfinite=2)
    said = report(metrics=[broken], evidence=[EvidenceModel(id="e", claim="c", citation=place, role="root")])
    drawn_line = curve(said)
    assert drawn_line is not None
    assert "█▁✗✗" in drawn_line
    assert "╎" not in drawn_line
