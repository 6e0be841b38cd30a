from __future__ import annotations

import re

import pytest

from runtriage.model.pattern import deferred


def test_a_deferred_pattern_finds_what_a_compiled_one_finds() -> None:
    later = deferred(r"(?P<word>[a-z]+)-(\d+)", re.IGNORECASE)
    now = re.compile(r"(?P<word>[a-z]+)-(\d+)", re.IGNORECASE)
    text = "Rank-3 and node-12"

    assert later.findall(text) == now.findall(text)
    assert [found.span() for found in later.finditer(text)] == [found.span() for found in now.finditer(text)]
    assert later.sub(r"\2", text) == now.sub(r"\2", text)
    assert later.split(text) == now.split(text)
    assert later.fullmatch(text) is now.fullmatch(text) is None
    assert later.groupindex == now.groupindex


def test_a_deferred_pattern_takes_bytes_and_a_place_to_start() -> None:
    found = deferred(rb"\d").match(b"a1", 1)

    assert found is not None
    assert found.span() == (1, 2)


def test_a_deferred_pattern_is_compiled_at_its_first_use_and_no_sooner() -> None:
    broken = deferred("(")

    assert broken.pattern == "("
    with pytest.raises(re.error):
        broken.search("(")
