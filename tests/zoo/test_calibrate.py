"""The fit behind the judge's confidence."""

from __future__ import annotations

from zoo.calibrate import Sample, cross_validated, fit, probability, stored

PRIOR = {"intercept": 0.0, "margin": 0.0}
ITEMS = [Sample(f"p{index}", {"margin": float(index % 2)}, index % 2 == 1, 0.5) for index in range(40)]


def test_a_feature_that_tells_right_from_wrong_gets_weight() -> None:
    weights = fit(ITEMS, PRIOR)
    assert weights["margin"] > 0
    assert probability(weights, ITEMS[1]) > probability(weights, ITEMS[0])


def test_every_sample_is_judged_once_by_a_fit_that_did_not_see_its_program() -> None:
    points = cross_validated(ITEMS, PRIOR)
    assert len(points) == len(ITEMS)
    assert cross_validated(ITEMS, PRIOR) == points


def test_the_stored_coefficients_name_what_fitted_them() -> None:
    document = stored()
    assert document["command"].startswith("python -m zoo.calibrate")
    assert set(document["prior"]) | {"floor"} == set(document["coefficients"])
