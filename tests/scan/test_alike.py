"""Patterns that are looked for once in all lines that differ in digits alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtriage.scan import last_scores, scores
from runtriage.scan.alike import Alike, form_of, form_of_text
from runtriage.scan.clock import read_instant
from runtriage.scan.families import Line
from runtriage.scan.families import _line as line_of  # pyright: ignore[reportPrivateUsage]

_TEXT = st.text("0123456789.: -/%#=,nafeprbtocklsumh_EIW[]|", max_size=60)
_PATTERNS = {
    f"{module.__name__}.{name}": value
    for module in (scores, last_scores)
    for name, value in vars(module).items()
    if isinstance(value, Alike)
}


@given(_TEXT)
def test_a_form_keeps_every_place_and_all_but_the_digits(text: str) -> None:
    form = form_of_text(text)

    assert len(form) == len(text)
    assert form == re.sub("[0-9]", "0", text)
    assert form_of(text.encode()) == form.encode()


@pytest.mark.parametrize("name", sorted(_PATTERNS))
@given(text=_TEXT, word=st.sampled_from(("epoch 0 ", "fp16 ", "epoch 17 ", "test on gpu 3 ", "ckpt_12.h5 ", "1 gpu ")))
def test_a_pattern_is_found_in_a_text_whatever_other_texts_of_its_form_say(name: str, text: str, word: str) -> None:
    pattern = _PATTERNS[name]
    for said in (text, word + text, text + word):
        expected = pattern.pattern.search(said)
        found = pattern.search(said, form_of_text(said))

        assert pattern.found(said, form_of_text(said)) == (expected is not None)
        assert (found and found.span()) == (expected and expected.span())
        assert pattern.findall(said, form_of_text(said)) == pattern.pattern.findall(said)


def test_lines_of_one_form_keep_their_own_numbers_and_names() -> None:
    one, two = line_of("Layer1 step 10 loss 2.50ms", 0, 26), line_of("Layer2 step 11 loss 1.#inf", 0, 26)
    three = line_of("Layer3 step 12 loss 0.25ms", 0, 26)

    assert [number.printed for number in one.numbers] == ["10", "2.50"]
    assert [number.printed for number in three.numbers] == ["12", "0.25"]
    assert [line.numbers[-1].value for line in (one, two, three)] == [2.5, float("inf"), 0.25]
    assert _names(one) == ["layer1 step", "loss"]
    assert one.shape == "layer1 step # loss # "
    assert three.shape == "layer3 step # loss # "


def _names(line: Line) -> list[str]:
    return [number.name for number in line.numbers]


def test_a_time_is_read_or_not_by_its_own_digits() -> None:
    texts = ("2026-05-14 02:03:04 a", "2026-13-14 02:03:04 a", "2026-05-14 29:03:04 a", "9026-05-14 02:03:04 a")

    told = [read_instant(text) for text in (*texts, *reversed(texts))]

    assert [each and each.dated for each in told[:4]] == [True, False, None, False]
    assert told[:4] == told[:3:-1]
