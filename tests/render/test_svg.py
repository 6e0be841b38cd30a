from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert

from runtriage.model.report import CascadeModel, CitationModel, EvidenceModel, LastProgress, Report, SeriesSummary
from runtriage.render.svg_curve import HEIGHT, WIDTH, Chart, charts
from runtriage.render.svg_timeline import Timeline, timeline
from tests.render.build import report

pytestmark = pytest.mark.usefixtures("untouched_world")


def cite(line: int, artifact: str = "a.log") -> CitationModel:
    return CitationModel(artifact=artifact, first_line=line, last_line=line)


def effect(line: int, *ranks: int, artifact: str = "a.log") -> CascadeModel:
    return CascadeModel(mode="m", text=f"effect {line}", citation=cite(line, artifact), ranks=list(ranks))


def seen(line: int, time: str | None, role: str = "support", artifact: str = "a.log") -> EvidenceModel:
    return EvidenceModel(id="e", claim=f"claim {line}", citation=cite(line, artifact), role=role, time=time)


def drawn(**changes: object) -> Timeline:
    found = timeline(report(**changes))
    assert found is not None
    return found


def test_the_root_stands_first_even_if_an_effect_is_printed_before_it() -> None:
    found = drawn(evidence=[seen(50, "08:00:09", "root")], cascade=[effect(10, 0), effect(60, 1)])
    assert [item.text for item in found.events] == ["claim 50", "effect 10", "effect 60"]
    assert [row.label for row in found.rows if row.first] == ["rank 37"]


def test_effects_with_comparable_times_stand_in_their_order() -> None:
    evidence = [seen(1, None, "root"), seen(2, "E1129 14:03:53.5"), seen(3, "2026-11-29 14:03:52,9")]
    found = drawn(evidence=evidence, cascade=[effect(2, 0), effect(3, 1)])
    assert [item.text for item in found.events] == ["claim 1", "effect 3", "effect 2"]
    assert "printed times" in found.note


def test_a_longer_wait_takes_more_room() -> None:
    times = ["08:00:00", "08:00:01", "08:10:00"]
    evidence = [seen(1, None, "root"), *(seen(line, time) for line, time in zip((2, 3, 4), times, strict=True))]
    found = drawn(evidence=evidence, cascade=[effect(2), effect(3), effect(4)])
    (_, one, two, three) = (x for x, _ in found.columns)
    assert three - two > two - one


def test_times_of_perhaps_two_days_give_no_order() -> None:
    evidence = [seen(1, None, "root"), seen(9, "23:59:59"), seen(5, "00:00:03", artifact="b.log")]
    found = drawn(evidence=evidence, cascade=[effect(9, 0), effect(5, 1, artifact="b.log")])
    assert [item.text for item in found.events[1:]] == ["effect 9", "effect 5"]
    assert "do not give one order" in found.note


def test_without_times_the_lines_of_one_log_order_the_effects() -> None:
    found = drawn(evidence=[seen(1, None, "root")], cascade=[effect(9, 0), effect(5, 1)])
    assert [item.text for item in found.events[1:]] == ["effect 5", "effect 9"]


def test_many_ranks_that_tell_the_same_share_a_row() -> None:
    found = drawn(evidence=[seen(1, None, "root")], cascade=[effect(2, *(set(range(64)) - {37}))])
    assert [row.label for row in found.rows] == ["ranks 0 to 36", "rank 37", "ranks 38 to 63"]
    assert found.events[1].named == "0-36, 38-63"


def test_few_ranks_have_a_row_each_and_the_job_comes_last() -> None:
    found = drawn(evidence=[seen(1, None, "root")], cascade=[effect(2, 0, 1), effect(3)])
    assert [row.label for row in found.rows] == ["rank 0", "rank 1", "rank 37", "job"]


def test_a_run_that_recovered_shows_what_it_left_behind() -> None:
    found = drawn(primary_cause=None, run_status="recovered", evidence=[seen(9, "08:00:02"), seen(3, "08:00:01")])
    assert [(item.text, item.kind) for item in found.events] == [("claim 3", "effect"), ("claim 9", "effect")]
    assert (found.end.kind, "root" in found.note) == ("good", False)
    assert not any(row.first for row in found.rows)


def test_a_recovery_ends_well() -> None:
    found = drawn(evidence=[seen(1, None, "root")], run_status="recovered")
    assert (found.end.kind, found.end_text) == ("good", "recovered")


def test_a_run_in_which_nothing_failed_has_no_timeline() -> None:
    assert timeline(report(primary_cause=None)) is None


def series(curve: list[tuple[float, float | None]], **changes: object) -> SeriesSummary:
    return convert(
        {"name": "loss", "role": "loss", "artifact": "a.log", "total": len(curve), "curve": curve, **changes},
        SeriesSummary,
    )


def chart(curve: list[tuple[float, float | None]], **changes: object) -> Chart:
    (found,) = charts(report(metrics=[series(curve)], **changes))
    return found


def cited(step: float) -> Report:
    place = CitationModel(artifact="a.log", first_line=3, series="loss", first_step=step)
    return report(evidence=[EvidenceModel(id="e", claim="c", citation=place, role="root")], metrics=[series([(0, 4.0), (10, 2.0), (20, None), (30, None)])])  # fmt: skip


def test_the_step_that_the_root_cites_is_marked() -> None:
    (found,) = charts(cited(20.0))
    assert [(mark.text, mark.kind) for mark in found.marks] == [("step 20", "failure")]


def test_steps_without_a_finite_value_are_a_stretch_of_their_own() -> None:
    (found,) = charts(cited(20.0))
    ((place, width),) = found.gaps
    assert found.left < place
    assert place + width == found.right


def test_a_series_that_the_evidence_does_not_cite_is_marked_at_the_last_step() -> None:
    found = chart([(0, 1.0), (500, 2.0)], last_progress=LastProgress(step=400))
    assert [mark.text for mark in found.marks] == ["last step 400"]


def test_a_curve_breaks_where_a_value_is_missing_and_where_a_restart_goes_back() -> None:
    assert chart([(0, 1.0), (1, 2.0), (2, None), (3, 1.0), (4, 1.0)]).lines[0].path.count("M") == 2
    assert chart([(0, 1.0), (10, 2.0), (5, 1.0), (15, 2.0)]).lines[0].path.count("M") == 2


def test_steps_that_keep_jumping_back_give_way_to_the_order_of_the_points() -> None:
    found = chart([(step, value) for n in range(10) for step, value in ((n * 10.0, 5.0 - n), (n / 10, 5.0 - n))])
    assert (found.axis, found.lines[0].path.count("M"), found.marks) == ("point", 1, [])


def test_two_values_a_step_are_two_strokes() -> None:
    assert chart([(0, 1.0), (0, 9.0), (1, 1.0), (1, 9.0)]).lines[0].path.count("M") == 2


def test_values_far_apart_are_drawn_by_order_of_magnitude() -> None:
    assert chart([(0, 0.001), (1, 1000.0)]).log
    assert not chart([(0, -1.0), (1, 1000.0)]).log


def test_the_culprits_series_is_the_one_that_stands_out() -> None:
    curve: list[tuple[float, float | None]] = [(0, 1.0), (1, 2.0)]
    (found,) = charts(report(metrics=[series(curve, rank=rank) for rank in range(64)]))
    assert [line.label for line in found.lines if line.chosen] == ["rank 37"]
    assert "56 more series not drawn" in found.note


@given(st.lists(st.tuples(st.floats(), st.one_of(st.none(), st.floats())), max_size=40))
def test_any_numbers_stay_inside_the_drawing(curve: list[tuple[float, float | None]]) -> None:
    for found in charts(report(metrics=[series(curve)])):
        words = found.lines[0].path.replace("M", " ").replace("L", " ").split()
        numbers = [float(word) for word in words]
        assert all(0 <= x <= WIDTH for x in numbers[::2])
        assert all(0 <= y <= HEIGHT for y in numbers[1::2])
