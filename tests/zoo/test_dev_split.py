"""The diagnosis against the development split of the zoo: it may only get better.

The floors are a little under what the split gives, so that a change that costs right answers fails here first.
"""

from __future__ import annotations

import pytest

from zoo.case import load_cases
from zoo.measures import FIGURES
from zoo.outcome import Outcome
from zoo.score import own_diagnosis, score, table

pytestmark = pytest.mark.slow

FLOORS = {"accuracy": 0.0}


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return score([case for case in load_cases() if case.split == "dev"], own_diagnosis)
