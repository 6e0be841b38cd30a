"""Nothing can be claimed without a place where it can be read again."""

from __future__ import annotations

import pytest

from runtriage.model.finding import Evidence, Match
from runtriage.model.place import Citation
from runtriage.model.verdict import Incident


@pytest.mark.parametrize("parts", [{"artifact": "train.log"}, {"artifact": "", "first_line": 1}])
def test_a_citation_names_an_artifact_and_a_place(parts: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="place"):
        Citation(**parts)


def test_evidence_cannot_be_made_without_a_citation() -> None:
    with pytest.raises(TypeError, match="citation"):
        Evidence(claim="the disk is full")


def test_a_match_cannot_be_made_without_evidence() -> None:
    with pytest.raises(ValueError, match="evidence"):
        Match(rule="r", mode="disk/full", role="cause", maturity="stable", tier="log", evidence=())


def test_an_incident_that_a_hypothesis_stands_on_cannot_be_made_without_a_match() -> None:
    with pytest.raises(ValueError, match="matches"):
        Incident(
            id="1",
            mode="disk/full",
            primary_class="io-checkpoint",
            role="cause",
            attempt=0,
            matches=(),
            subjects=(),
            outcome="terminal",
        )
