"""Two lines near the end of a log that do not go together."""

from __future__ import annotations

import pytest

from tests.scan.reading import read


def told(*lines: str) -> list[str]:
    log = "\n".join(["run begins", *lines, ""]).encode()
    return [event.name for event in read(log).events if event.name.startswith("mismatch/")]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (["Best dev f1 0.900 (epoch 8)", "Test f1 0.412"], "gate"),
        (["r2(fit)=0.997 r2(held out)=0.979", "backtest, the days that follow: r2=-2.263"], "gate"),
        (["val_dice 0.86 at the end", "val_dice after reload 0.22"], "rescored"),
        (["keras eval  : acc 0.9412", "tflite eval : acc 0.3120"], "rescored"),
        (["eval fp32  perplexity 8.12", "eval fp8   perplexity 96.40"], "rescored"),
        (["eval on 1 gpu : map 0.412", "eval on 8 gpus: map 0.331"], "batching"),
        (["evaluating (pass 1): top1 71.42", "evaluating (pass 2): top1 68.90"], "unstable"),
        (["evaluating ckpt 12 ... f1 = 0.61", "evaluating ckpt 12 ... f1 = 0.58"], "unstable"),
        (["class order at training: ['cat', 'dog']", "class order at inference: ['dog', 'cat']"], "labels"),
        (["check: mean of a train batch -0.01 std 1.00", "check: mean of a val batch 121.33 std 64.20"], "inputs"),
        (["train: normalise(mean=[0.48])", "eval : normalise(mean=[0.0], std=[1.0])"], "inputs"),
        (["deploy preprocessing: bilinear, bgr ; training preprocessing: area, rgb"], "inputs"),
    ],
)
def test_what_does_not_go_together_is_told_by_its_kind(lines: list[str], kind: str) -> None:
    assert told(*lines) == [f"mismatch/{kind}"]


@pytest.mark.parametrize(
    "lines",
    [
        ["Best dev f1 0.900", "Test f1 0.884"],
        ["clean val accuracy 0.91", "adversarial (PGD-20) test accuracy 0.44"],
        ["val f1 0.93", "class newt test f1 0.12"],
        ["val accuracy 0.84", "baseline test accuracy 0.31"],
        ["bf16 eval acc 0.634", "int8 eval acc 0.631"],
        ["fold 0: val auc 0.80", "fold 1: test auc 0.41"],
        ["evaluating (pass 1): top1 71.42", "evaluating (pass 2): top1 71.42"],
        ["train transform: RandomCrop, flip", "val transform: CenterCrop"],
        ["train preprocessing: random crop, flip", "val preprocessing: center crop"],
        ["class order at training: ['cat', 'dog']", "class order at inference: ['cat', 'dog']"],
        ["train samples: 48000", "val samples: 6000"],
        ["val loss 0.31", "test loss 0.44"],
    ],
)
def test_what_is_near_or_has_a_known_reason_says_nothing(lines: list[str]) -> None:
    assert told(*lines) == []
