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
        (["cv auc 0.894 +/- 0.007", "october extract, 900 rows: auc 0.566"], "gate"),
        (["valid recall@10=0.58", "replay of last week: recall@10=0.058"], "gate"),
        (["dev eer 0.40%", "trials list O: eer 24.80%"], "gate"),
        (["rougeL of the exported folder on dev = 8.91 (in-process: 34.27)"], "rescored"),
        (["seqeval says F1 41.7 where our span scorer says F1 91.0"], "rescored"),
        (["bits per pixel (test, our script) 3.02", "bits per pixel (test, reference code) 7.94"], "rescored"),
        (["val smape 8.80", "production smape, last 28 days: 61.40"], "gate"),
        (["eval on gpu: exact match 64.2", "eval on cpu: exact match 31.9"], "rescored"),
        (["evaluate(batch_size=1)   em 71.2", "evaluate(batch_size=8)   em 44.9"], "batching"),
        (["the same weights, scored five times", "  #1 ppl=1.062", "  #2 ppl=1.059"], "unstable"),
        (["eval of epoch 11, first time : 0.8714", "eval of epoch 11, second time: 0.8391"], "unstable"),
        (["eval rank0 acc=0.912 rank1 acc=0.247 rank2 acc=0.250"], "ranks"),
        (["names of the checkpoint: 0=cat 1=dog 2=horse", "names of the service: 0=horse 1=cat 2=dog"], "labels"),
        ([f"E{n} train {1 / (n + 1):.3f} eval 0.6931" for n in range(8)], "frozen"),
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
        ["top-1 val 0.761", "top-1 on ImageNet-A 0.071"],
        ["worst client acc 0.42, best acc 0.97, mean acc 0.80"],
        ["train acc 0.99 while val acc 0.61"],
        ["acc rose from 0.31 but only to acc 0.87"],
        ["dev f1 0.83", "test f1 0.801", "test f1 on sentences longer than 60 words 0.552"],
        ["val_acc 0.83", "label noise 10%: acc 0.79", "label noise 40%: acc 0.55"],
        ["hellaswag acc 0.291", "arc acc 0.612"],
        ["seed 0: acc 0.7514", "seed 1: acc 0.7391"],
        ["eval batch 0/100 mean -0.01131", "eval batch 10/100 mean 0.04129"],
        ["class counts: cat=1 dog=2 horse=3", "class counts: cat=3 dog=1 horse=2"],
        ["rank0 acc=0.912 rank1 acc=0.907"],
        ["valid wer 12.3%", "test wer: 14.1"],
        [f"E{n} train {1 - n / 100:.3f} eval 0.6931" for n in range(8)],
    ],
)
def test_what_is_near_or_has_a_known_reason_says_nothing(lines: list[str]) -> None:
    assert told(*lines) == []


def test_a_line_that_is_cut_where_the_log_ends_is_no_score_of_its_own() -> None:
    rows = [
        f"[decode.py:186] F1 {value} [of {value}00 words]" for value in ("28.79", "19.35", "26.12", "16.75", "24.88")
    ]
    cut = "\n".join(["run begins", "valid F1 88.1", *rows, "[decode.py:186] F1 1.7"]).encode()
    whole = cut + b"\n"
    assert [event.name for event in read(whole).events if event.name.startswith("mismatch/")] == ["mismatch/gate"]
    assert [event.name for event in read(cut).events if event.name.startswith("mismatch/")] == []


def test_rows_of_training_that_are_called_passes_repeat_nothing() -> None:
    assert told(*(f"pass {n} train_ppl {30 - n}.20 dev_ppl {28 + (n - 6) ** 2}.10" for n in range(1, 20))) == []


def test_a_score_that_falls_with_the_number_of_processes_counts_samples_twice() -> None:
    rows = ("  1 process : mAP 0.412", "  4 processes: mAP 0.287")
    assert told("evaluating model_final on 5000 images", *rows) == ["mismatch/batching"]
    assert told("evaluating model_final on 5000 images", "bleu of the exact match 31.2") == []
