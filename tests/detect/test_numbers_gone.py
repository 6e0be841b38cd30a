"""What is made of columns at the end of a log that left all bounds."""

from __future__ import annotations

import pytest

from runtriage.detect import numbers_gone
from runtriage.model.event import STATEMENT
from tests.detect.build import CATALOGUE, event, facts

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_a_column_without_numbers_is_a_nan_and_one_without_bounds_a_divergence() -> None:
    lost = event(
        STATEMENT, "numbers/nonfinite", 9, captures={"what": "loglik"}, numbers={"rows": 4.0, "before": -210.5}
    )
    grown = event(
        STATEMENT, "numbers/runaway", 9, captures={"what": "j"}, numbers={"rows": 8.0, "last": 5e9, "before": 2.0}
    )

    nan, blown = numbers_gone.find(facts(events=(lost, grown)), CATALOGUE)

    assert (nan.mode, blown.mode) == ("nan/loss-nonfinite", "div/loss-spike-unrecovered")
    assert nan.evidence[0].claim == "loglik is no finite number to the end, in the last 4 rows of its kind"
    assert blown.evidence[0].claim == "j grew from 2 to 5e+09, the faster the later"
