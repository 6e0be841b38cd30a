"""Runs that are well though their figures look as if they were not: nothing may be found in any of them, however often they are drawn."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import runtriage

Story = Callable[[random.Random], Sequence[str]]


def _policy_that_settles(draw: random.Random) -> Sequence[str]:
    return [
        f"iter {n} ep_rew_mean={-70 + 2.5 * n + draw.gauss(0, 4):.2f} entropy={1.6 * math.exp(-n / 12):.4f} "
        f"policy_std={math.exp(-n / 9):.4f} value_loss={draw.uniform(0.5, 9):.3f} (random policy -75.0)"
        for n in range(40)
    ]


def _two_networks(draw: random.Random) -> Sequence[str]:
    rows = [
        f"epoch {n}/40 loss_D={draw.uniform(0.1, 1.9):.4f} loss_G={draw.uniform(0.5, 7.0):.4f} fid={180 * math.exp(-n / 9) + 12:.2f}"
        for n in range(1, 41)
    ]
    return [*rows, "baseline (real images, other half): fid 3.10", "saved generator.pt"]


def _restarts_over_a_naive_forecast(draw: random.Random) -> Sequence[str]:
    rows = [
        f"epoch {n}/60 loss={0.3 + 0.8 * math.exp(-n / 14) + 0.25 * math.exp(-(n % 15) / 3) * draw.uniform(0.8, 1.2):.4f} "
        f"val_loss={0.34 + 0.8 * math.exp(-n / 14) + draw.uniform(0, 0.1):.4f} lr={1e-3 * (1 + math.cos(math.pi * (n % 15) / 15)) / 2:.6f}"
        for n in range(1, 61)
    ]
    return [
        "AdamW lr=1e-3 weight_decay=0.01",
        *rows,
        "seasonal naive: val_loss 0.9120",
        "saved best model to out/best.pt",
    ]


def _small_validation(draw: random.Random) -> Sequence[str]:
    rows = [
        f"epoch {n}/30 train_loss {0.1 + 0.9 * math.exp(-n / 6):.4f} val_loss {draw.uniform(0.2, 0.9):.4f} val_acc {draw.uniform(0.7, 0.9):.3f}"
        for n in range(1, 31)
    ]
    return [
        "optimizer SGD lr 0.1 momentum 0.9",
        "majority class: val_acc 0.55 val_loss 0.69",
        *rows,
        "done, best val_acc 0.900",
    ]


def _dropout_in_training(draw: random.Random) -> Sequence[str]:
    return [
        f"epoch {n} loss={2.2 * math.exp(-n / 15) + 0.4:.4f} acc={0.88 - 0.6 * math.exp(-n / 8):.4f} "
        f"val_loss={2.1 * math.exp(-n / 12) + 0.2:.4f} val_acc={0.94 - 0.6 * math.exp(-n / 7):.4f}"
        for n in range(1, 31)
    ] + ["training finished"]


def _smoothed_labels(draw: random.Random) -> Sequence[str]:
    return [
        f"epoch {n} loss={1.1 + 1.2 * math.exp(-n / 8):.4f} train_acc={0.99 - 0.8 * math.exp(-n / 6):.4f} "
        f"val_loss={0.3 + 1.4 * math.exp(-n / 8):.4f} val_acc={0.92 - 0.7 * math.exp(-n / 6):.4f}"
        for n in range(1, 31)
    ] + ["training finished"]


def _sure_of_itself(draw: random.Random) -> Sequence[str]:
    return [
        f"epoch {n} loss={2.2 * math.exp(-n / 2):.5f} val_loss={1.6 + draw.uniform(-0.1, 0.1):.4f} val_acc={0.91 + draw.uniform(-0.003, 0.003):.4f}"
        for n in range(1, 13)
    ] + ["best val_acc 0.913 at epoch 9", "training finished"]


def _summed_validation(draw: random.Random) -> Sequence[str]:
    return [
        f"epoch {n} loss={0.4 + 1.9 * math.exp(-n / 8):.4f} val_loss_sum={128 * (0.5 + 1.8 * math.exp(-n / 8)):.2f}"
        for n in range(1, 31)
    ] + ["training finished"]


def _autoencoder(draw: random.Random) -> Sequence[str]:
    return [
        f"epoch {n} recon={40 * math.exp(-n / 9) + 3:.3f} kl={8 - 7 * math.exp(-n / 5):.3f} z_std={0.02 + math.exp(-n / 5):.4f} "
        f"loss={40 * math.exp(-n / 9) + 11 - 7 * math.exp(-n / 5):.3f}"
        for n in range(1, 31)
    ] + ["saved vae.pt"]


def _codes_that_come_back(draw: random.Random) -> Sequence[str]:
    return [
        f"step {n}00 recon={0.4 * math.exp(-n / 9) + 0.03:.4f} codebook_usage={0.9 if n < 3 else min(0.9, 0.05 + 0.03 * max(n - 8, 0)):.3f} "
        f"probe_acc={0.4 + 0.4 * (1 - math.exp(-n / 9)):.3f}"
        for n in range(1, 41)
    ]


def _spread_that_settles(draw: random.Random) -> Sequence[str]:
    return [
        f"step {n}0 loss={math.exp(-n / 8) + 0.05:.4f} emb_std={0.8 * math.exp(-n / 8) + 0.02:.4f} knn_acc={0.6 + 0.3 * (1 - math.exp(-n / 8)):.3f} (chance 0.050)"
        for n in range(1, 41)
    ]


def _batch_sizes_searched(draw: random.Random) -> Sequence[str]:
    return [
        "grid over the batch size, 10 epochs each",
        "eval of trial 0: batch_size=32 accuracy=0.9210",
        "eval of trial 1: batch_size=256 accuracy=0.8870",
        "eval of trial 2: batch_size=2048 accuracy=0.8010",
        "best: batch_size=32",
    ]


def _batch_sizes_timed(draw: random.Random) -> Sequence[str]:
    return [
        "[eval] items=480 batch_size=1 accuracy=0.9140 latency=0.0123",
        "[eval] items=480 batch_size=8 accuracy=0.9140 latency=0.0041",
        "[eval] items=480 batch_size=32 accuracy=0.9160 latency=0.0017",
        "done",
    ]


def _horizons(draw: random.Random) -> Sequence[str]:
    rows = [f"  horizon {h:2d}h: MAE {9.9 - 6 / h:.3f}  naive {9.6 + 0.1 * h / 10:.3f}" for h in (1, 6, 12, 18, 24, 48)]
    return ["backtest MAE 5.611 (seasonal naive 9.529)", "by horizon", *rows, "model registered"]


def _hard_weeks(draw: random.Random) -> Sequence[str]:
    rows = [f"  week {n}: MAE {21 + n:.3f}  naive {20.5 + n:.3f}" for n in range(1, 6)]
    return ["validation MAE 5.611 (seasonal naive 9.529)", "storm period, for the record", *rows, "model registered"]


def _live_as_judged(draw: random.Random) -> Sequence[str]:
    rows = [
        f"  day {n}: MAE {5.6 + draw.uniform(-1, 1):.3f}  naive {9.5 + draw.uniform(-1, 1):.3f}" for n in range(1, 6)
    ]
    importances = "feature importance: lag24=81.0 lag168=9.5 hour=5.5 dow=4.0"
    return ["backtest MAE 5.611 (seasonal naive 9.529)", importances, *rows, "model promoted"]


def _noise_that_grows(draw: random.Random) -> Sequence[str]:
    rows = [f"  noise {n / 10:.1f}: acc {max(0.93 - 0.1 * n, 0.11):.3f} (chance 0.100)" for n in range(9)]
    return ["test acc 0.941 (chance 0.100)", "robustness", *rows, "report written"]


def _near_its_baseline(draw: random.Random) -> Sequence[str]:
    rows = [f"step {n} loss {draw.uniform(0.2, 1.4):.4f}" for n in range(60)]
    return [
        "SGD lr=0.001 momentum=0.9",
        "pretrained baseline: loss 0.8100",
        *rows,
        "eval loss 0.6920",
        "training finished",
    ]


def _warm_up_bump(draw: random.Random) -> Sequence[str]:
    rows = [
        f"step {n}0 loss {3.5 * math.exp(-n / 25) + 1.5 * math.exp(-((n - 8) ** 2) / 6) + draw.uniform(0, 0.1):.4f} lr {min(n / 10, 1) * 3e-3:.5f}"
        for n in range(1, 80)
    ]
    return ["adamw lr 3e-3, 100 steps of warm-up", "unigram baseline: loss 2.2000", *rows, "training finished"]


def _weeks_in_use(draw: random.Random) -> Sequence[str]:
    rows = [
        f"{n:3d} mape_train {0.4 * math.exp(-n / 5) + 0.04:.4f} mape_holdout {0.4 * math.exp(-n / 5) + 0.05:.4f}"
        for n in range(1, 21)
    ]
    return [
        *rows,
        "deployed 2026-03-01",
        *(f"week {n} mape {0.055 + draw.uniform(0, 0.03):.3f}" for n in range(10, 14)),
        "review: keep",
    ]


def _folds_then_holdout(draw: random.Random) -> Sequence[str]:
    return [
        *(f"fold {k}: auc 0.{draw.randint(84, 89)}1" for k in range(5)),
        "holdout from March: auc 0.812",
        "report written",
    ]


def _two_tasks(draw: random.Random) -> Sequence[str]:
    rows = [f"epoch {n} loss {2 * math.exp(-n / 4):.3f} val_acc {1 - 0.7 * math.exp(-n / 3):.4f}" for n in range(1, 16)]
    return [*rows, "task sst2", "n=872 acc=0.9940", "task rte (zero-shot)", "n=277 acc=0.5310", "report written"]


def _swings_near_what_is_named(draw: random.Random) -> Sequence[str]:
    rows = [f"round {n:2d} fit {draw.uniform(1, 6):.2f} check {draw.uniform(1, 7):.2f}" for n in range(1, 41)]
    return [*rows, "average over the last ten rounds: check 3.41", "stored as tcn_v8"]


def _rates_in_cycles(draw: random.Random) -> Sequence[str]:
    rows = [
        f"round {n:2d} cost {0.2 + 2 * math.exp(-n / 9):.3f} heat {0.05 + 0.9 * (n % 10) / 10:.3f}"
        for n in range(1, 41)
    ]
    return [*rows, "floor of the schedule is heat 0.010", "stored"]


def _resumed_where_it_was(draw: random.Random) -> Sequence[str]:
    rows = [
        f"step {n * 10} loss {0.8 + 2.5 * math.exp(-n / 12) + draw.uniform(0, 0.1):.3f} lr {6e-3 * (1 - n / 90):.2e}"
        for n in range(1, 80)
    ]
    return [*rows[:50], "restart on another node", "loaded ck_0490.pt", *rows[48:], "training finished"]


def _value_that_follows_returns(draw: random.Random) -> Sequence[str]:
    return [
        f"steps={n}000 ep_rew_mean={10 * n + draw.gauss(0, 15):.1f} value_loss={2 * n * n + draw.uniform(0, 30):.2f} mean_q={9 * n:.1f} eps={max(0.05, 1 - n / 20):.2f}"
        for n in range(1, 60)
    ] + ["saved policy.zip"]


def _labels_shuffled_on_purpose(draw: random.Random) -> Sequence[str]:
    rows = [
        f"  refit {n} on shuffled labels: f1 {0.2 + draw.uniform(-0.01, 0.01):.3f} (chance 0.200)" for n in range(5)
    ]
    return ["holdout f1 0.874 (chance 0.200)", "is it real?", *rows, "report written"]


def _subjects_of_which_most_are_hard(draw: random.Random) -> Sequence[str]:
    rows = [
        f"  {name}: accuracy {0.25 + draw.uniform(-0.02, 0.02):.3f} (random 0.250)"
        for name in ("algebra", "virology", "physics", "law")
    ]
    return ["overall accuracy 0.541 (random 0.250)", "hardest four", *rows, "done"]


def _days_ahead(draw: random.Random) -> Sequence[str]:
    rows = [
        f"  day {n}: MAE {min(1.2 * n, 6.1) + draw.uniform(0, 0.1):.2f} (persistence {min(3 + n, 6.1):.2f})"
        for n in (1, 4, 7, 9, 12, 14)
    ]
    return ["validation MAE 2.30 (persistence 5.10)", "by lead time", *rows, "forecast written"]


def _a_storm_in_shadow_mode(draw: random.Random) -> Sequence[str]:
    rows = [f"  shadow day {n}: MAE {8.8 + draw.uniform(-1, 0):.2f} naive {9.5:.2f}" for n in range(1, 6)]
    return [
        "backtest MAE 6.610 (naive 9.529)",
        *rows[:2],
        "  shadow day 3: MAE 9.90 naive 9.50",
        *rows[3:],
        "model promoted",
    ]


def _machine_at_other_batch_sizes(draw: random.Random) -> Sequence[str]:
    return [
        "[eval] batch_size=4 mfu=0.21 cache_hit_rate=0.9912",
        "[eval] batch_size=64 mfu=0.64 cache_hit_rate=0.7110",
        "[eval] shards=2 recall=0.9911",
        "[eval] shards=32 recall=0.8820",
        "[test] world_size=1 efficiency=1.00",
        "[test] world_size=8 efficiency=0.81",
        "done",
    ]


def _batches_that_calibrate(draw: random.Random) -> Sequence[str]:
    return [
        "collecting activation ranges for int8, calibration on the training data",
        "eval bs=4 acc=0.6422",
        "eval bs=128 acc=0.7533",
        "eval bs=1024 acc=0.7580",
        "done",
    ]


def _told_apart_within_a_batch(draw: random.Random) -> Sequence[str]:
    rows = [f"[val] batch_size={size} matching_acc={0.99 - size / 4000:.4f}" for size in (16, 128, 1024)]
    return ["image-text pairs, negatives from the same batch", *rows, "done"]


def _exported_with_fewer_bits(draw: random.Random) -> Sequence[str]:
    course = [
        f"epoch {n} loss {1.9 * math.exp(-n / 5) + 0.5:.4f} val_acc {0.83 - 0.5 * math.exp(-n / 4):.4f}"
        for n in range(1, 21)
    ]
    return [
        *course,
        "test acc 0.8210 (bf16 baseline 0.8330)",
        "w8: acc 0.8190 (bf16 baseline 0.8330)",
        "w4: acc 0.7702 (bf16 baseline 0.8330)",
        "w2: acc 0.0990 (bf16 baseline 0.8330)",
        "exported w8",
    ]


STORIES: dict[str, Story] = {
    "policy that settles": _policy_that_settles,
    "two networks": _two_networks,
    "restarts over a naive forecast": _restarts_over_a_naive_forecast,
    "small validation": _small_validation,
    "dropout in training": _dropout_in_training,
    "smoothed labels": _smoothed_labels,
    "sure of itself": _sure_of_itself,
    "summed validation": _summed_validation,
    "autoencoder": _autoencoder,
    "codes that come back": _codes_that_come_back,
    "spread that settles": _spread_that_settles,
    "batch sizes searched": _batch_sizes_searched,
    "batch sizes timed": _batch_sizes_timed,
    "horizons": _horizons,
    "hard weeks": _hard_weeks,
    "live as judged": _live_as_judged,
    "noise that grows": _noise_that_grows,
    "near its baseline": _near_its_baseline,
    "warm up bump": _warm_up_bump,
    "weeks in use": _weeks_in_use,
    "folds then holdout": _folds_then_holdout,
    "two tasks": _two_tasks,
    "swings near what is named": _swings_near_what_is_named,
    "rates in cycles": _rates_in_cycles,
    "resumed where it was": _resumed_where_it_was,
    "value that follows returns": _value_that_follows_returns,
    "labels shuffled on purpose": _labels_shuffled_on_purpose,
    "subjects of which most are hard": _subjects_of_which_most_are_hard,
    "days ahead": _days_ahead,
    "a storm in shadow mode": _a_storm_in_shadow_mode,
    "machine at other batch sizes": _machine_at_other_batch_sizes,
    "batches that calibrate": _batches_that_calibrate,
    "told apart within a batch": _told_apart_within_a_batch,
    "exported with fewer bits": _exported_with_fewer_bits,
}


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_found_in_a_run_that_is_well(name: str, seed: int, tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("\n".join([*STORIES[name](random.Random(seed)), ""]))
    report = runtriage.diagnose(str(log))
    assert report.primary_cause is None, report.root_cause.root
