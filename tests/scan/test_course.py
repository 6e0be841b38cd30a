"""What the course of a column tells under any name, and what two counts or two scores tell together."""

from __future__ import annotations

import pytest

from tests.scan.reading import read

FELL_AND_ROSE = [5.4, 5.1, 4.9, 4.6, 4.4, 4.2, 4.5, 5.5, 7.4, 9.2, 12.8, 18.2, 26.2, 37.2]
CHANCE = [2.3021, 2.3030, 2.3024, 2.3026, 2.3029, 2.3022, 2.3027, 2.3025, 2.3028, 2.3024]


def told(lines: list[str], kind: str) -> list[str]:
    log = "\n".join(["run begins", *lines, ""]).encode()
    return [event.name for event in read(log).events if event.name.startswith(kind)]


def test_a_column_that_came_down_and_rose_for_good_is_told() -> None:
    rows = [f"cycle {n} | nats/char {value}" for n, value in enumerate(FELL_AND_ROSE)]
    assert told(rows, "numbers/") == ["numbers/turned"]


@pytest.mark.parametrize(
    "rows",
    [
        [f"cycle {n} | queue {value}" for n, value in enumerate(FELL_AND_ROSE)],
        [f"cycle {n} | valid nats/char {value}" for n, value in enumerate(FELL_AND_ROSE)],
        [f"cycle {n} | nats/char {value}" for n, value in enumerate([*FELL_AND_ROSE[:8], 5.0, 4.4, 4.1, 4.0])],
        [
            *(f"cycle {n} | nats/char {value}" for n, value in enumerate(FELL_AND_ROSE[:6])),
            "second half: longer sequences",
            *(f"cycle {n} | nats/char {value}" for n, value in enumerate(FELL_AND_ROSE[6:], 6)),
        ],
    ],
)
def test_what_may_rise_or_comes_back_is_not(rows: list[str]) -> None:
    assert told(rows, "numbers/") == []


def test_a_cost_and_a_score_of_guessing_are_told_together() -> None:
    rows = [f"tour {n} : entropie {value} - juste 0.10{n % 3}" for n, value in enumerate(CHANCE)]
    assert told(rows, "numbers/") == ["numbers/guessing"]
    alone = [f"tour {n} : entropie {value} - juste 0.7{n % 3}" for n, value in enumerate(CHANCE)]
    assert told(alone, "numbers/") == []


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (
            ["offline dice on val: 0.874", "dice in the container: 0.332", "FAIL: they differ by 0.542"],
            "rescored",
        ),
        (["train MAE (log): 0.118", "validation MAE: 187432.77"], "inputs"),
        (["train rows 2500", "dev rows 500", "texts in both 311"], "leak"),
        ([f"week={n} mae=0.{4 + n} naive_mae=0.2{n}" for n in range(4)], "gate"),
        (["winner: select acc=0.750", "blind cohort: acc=0.505 (always guessing one class: 0.509)"], "gate"),
        (["evaluating 600 leaves", "batch size 50: accuracy = 0.998", "batch size 1: accuracy = 0.153"], "batching"),
    ],
)
def test_two_numbers_that_do_not_go_together_are_told(lines: list[str], kind: str) -> None:
    assert told(lines, "mismatch/") == [f"mismatch/{kind}"]


@pytest.mark.parametrize(
    "lines",
    [
        ["offline dice on val: 0.874", "dice in the container: 0.863", "they differ by 0.011"],
        ["train MAE: 0.00001", "validation MAE: 0.4"],
        ["train rows 2500", "dev rows 500", "texts in both 311, removed"],
        ["train rows 2500", "dev rows 500", "classes in both 10"],
        [f"week={n} mae=0.1{n} naive_mae=0.2{n}" for n in range(4)],
        ["held-out acc=0.52", "blind cohort: acc=0.505 (always guessing one class: 0.509)"],
        ["download failed (HTTP error 503), 0.2 s to the next attempt", "download failed (HTTP error 503), 0.4 s"],
        [f"pass {n} chi2 {90 / n:.3f}" for n in range(1, 8)],
    ],
)
def test_numbers_that_may_differ_are_not(lines: list[str]) -> None:
    assert told(lines, "mismatch/") == []


@pytest.mark.parametrize(
    ("line", "code"),
    [("exit 124", 124), ("[run.sh] pretrain.py ended with 124", 124), ("rc=2", 2), ("exited(3)", 3), ("rc=1.5", None)],
)
def test_a_line_that_only_says_a_code_is_an_end(line: str, code: int | None) -> None:
    log = f"step 1 loss 2.0\nstep 2 loss 1.9\n{line}\n".encode()
    codes = [event.numbers["code"] for event in read(log).events if event.kind == "exit"]
    assert codes == ([] if code is None else [code])


FALLEN = [5.54 - 0.05 * n for n in range(30)]


def test_a_cost_that_is_back_at_that_of_guessing_is_told_beside_a_score_of_it() -> None:
    rows = [f"it={n} contrastive={value:.4f} r@1={0.01 * n + 0.004:.3f}" for n, value in enumerate(FALLEN)]
    back = [f"it={n} contrastive={5.545 + 0.001 * (n % 2):.4f} r@1=0.004" for n in range(30, 50)]
    assert told([*rows, *back], "numbers/") == ["numbers/turned"]
    assert told(rows, "numbers/") == []
    assert told([*rows, *(row.replace("0.004", "0.300") for row in back)], "numbers/") == []
