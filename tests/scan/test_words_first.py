"""A long list of alternatives is looked for by its words first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.scan.loosen import tokens_of
from runtriage.scan.words_first import WordsFirst, needed

_REGEX = (
    r"\brefus(?:e|es|ed)\b|\bmust (?:not )?(?:be|have)\b|^\W{0,4}(?:fatal|error)\b|\b(?:ha(?:s|ve)|needs?) to be\b|[?{\[(,]\s{0,3}$"
    r"|\bexpected\b.{1,60}\b(?:got|found)\b|(?<!no )\bfail(?!ed over)|\bha+lt\b|(?:a|bc)?zig{2,3}"
)
_PIECES = (
    *("refuse", "REFUSED", "must", "not", "be", "have", "Error", "fatal", "needs", "to", "has", "expected", "got"),
    *(
        "found",
        "no",
        "fail",
        "failed over",
        "haaalt",
        "hlt",
        "zigg",
        "zig",
        "bczigggg",
        ",",
        "(",
        "\u017f",
        "\u212a",
        "x",
    ),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=8), st.sampled_from([" ", "  ", "", ": "]))
def test_what_is_found_by_its_words_is_what_the_pattern_finds(pieces: list[str], gap: str) -> None:
    text = gap.join(pieces)
    assert WordsFirst(_REGEX).found(text) == (re.search(_REGEX, text, re.IGNORECASE) is not None)


@pytest.mark.parametrize(
    ("regex", "words"),
    [
        (r"\bgiving up\b", ("giving up",)),
        (r"\bmust (?:not )?(?:be|have)\b", ("must ",)),
        (r"^\W{0,4}(?:fatal|error)\b", ("fatal", "error")),
        (r"[?{\[(,]\s{0,3}$", ()),
        (r"(?!never )\w+ab*", ()),
        (r"colou?rs?", ("colo",)),
    ],
)
def test_the_longest_words_that_a_match_needs_are_known(regex: str, words: tuple[str, ...]) -> None:
    assert needed(tokens_of(regex)) == words
