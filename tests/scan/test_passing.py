"""Lines that can wake nothing are passed over; what is found stays the same."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.model.subject import NOBODY
from runtriage.scan.bulk import Batch
from runtriage.scan.bulk_shape import Shape
from runtriage.scan.dialects.cues import CUES
from runtriage.scan.dialects.learn import parse
from runtriage.scan.find import Expression, Span
from runtriage.scan.layout import learn
from runtriage.scan.loosen import digits_alike
from runtriage.scan.passing import Passing
from runtriage.scan.rules import Rule, default_engine

_LINE = b"step 1000 loss 2.5000 code 7"
_COUNT = 4000


def _passing(*rules: Rule) -> Passing:
    engine, expressions = default_engine(), [rule.expression for rule in rules]
    return Passing(engine.finder(engine.compile(expressions), expressions), rules)


def _batch(line: bytes, count: int) -> Batch:
    layout = learn(line, parse, lambda _: NOBODY)
    assert layout is not None
    starts = 1 + np.arange(count) * (len(line) + 1)
    return Batch(b"", True, layout, parse, starts, starts + len(line), [], None, Shape(b"", layout, line))


@pytest.mark.parametrize(
    ("regex", "wakes"), [(r"never said", False), (r"code 8", True), (r"code [1-6]", True), (r"code \d", True)]
)
def test_a_run_of_lines_is_looked_at_where_some_digits_would_wake_a_rule(regex: str, wakes: bool):
    rule = Rule("rule", Expression(regex))
    text = b"\n" + (_LINE + b"\n") * (_COUNT // 2) + _LINE[:-1] + b"8\n" + (_LINE + b"\n") * (_COUNT // 2 - 1)
    finder, span = _passing(rule), Span(0, 0, len(text))
    everything = finder.find(text, span)
    finder.know([_batch(_LINE, _COUNT)], ())
    assert finder.find(text, span) == everything
    assert bool(finder.stretches) is not wakes


def test_a_rule_that_is_told_wakes_nothing():
    finder = _passing(Rule("rule", Expression("code")))
    finder.know([_batch(_LINE, _COUNT)], ())
    assert not finder.stretches
    finder.know([_batch(_LINE, _COUNT)], {0})
    assert finder.stretches
    finder.know((), ())
    assert not finder.stretches


def test_what_stands_between_runs_is_found():
    text = b"\n" + ((_LINE + b"\n") * _COUNT + b"it failed here\n") * 2
    finder = _passing(Rule("rule", Expression("failed", confirmed=True), b"failed"))
    first, second = _batch(_LINE, _COUNT), _batch(_LINE, _COUNT)
    behind = len(text) // 2
    finder.know([first, second._replace(starts=second.starts + behind, ends=second.ends + behind)], ())
    assert len(finder.stretches) == 2
    assert [at for at, _ in finder.find(text, Span(0, 0, len(text)))] == [
        found.end() for found in re.finditer(b"failed", text)
    ]


@given(st.sampled_from(sorted({cue.regex for cue in CUES})), st.data())
def test_with_all_digits_alike_a_pattern_finds_zeros_where_it_found_digits(regex: str, data: st.DataObject):
    text = data.draw(st.from_regex(re.compile(regex, re.ASCII)))
    assert re.search(digits_alike(regex), re.sub("[0-9]", "0", text), re.ASCII) is not None
