from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.scan.loosen import loosen
from tests.scan.reading import PATTERNS


@pytest.mark.parametrize(
    ("regex", "loosened"),
    [
        (r"asked (?P<size>[0-9]+)", r"asked (?P<size>[0-9])"),
        (r"open '(?P<path>[^']{1,200})", r"open '(?P<path>[^\n'])"),
        (r"a b{2,5}", r"a b{2}"),
        (r"done \)+", r"done \)"),
        (r"either(a|b+)", r"either(a|b)"),
        (r"(ab)+", r"(ab)+"),
        (r"left .{0,200}right", r"left .*right"),
        (r"left \w{3,90} right", r"left \w{3,} right"),
        (r"tail x\d*?", r"tail x"),
        (r"fixed [ab]{3}", r"fixed [ab]{3}"),
        (r"[^]a]{0,90}b", r"[^\n\]a]*b"),
        (r"near [^]a]{0,40}b", r"near [^\n\]a]{0,40}b"),
    ],
)
def test_long_and_trailing_repeats_are_loosened(regex: str, loosened: str):
    assert loosen(regex) == loosened


@given(
    st.sampled_from(sorted(PATTERNS.values())), st.text("CUDA out of memry.Tridalc250GiBNspefg'/x(d)W:=#", max_size=60)
)
def test_whatever_the_pattern_finds_its_loosened_form_finds_no_later(regex: str, text: str):
    for line in (text, text + "CUDA out of memory. Tried to allocate 2.50 GiB", "No space left on device: '/a/" + text):
        found = re.search(regex, line)
        if found is not None:
            loose = re.search(loosen(regex), line)
            assert loose is not None
            assert loose.start() <= found.start()


@pytest.mark.parametrize(
    ("regex", "loosened"),
    [
        (r"line \d+: (?P<command>[\w./-]{1,120}): command not found", r": command not found"),
        (r"(?P<op>\w{2,40}), (?:n=\d+, )?timed out in wait", r"timed out in wait"),
        (r"Tried to allocate (?P<asked>[\d.]+) MiB", r"Tried to allocate "),
        (r"Tried to (?P<what>[\w.]+) MiB|timed out in wait \d", r"Tried to (?P<what>[\w.]+) MiB|timed out in wait \d"),
        (r"\w+: (?:no|not) long", r"\w+: (?:no|not) long"),
        (r"a+ one literal|b+ other literal", r"a+ one literal|b+ other literal"),
        (r"(?:\w+ is not a valid name)", r"(?:\w+ is not a valid name)"),
        (r"\w+ is not a val?id name", r" is not a va"),
        (r"could not find .{0,20}file", r"could not find "),
        (r"not found: .{0,20}file", r"not found: .*file"),
        (r"\w+ is not? (?P<x>long enough)", r"\w+ is not? (?P<x>long enough)"),
    ],
)
def test_what_stands_around_a_long_literal_is_not_looked_for_where_finds_are_confirmed(regex: str, loosened: str):
    assert loosen(regex, confirmed=True) == loosened


@given(
    st.sampled_from(
        [r"\d+: (?P<x>\w{1,20}): not found here", r"[ab]{1,9} is missing in .{0,9}", r"(?:a|b) must not be \d"]
    ),
    st.data(),
)
def test_a_confirmed_pattern_finds_no_later_either(regex: str, data: st.DataObject):
    text = data.draw(st.text("ab1: ", max_size=9)) + data.draw(
        st.from_regex(regex.replace(".", "[ab]"), fullmatch=True)
    )
    found = re.search(regex, text)
    assert found is not None
    loose = re.search(loosen(regex, confirmed=True), text)
    assert loose is not None
    assert loose.end() <= found.end()
