"""Runs that are well though a line, a spread or a count of theirs looks otherwise, and early stops that are an end as good as any."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import runtriage

Story = Callable[[random.Random], Sequence[str]]


def _report_of_a_first_run(draw: random.Random) -> Sequence[str]:
    return [
        "notify: cat: summary.json: No such file or directory",
        "score: auc 0.88",
        "score: wrote summary.json",
        "workflow: 4 of 4 steps succeeded",
    ]


def _miss_that_is_tolerated(draw: random.Random) -> Sequence[str]:
    return [
        "differ: No such file or directory: 'last.json', nothing to compare with yet",
        "fit: auc 0.91",
        "publish: wrote last.json",
    ]


def _utterances_summed(draw: random.Random) -> Sequence[str]:
    return [
        f"epoch {n} loss {3 * math.exp(-n / 7) + 0.05:.4f} val_loss {90 * math.exp(-n / 7) + 6:.3f} "
        f"val_char_acc {0.97 - 0.5 * math.exp(-n / 4):.4f} cer {3 + 60 * math.exp(-n / 6):.2f}"
        for n in range(1, 31)
    ] + ["saved best.pt"]


def _noise_levels_drawn(draw: random.Random) -> Sequence[str]:
    rows = [f"step {n}00 loss {draw.uniform(0.01, 0.12):.4f} grad_norm {draw.uniform(0.1, 0.5):.3f}" for n in range(80)]
    return [
        "AdamW lr=2e-4",
        "baseline (weights of last week): loss 0.0120",
        *rows,
        "FID 6.90 (baseline 7.70)",
        "training finished",
    ]


def _champion_above_the_curve(draw: random.Random) -> Sequence[str]:
    rows = [f"step {n} loss {1.1 + 0.4 * math.exp(-n / 20) + draw.uniform(-0.1, 0.1):.4f}" for n in range(80)]
    return [
        "SGD lr=0.01 momentum=0.9",
        "champion: loss 0.1900 acc 0.9330",
        *rows,
        "eval loss 0.1800 acc 0.9400 (champion 0.9330)",
        "training finished",
    ]


def _codes_that_become_sure(draw: random.Random) -> Sequence[str]:
    return [
        f"epoch {n} loss {1 + 4 * math.exp(-n / 9):.4f} knn {0.72 - 0.5 * math.exp(-n / 9):.3f} "
        f"token_entropy {2.8 * math.exp(-n / 6):.4f} mask_acc {0.2 + 0.6 * math.exp(-n / 9):.3f}"
        for n in range(50)
    ] + ["done"]


def _mixed_samples(draw: random.Random) -> Sequence[str]:
    course = random.Random(2)
    rows = [f"step {n} loss {course.uniform(0.2, 2.1):.4f}" for n in range(60)]
    ends = [f"step {n} loss {course.uniform(1.2, 2.1):.4f}" for n in range(60, 68)]
    return [
        "step 0 loss 1.5600",
        *rows[1:],
        *ends,
        "fine-tuning with mixup",
        "eval loss 0.1910 acc 0.9470",
        "training finished",
    ]


STORIES: dict[str, Story] = {
    "report of a first run": _report_of_a_first_run,
    "miss that is tolerated": _miss_that_is_tolerated,
    "utterances summed": _utterances_summed,
    "noise levels drawn": _noise_levels_drawn,
    "champion above the curve": _champion_above_the_curve,
    "codes that become sure": _codes_that_become_sure,
    "mixed samples": _mixed_samples,
}


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_found_in_a_run_that_is_well(name: str, seed: int, tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text("\n".join([*STORIES[name](random.Random(seed)), ""]))
    report = runtriage.diagnose(str(log))
    assert report.primary_cause is None, report.root_cause.root


_ENDS = {
    "stopped": ["Early stopping: val_loss did not improve for 4 epochs", "Best: epoch 26/90, val_loss 0.2130"],
    "patience": ["patience 4/4 reached at epoch 30/90, stopping", "saved best.pt"],
    "counted": ["The training was finished at 30 epochs", "average of the 5 best models written"],
}


@pytest.mark.parametrize("how", _ENDS)
def test_an_early_stop_completes_a_run(how: str, tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    rows = [
        f"Epoch {n}/90 - loss: {math.exp(-n / 6):.4f} - val_loss: {0.2 + math.exp(-n / 6):.4f}" for n in range(1, 31)
    ]
    log.write_text("\n".join([*rows, *_ENDS[how], ""]))
    assert runtriage.diagnose(str(log)).run_status == "completed"


def test_a_count_of_patience_is_no_end(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    rows = [f"Epoch {n}/90 - loss: {math.exp(-n / 6):.4f} - val_loss: 0.3" for n in range(1, 31)]
    log.write_text("\n".join([*rows, "EarlyStopping counter: 2 out of 5", ""]))
    assert runtriage.diagnose(str(log)).run_status != "completed"
