"""Runs that say by their figures alone, and in words that no rule knows, that they went wrong."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import runtriage


def _verdict(lines: Sequence[str], folder: Path) -> tuple[str | None, str | None, int | None]:
    log = folder / "train.log"
    log.write_text("\n".join([*lines, ""]))
    report = runtriage.diagnose(str(log))
    return report.primary_cause, report.failure_mode, report.root_evidence.first_line if report.root_evidence else None


def test_a_loss_that_swings_above_the_simplest_forecast(tmp_path: Path) -> None:
    draw = random.Random(2)
    rows = [
        f"ep {n:2d} mse {10 ** draw.uniform(-0.6, 0.9):.4f} holdout_mse {10 ** draw.uniform(-0.8, 1):.4f}"
        for n in range(30)
    ]
    lines = [
        "weather nowcasting, 4 stations",
        "using RMSprop with rate 0.3",
        *rows,
        "persistence baseline: holdout_mse 0.0410",
        "model kept",
    ]
    assert _verdict(lines, tmp_path) == ("optimization-divergence", "div/lr-too-high", 2)


@pytest.mark.parametrize("name", ["feature_std", "codebook_usage", "pred_var"])
def test_a_spread_that_is_gone_with_what_it_was_good_for(name: str, tmp_path: Path) -> None:
    rows = [
        f"it {n}00 objective {0.4 * math.exp(-n / 2):.3e} {name} {0.9 * math.exp(-n / 3):.3e} linear_probe_acc {0.15 + 0.6 * math.exp(-n / 6):.3f}"
        for n in range(1, 31)
    ]
    assert _verdict(rows, tmp_path)[:2] == ("optimization-divergence", "div/representation-collapse")


def test_a_loss_that_its_own_accuracy_refutes(tmp_path: Path) -> None:
    rows = [
        f"epoch {n} loss {0.3 + 2 * math.exp(-n / 3):.4f} val_loss {64 * (0.35 + 1.4 * math.exp(-n / 3)):.3f} val_acc {0.93 - 0.3 * math.exp(-n):.4f}"
        for n in range(1, 13)
    ]
    assert _verdict(rows, tmp_path) == ("evaluation-mismatch", "eval/loss-normalisation", 12)


def test_a_model_that_is_worth_nothing_where_it_is_used(tmp_path: Path) -> None:
    rows = [f"store {n}: rmse {9.4 + n % 3:.2f}, naive {9.9:.2f}" for n in range(5)]
    listed = [
        "gain by feature:",
        "feature importances",
        "  stock_after  0.912",
        "  weekday      0.051",
        "  price        0.037",
    ]
    lines = ["holdout rmse 3.10 (naive 9.80)", *listed, "rollout, first week", *rows, "switched off again"]
    assert _verdict(lines, tmp_path) == ("evaluation-mismatch", "eval/data-leakage-split", 4)


def test_a_score_that_depends_on_how_the_work_is_shared(tmp_path: Path) -> None:
    rows = [f"evaluate: n=900 num_gpus={n} top1={0.91 - 0.07 * n:.4f}" for n in (1, 2, 4)]
    assert _verdict(["resnet, 90 epochs done", *rows], tmp_path)[0] == "evaluation-mismatch"


def test_rows_that_no_word_of_metrics_names_are_series_with_their_count(tmp_path: Path) -> None:
    rows = [
        f"kstep {n} silog {0.3 + math.exp(-n / 4):.3f} d1 {1 - math.exp(-n / 4):.3f} modes {8 - n % 3}/8"
        for n in range(1, 21)
    ]
    log = tmp_path / "train.log"
    log.write_text("\n".join(["depth of field", *rows, "seed 0.5 0.7 0.9", ""]))
    report = runtriage.diagnose(str(log))
    assert report.last_progress.step == 20
    assert report.primary_cause is None
