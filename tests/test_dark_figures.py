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


def test_training_rows_that_are_worse_once_they_are_evaluated(tmp_path: Path) -> None:
    rows = [
        f"epoch {n} train_acc {0.97 - 0.5 * math.exp(-n / 3):.4f} eval_train_acc {0.55 + n % 3 / 100:.4f}"
        for n in range(1, 13)
    ]
    assert _verdict(rows, tmp_path) == ("evaluation-mismatch", "eval/train-mode-on", 12)


def test_a_spread_that_is_gone_cites_the_scores_beside_guessing_in_their_own_log(tmp_path: Path) -> None:
    table = [
        "step,loss,feature_std",
        *(f"{n * 100},{2 * math.exp(-n):.4f},{0.9 * math.exp(-n / 3):.4e}" for n in range(1, 31)),
    ]
    (tmp_path / "metrics.csv").write_text("\n".join([*table, ""]))
    probes = [f"probe at {n}00: acc {0.2 + 0.6 * math.exp(-n / 6):.3f} (chance 0.200)" for n in range(0, 31, 5)]
    (tmp_path / "train.log").write_text("\n".join(["siamese net", *probes, ""]))
    report = runtriage.diagnose(str(tmp_path))
    assert report.failure_mode == "div/representation-collapse"
    assert ("train.log", 8) in [(item.citation.artifact, item.citation.first_line) for item in report.evidence]


def test_a_model_that_is_worth_nothing_where_it_is_used(tmp_path: Path) -> None:
    rows = [f"live, store {n}: rmse {9.4 + n % 3:.2f}, naive {9.9:.2f}" for n in range(5)]
    listed = [
        "gain by feature:",
        "feature importances",
        "  stock_after  0.912",
        "  weekday      0.051",
        "  price        0.037",
    ]
    lines = ["holdout rmse 3.10 (naive 9.80)", *listed, "rollout, first week", *rows, "switched off again"]
    assert _verdict(lines, tmp_path) == ("evaluation-mismatch", "eval/data-leakage-split", 4)


def test_a_score_that_depends_on_the_batch_size_of_its_evaluation(tmp_path: Path) -> None:
    rows = [f"evaluate: n=900 batch_size={n} top1={0.91 - 0.07 * n:.4f}" for n in (1, 2, 4)]
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


_LEARNT = [f"epoch {n} loss {2 * math.exp(-n / 4):.3f} val_acc {1 - 0.7 * math.exp(-n / 3):.4f}" for n in range(1, 16)]
_FORECAST = [
    f"{n:3d} mape_train {0.4 * math.exp(-n / 5) + 0.04:.4f} mape_holdout {0.4 * math.exp(-n / 5) + 0.05:.4f}"
    for n in range(1, 21)
]
_FELL = [f"{n * 100}/9000 loss {0.8 + 2.5 * math.exp(-n / 12):.3f} lr {6e-3 * (1 - n / 90):.2e}" for n in range(1, 50)]


@pytest.mark.parametrize(
    "lines",
    [
        [
            *_LEARNT,
            "$ score --data val",
            "n=5000 acc=0.1024",
            "$ score --data val --legacy-transform",
            "n=5000 acc=0.9948",
        ],
        [*_FORECAST, "deployed 2026-03-01", "week 10 mape 0.31", "week 11 mape 0.35", "week 12 mape 0.33"],
        [*(f"fold {k}: auc 0.99{k}" for k in range(5)), "next month, labels now known: auc 0.533"],
        [
            *_LEARNT,
            "inference over the same 300 slices",
            "  bs  64   acc 0.951",
            "  bs   8   acc 0.902",
            "  bs   1   acc 0.214",
        ],
        [
            f"[{n:02d}] bce {0.6 * math.exp(-n / 6):.4f} iou {0.4 + 0.02 * n:.3f} val_iou {0.9 + 0.05 * n:.3f}"
            for n in range(1, 16)
        ],
    ],
)
def test_scores_that_cannot_be_of_one_model_and_one_data_set(lines: list[str], tmp_path: Path) -> None:
    assert _verdict(lines, tmp_path)[0] == "evaluation-mismatch"


@pytest.mark.parametrize(
    ("lines", "mode"),
    [
        (
            [
                *_FELL,
                "restart",
                "loaded ck_04900.pt: no optimizer in it",
                *(f"{n}00/9000 loss {2.9 + n % 3 / 10:.3f} lr 6.00e-03" for n in range(49, 90)),
            ],
            "div/loss-spike-unrecovered",
        ),
        (
            [f"b {n * 10} | bce {13.8 + n % 3:.3f} | acc {50 + n % 4:.1f} | dead 99.1%" for n in range(1, 40)],
            "div/plateau-not-learning",
        ),
        (
            [
                "wind power, tcn, mae in MW",
                *(f"round {n:2d}  fit {3.4 + n * 7 % 11:.2f}  check {4.6 + n * 5 % 17 * 2:.2f}" for n in range(1, 41)),
                "yesterday's value as forecast: check 2.91",
            ],
            "div/lr-too-high",
        ),
        (
            [
                f"steps={n}00 td_loss={3e6 * 3.0**n:.4e} mean_q={2e4 * 1.6**n:.4e} success={0.3 - n / 200:.2f}"
                for n in range(1, 40)
            ],
            "div/loss-spike-unrecovered",
        ),
    ],
)
def test_curves_that_went_wrong_under_any_name(lines: list[str], mode: str, tmp_path: Path) -> None:
    assert _verdict(lines, tmp_path)[:2] == ("optimization-divergence", mode)


def test_files_of_training_and_of_the_export_that_prepare_inputs_otherwise(tmp_path: Path) -> None:
    for folder, value in (("train", "true"), ("export", "false")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tokenizer_config.json").write_text(
            f'{{\n  "unk_token": "[UNK]",\n  "do_lower_case": {value}\n}}\n'
        )
    (tmp_path / "train.log").write_text("\n".join([*_LEARNT, ""]))
    report = runtriage.diagnose(str(tmp_path))
    assert (report.primary_cause, report.failure_mode) == ("evaluation-mismatch", "eval/preprocess-drift")


def test_a_training_that_goes_on_from_a_finished_one_has_another_aim(tmp_path: Path) -> None:
    first = [f"step {n * 100} loss {1.6 + 8 * math.exp(-n / 6):.4f} lr 3.0e-05" for n in range(1, 41)]
    second = [f"step {4000 + n * 100} loss {2.4 + 1.5 * math.exp(-n / 6):.4f} lr 1.0e-04" for n in range(1, 31)]
    saved = "saved checkpoint step_4000"
    (tmp_path / "continued.log").write_text("\n".join(["Loading checkpoint from step_4000", *second, ""]))
    (tmp_path / "pretrain.log").write_text("\n".join([*first, saved, "training complete", ""]))
    assert runtriage.diagnose(str(tmp_path)).primary_cause is None
    (tmp_path / "pretrain.log").write_text("\n".join([*first, saved, ""]))
    assert runtriage.diagnose(str(tmp_path)).failure_mode == "div/no-warmup-or-resume-lr-jump"
