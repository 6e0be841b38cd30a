"""Numbers of any name that left all bounds by the end of a log."""

from __future__ import annotations

import pytest

from tests.scan.reading import read


def told(lines: list[str]) -> list[tuple[str, str]]:
    log = "\n".join(["run begins", *lines, ""]).encode()
    events = [event for event in read(log).events if event.name.startswith("numbers/")]
    return [(event.name.removeprefix("numbers/"), event.captures["what"].raw) for event in events]


def rows(form: str, *values: object) -> list[str]:
    return [form.format(n=index, v=value) for index, value in enumerate(values)]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (rows("EM iter {n:2d}: loglik = {v}  means = [0.1 {v}]", -210.5, "nan", "nan", "nan"), "loglik"),
        (rows("{n:>5} | {v:>10}", 1.3, "nan", "nan", "nan"), "a column without a name"),
        (rows("i={n} energy={v} force_rmse=0.2", -91.5, -80.1, "-1.#IND", "-1.#IND"), "energy"),
        (rows("e{n} objective {v}", 6.2, 5.1, "overflow", "overflow", "overflow"), "objective"),
        (rows("step {n} ctc {v} attn 8.2", 60.1, 55.2, "inf", "inf", "inf"), "ctc"),
        (["batch 11: cost=0.61", "batch 12: the cost is not a number any more"], "cost"),
    ],
)
def test_a_column_that_ends_without_numbers_is_told(lines: list[str], what: str) -> None:
    assert told(lines) == [("nonfinite", what)]


@pytest.mark.parametrize(
    "lines",
    [
        rows("step {n} loss 2.1 scale {v}", 65536, "inf", "inf", 32768),
        rows("step {n} sharpness 2.1{n} recall {v}", "nan", "nan", "nan", "nan"),
        rows("eta {v} done {n}", 12, "inf", "inf", "inf"),
        rows("cell a: {v}", "nan", "nan", "nan"),
        ["batch 11: cost=0.61", "batch 12: skipped, its cost is not a number"],
        ["step 3: tune clipping if the loss becomes nan"],
    ],
)
def test_what_may_print_no_number_is_no_loss(lines: list[str]) -> None:
    assert told(lines) == []


def test_a_column_that_grows_the_faster_the_later_is_told() -> None:
    growing = [3.3**power for power in range(12)]

    assert told(rows("iteration {n}\tJ = {v:.6g}\t|g| = 0.5", *growing)) == [("runaway", "j")]
    assert told(rows("tick {n:4d} G 2.10 R1 {v:.3g}", 1.2, 1.1, 1.2, 1.3, *growing)) == [("runaway", "r1")]


@pytest.mark.parametrize(
    "lines",
    [
        rows("step {n} loss 2.1 width {v}", *(1000 * count for count in range(1, 20))),
        rows("warm-up {n} lr {v}", *(1e-8 * 3**power for power in range(18))),
        rows("trial {n} C={v:g} auc 0.81", *(10.0**power for power in range(-6, 7))),
        rows("trial {n} width {v} took 12.5 area 81.25", *(2**power for power in range(4, 16))),
        rows("episode {n} return {v:.2f}", *(2.1**power for power in range(14))),
        rows("step {n} gap {v}", *([0.01] * 10), 22.5, 0.01),
        rows("round {v:.3f}", *(3.3**power for power in range(12))),
    ],
)
def test_what_counts_is_chosen_or_wanted_does_not_run_away(lines: list[str]) -> None:
    assert told(lines) == []
