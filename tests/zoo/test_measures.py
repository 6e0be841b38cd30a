import pytest
from zoo.measures import FIGURES, calibration_error, f1_by_class, interval, macro_f1, overconfidence, rate
from zoo.outcome import Outcome


def test_a_rate_counts_only_what_arose():
    assert rate([True, False, None, True, True]) == 0.75
    assert rate([None]) is None


def test_f1_weighs_missed_and_wrongly_claimed_alike():
    pairs = [("oom", "oom"), ("oom", None), ("stalled", "oom")]
    assert f1_by_class(pairs) == {"oom": pytest.approx(2 / 4), "stalled": 0.0}
    assert macro_f1(pairs) == pytest.approx(0.25)


def test_a_class_claimed_where_none_was_lowers_its_f1():
    assert f1_by_class([("oom", "oom"), (None, "oom")]) == {"oom": pytest.approx(2 / 3)}


def test_no_truth_no_f1():
    assert macro_f1([(None, "oom")]) is None


def test_confidence_that_equals_the_share_of_hits_has_no_error():
    points = [(0.8, True)] * 4 + [(0.8, False)]
    assert calibration_error(points, bins=1) == pytest.approx(0.0)


def test_the_error_is_the_gap_between_confidence_and_hits_in_each_bin():
    points = [(0.2, True), (0.2, True), (1.0, False), (1.0, False)]
    assert calibration_error(points, bins=2) == pytest.approx(0.9)
    assert calibration_error(points, bins=1) == pytest.approx(0.1)


def test_fewer_points_than_bins_still_count_once_each():
    assert calibration_error([(0.5, True), (1.0, True)]) == pytest.approx(0.25)
    assert calibration_error([]) is None


def test_an_interval_is_the_same_on_every_run_and_holds_the_figure():
    answers = [True] * 15 + [False] * 5
    first, second = interval(answers, rate), interval(answers, rate)
    assert first == second
    assert first is not None
    assert first[0] < 0.75 < first[1]


def test_certain_answers_have_an_interval_without_width():
    assert interval([True] * 8, rate) == (1.0, 1.0)
    assert interval([], rate) is None


def test_healthy_cases_stay_outside_the_classes_and_are_counted_as_alarms():
    failing = Outcome(name="a", truth="oom", given="oom", healthy=False, status=True, confidence=1.0, class_hit=True)
    noisy = Outcome(name="b", truth=None, given="oom", healthy=True, status=False, confidence=1.0, false_alarm=True)
    assert FIGURES["class macro-F1"]([failing, noisy]) == 1.0
    assert FIGURES["false alarms on healthy runs"]([failing, noisy]) == 1.0
    assert FIGURES["calibration error"]([failing, noisy]) == pytest.approx(0.5)


def test_answers_that_are_right_more_often_than_they_claim_are_not_overconfident():
    assert overconfidence([(0.5, True), (0.5, True)]) == 0.0
    assert overconfidence([(0.9, True), (0.9, False)]) == pytest.approx(0.4)
    assert overconfidence([]) is None
