from __future__ import annotations

import json

from zoo.answer import CLASSES
from zoo.peers import gpualert, runmedic


def test_the_most_severe_finding_of_another_tool_is_its_answer() -> None:
    runs = [
        {"findings": [{"check": "slowdown", "severity": "warning"}, {"check": "non_finite", "severity": "critical"}]}
    ]
    assert runmedic.report(json.dumps(runs))["primary_cause"] == "nan-inf"


def test_information_and_noise_are_no_answer() -> None:
    assert (
        runmedic.report(json.dumps([{"findings": [{"check": "val_below_train", "severity": "info"}]}]))["primary_cause"]
        is None
    )
    assert runmedic.report("no series found")["run_status"] == "unknown"


def test_every_word_of_another_tool_stands_for_a_class() -> None:
    assert {*runmedic.CLASSES.values(), *gpualert.CLASSES.values()} <= set(CLASSES)
