from __future__ import annotations

import re
from pathlib import Path

from runtriage.scan.dialects import mismatch_needs
from runtriage.scan.dialects.mismatch_needs import NEEDS, words_of_needs, written

STORIES = Path(__file__).parents[2] / "stories"


def test_the_words_that_are_kept_are_those_of_the_expressions() -> None:
    kept = Path(mismatch_needs.__file__).with_suffix(".json").read_text("utf-8")
    assert kept == written(), "write what `written()` returns into mismatch_needs.json"


def test_no_line_that_an_expression_matches_lacks_all_of_its_words() -> None:
    texts = [path.read_text("utf-8", "replace").lower() for path in STORIES.rglob("*") if path.is_file()]
    lines = {line[:600] for text in texts for line in text.splitlines()}
    known = [(re.compile(need), words) for need, words in words_of_needs().items() if words]
    matched = [(words, line) for pattern, words in known for line in lines if pattern.search(line)]
    assert len(matched) > len(NEEDS)
    assert [line for words, line in matched if not any(word in line for word in words)] == []
