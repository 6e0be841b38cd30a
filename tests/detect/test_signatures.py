"""One event, one meaning: where a signature and an exception speak of the same thing."""

from __future__ import annotations

import pytest

from runtriage.detect import exceptions, signatures
from tests.detect.build import CATALOGUE, facts, raised, signature

pytestmark = pytest.mark.usefixtures("untouched_world")

HEADS = "cfg/attention-heads.main#torch"
MESSAGE = "embed_dim must be divisible by num_heads"


def test_a_source_line_that_holds_the_message_is_cited_where_the_message_was_raised() -> None:
    quoted = signature(HEADS, 10, excerpt=f'    ), "{MESSAGE}"')
    run = facts(events=[quoted, raised("AssertionError", MESSAGE, 11, first_line=2)])
    (found,) = signatures.find(run, CATALOGUE)
    assert found.evidence[0].citation.first_line == 11
    assert not list(exceptions.find(run, CATALOGUE))


def test_a_source_line_says_nothing_about_another_exception() -> None:
    quoted = signature(HEADS, 10, excerpt=f'    ), "{MESSAGE}"')
    run = facts(events=[quoted, raised("OSError", "No space left on device", 11, first_line=2)])
    (found,) = signatures.find(run, CATALOGUE)
    assert found.evidence[0].citation.first_line == 10
    assert len(list(exceptions.find(run, CATALOGUE))) == 1
