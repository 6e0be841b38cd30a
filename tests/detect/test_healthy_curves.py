"""Curves of healthy runs: no detector may fire on any of them, however often they are drawn."""

from __future__ import annotations

import random

import pytest

from runtriage.detect.engine import detect
from runtriage.judge import judge
from runtriage.model.finding import Broken, Match
from tests.detect.build import CATALOGUE, event, facts
from tests.detect.curves import HEALTHY, RECOVERED

pytestmark = pytest.mark.usefixtures("untouched_world")


def test_there_are_at_least_forty_shapes() -> None:
    assert len(HEALTHY) >= 40


@pytest.mark.parametrize("name", HEALTHY)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_fires_on_a_healthy_shape(name: str, seed: int) -> None:
    findings = detect(facts(curves=HEALTHY[name](random.Random(seed))), CATALOGUE)
    assert [finding for finding in findings if isinstance(finding, (Match, Broken))] == []


@pytest.mark.parametrize("name", RECOVERED)
@pytest.mark.parametrize("seed", range(3))
def test_a_spike_of_many_prints_that_came_back_is_something_the_run_recovered_from(name: str, seed: int) -> None:
    seen = facts(curves=RECOVERED[name](random.Random(seed)), events=[event("finish", "finish", 900)])
    findings = detect(seen, CATALOGUE)
    assert not [item for item in findings if isinstance(item, Broken)]
    assert [item.mode for item in findings if isinstance(item, Match)] == ["div/loss-spike"]
    verdict = judge(findings, seen)
    assert (verdict.run_status, verdict.primary_class) == ("recovered", None)
    assert "jumped from" in verdict.evidence[0].claim
