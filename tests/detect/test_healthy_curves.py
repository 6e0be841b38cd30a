"""Curves of healthy runs: no detector may fire on any of them, however often they are drawn."""

from __future__ import annotations

import random

import pytest

from runtriage.detect.engine import detect
from runtriage.model.finding import Broken, Match
from tests.detect.build import CATALOGUE, facts
from tests.detect.curves import HEALTHY

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_there_are_at_least_forty_shapes() -> None:
    assert len(HEALTHY) >= 40


@pytest.mark.parametrize("name", HEALTHY)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_fires_on_a_healthy_shape(name: str, seed: int) -> None:
    findings = detect(facts(curves=HEALTHY[name](random.Random(seed))), CATALOGUE)
    assert [finding for finding in findings if isinstance(finding, (Match, Broken))] == []
