"""Sentences in which a program says itself that it stands still, or that it evaluates something else than it trained."""

from __future__ import annotations

import pytest

from tests.scan.cueing import drafts


def said(line: str) -> list[str]:
    return [draft.name for draft in drafts(line, readers={"mismatch", "standstill"})]


@pytest.mark.parametrize(
    ("line", "strength"),
    [
        ("watchdog: the global step has not advanced for 900 s (still 340)", "long"),
        (
            "E0707 10:32:42.402113 171 monitor.py:58] Training appears to be stuck: last step completed 30 minutes ago.",
            "long",
        ),
        ("another process holds /scratch/c4.bin.lock, waiting (45 s)", "waiting"),
        ("prefetch queue empty, waiting for loader workers", "waiting"),
        ("the replay buffer has not received a sample in the last 40 seconds", "short"),
        ("supervisor: no output from the trainer for 1800 s, sending SIGTERM", "gave-up"),
        ("round 25: timed out waiting for clients [3]", "gave-up"),
        ("rank 0 has been pending in all_reduce for 0:12:30", "long"),
        ("iteration counter frozen at 220, 15 seconds without movement", "short"),
        ("liveness: heartbeat file is 64 s old (limit 60 s)", "short"),
        ("worker 2 never showed up, leaving", "gave-up"),
        ("trials: 4 PENDING, 0 RUNNING", "waiting"),
        ("log file unchanged for 10 min, assuming the trainer hangs; kill -9 4131", "gave-up"),
    ],
)
def test_a_wait_is_told_with_its_strength(line: str, strength: str) -> None:
    assert said(line) == [f"standstill/{strength}"]


@pytest.mark.parametrize(
    "line",
    [
        "no improvement for 15 epochs, stopping early",
        "wandb: Waiting for W&B process to finish... (success).",
        "huggingface/tokenizers: ... Disabling parallelism to avoid deadlocks...",
        "lock acquired after waiting 40 s got it",
        "I0819 09:36:40.107000 311 api.py:888] worker group successfully finished. Waiting 300 seconds for other agents",
        "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
        "use of fork() may lead to deadlocks in the child",
        "model frozen: 12 layers, 0 trainable",
        "Thread 4127 (idle): MainThread",
        "auth: token went stale after 900 s",
        "Kerberos ticket for ml has been stale for 900 s",
    ],
)
def test_what_may_happen_or_is_over_is_no_wait(line: str) -> None:
    assert said(line) == []


def test_how_long_a_wait_lasted_is_read_in_any_unit() -> None:
    lines = ("no batch arrived for 2.5 min", "no batch arrived for 150 seconds", "no batch arrived for 0:02:30")
    assert [drafts(line, readers={"standstill"})[0].numbers["seconds"] for line in lines] == [150.0] * 3


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("418 patient ids are shared by the train and validation folds", "leak"),
        ("warning: 312 of 4000 validation rows are also in train", "leak"),
        ("300 of 300 validation rows also occur in the training set", "leak"),
        ("evaluating on split 'train' although 'validation' was requested", "split"),
        ("class order of eval annotations differs from training, continuing", "labels"),
        ("label2id of the checkpoint and of labels.txt do not match", "labels"),
        ("the tokenizer used for evaluation is not the one the model was trained with", "inputs"),
        ("normalisation statistics not found, evaluating on raw features", "inputs"),
        ("EMA weights were never copied into the evaluation model", "weights"),
        ("the model was in training mode during validation", "mode"),
        ("WARNING: evaluation is not reproducible (spread 0.0130)", "unstable"),
        ("eval: 24 padding duplicates were counted in the metric", "counted"),
        (
            "consistency check: accuracy is 0.942 at batch size 64 and 0.517 at batch size 1 for the same images",
            "batching",
        ),
        ("611 patients are in both the training set and the validation set", "leak"),
        ("scored the validation set three times without touching the weights: 0.871 0.858 0.866", "unstable"),
        ("eval texts are lower-cased, training texts were not", "inputs"),
        ("outcome_code is a recoding of the target, the model reads the answer from its input", "leak"),
        ("eval perplexity 8412.7 makes no sense next to train perplexity 11.2", "gate"),
        ("restored best.ckpt and evaluated again: val top1 21.40 (was 77.52)", "rescored"),
        ("the validation set is empty", "empty"),
        ("re-evaluating the exported model: accuracy 0.6120 (reported during training: 0.9383)", "rescored"),
        ("validation accuracy 0.31 is far below training accuracy 0.99: refusing to publish the model", "gate"),
        ("offline AUC 0.941, shadow traffic AUC 0.603", "skew"),
        ("evaluated 64 of 5000 test samples, accuracy 1.000 is not representative", "worthless"),
    ],
)
def test_what_is_wrong_with_an_evaluation_is_told_by_its_kind(line: str, kind: str) -> None:
    assert said(line) == [f"mismatch/{kind}"]


@pytest.mark.parametrize(
    "line",
    [
        "overlap between train and validation: 0 ids",
        "removed 312 duplicate rows that appeared in both train and test",
        "class order of eval annotations differs from training, remapped",
        "re-evaluating the exported model: accuracy 0.9612 (reported during training: 0.9612)",
        "holdout f1 0.953, expected at least 0.9: gate passed",
        "using different crops for train and validation",
        "labels: 10 classes shared between train and test",
        "split: train 812 patients, val 203 patients, 0 patients in both",
        "consistency check: accuracy is 0.942 at batch size 64 and 0.942 at batch size 1 for the same images",
        "dropout is disabled during evaluation",
        "val accuracy 0.31 is below the best 0.92, patience 1/5",
        "validation loss differs from train loss by 0.02",
        "epoch 3: val accuracy 0.31 train accuracy 0.95",
        'raise ValueError(f"{n} validation rows are also in the training set")',
        "make sure that the tokenizer used in evaluation does not differ from that of training",
    ],
)
def test_what_was_put_right_or_is_only_advice_says_nothing(line: str) -> None:
    assert said(line) == []
