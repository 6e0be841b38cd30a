"""Tables of counts by true and answered class."""

from __future__ import annotations

import pytest

from tests.scan.reading import read

NAMES = ("blackcap", "dunnock", "robin", "siskin", "wren")
SCORE = "test_top1=0.21 test_ce=8.1"


def told(lines: list[str]) -> list[str]:
    log = "\n".join(["run begins", *lines, ""]).encode()
    return [event.name for event in read(log).events if event.name.startswith("mismatch/")]


def table(answers: list[int], spread: int = 0) -> list[str]:
    rows = [[100 if at == answer else spread for at in range(5)] for answer in answers]
    head = "confusion, row = folder, column = answer"
    return [
        head,
        *(f"  {name:>9} " + " ".join(f"{cell:5d}" for cell in row) for name, row in zip(NAMES, rows, strict=True)),
    ]


def test_classes_that_each_have_an_answer_of_their_own_and_a_low_score_are_numbered_otherwise() -> None:
    assert told([SCORE, *table([4, 1, 0, 2, 3])]) == ["mismatch/labels"]


@pytest.mark.parametrize(
    "lines",
    [
        ["test_top1=0.99", *table([4, 1, 0, 2, 3])],
        [SCORE, *table([0, 1, 2, 3, 4])],
        [SCORE, *table([4, 1, 0, 2, 2])],
        [SCORE, *table([4, 1, 0, 2, 3], spread=60)],
        table([4, 1, 0, 2, 3]),
    ],
)
def test_a_good_score_a_diagonal_or_answers_that_are_shared_say_nothing(lines: list[str]) -> None:
    assert told(lines) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("patient ids: 320 in training, 319 in validation, 320 in total", ["mismatch/leak"]),
        ("Patienten-IDs: 320 im Training, 319 in der Validierung, gesamt 320", ["mismatch/leak"]),
        ("rows: 320 in training, 80 in validation, 400 in total", []),
        ("rows: 320 in training, 80 in validation, 380 in total after duplicates were removed", []),
        ("training on 800 rows, validation on 200, vocabulary 900", []),
    ],
)
def test_more_in_both_parts_than_in_all_stand_in_both(line: str, expected: list[str]) -> None:
    assert told([line, "epoch 1 loss 0.5", "epoch 2 loss 0.4"]) == expected
