from __future__ import annotations

import pytest

from runtriage.render.level import level


@pytest.mark.parametrize(
    ("score", "word"), [(0.0, "low"), (0.54, "low"), (0.55, "medium"), (0.79, "medium"), (0.8, "high"), (1.0, "high")]
)
def test_one_table_maps_score_to_word(score: float, word: str) -> None:
    assert level(score) == word
