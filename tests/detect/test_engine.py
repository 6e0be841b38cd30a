from __future__ import annotations

from collections.abc import Iterator

import pytest

from runtriage.detect.engine import Detector, detect
from runtriage.model.artifact import Artifact, Read
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Broken, Clear, Match, Unknown
from runtriage.model.options import Options

pytestmark = pytest.mark.usefixtures("untouched_world")
NOTHING = Catalogue({}, {}, "")


def seen(cut: str | None = None) -> Facts:
    read = Read(artifact=Artifact(path="train.log", kind="log"), bytes_read=10, cut=cut)
    return Facts(target="run", options=Options(), reads=(read,))


def silent(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    yield from ()


def broken(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    raise ZeroDivisionError
    yield


def test_a_rule_that_finds_nothing_in_whole_artifacts_is_clear() -> None:
    assert detect(seen(), NOTHING, [Detector("r", ("a/b",), silent)]) == (Clear("r", "a/b", ("train.log",)),)


def test_a_rule_never_clears_an_artifact_that_was_cut() -> None:
    assert detect(seen(cut="the last 5 lines"), NOTHING, [Detector("r", ("a/b",), silent)]) == (
        Unknown("r", "a/b", ("the rest of train.log",)),
    )


def test_a_rule_without_its_facts_does_not_know() -> None:
    rule = Detector("r", ("a/b",), silent, needs=lambda facts: ("a loss series",))
    assert detect(seen(), NOTHING, [rule]) == (Unknown("r", "a/b", ("a loss series",)),)


def test_a_broken_rule_does_not_stop_the_others() -> None:
    found = detect(seen(), NOTHING, [Detector("bad", ("a/b",), broken), Detector("good", ("c/d",), silent)])
    assert [type(item) for item in found] == [Broken, Clear]
