"""Runs that end without an error and went wrong: cousins of each rule under other names, beside healthy twins that look alike."""

from __future__ import annotations

import math
import random

import pytest
from msgspec.structs import replace

from runtriage.detect import collapse, eval_copy, learning_rate, out_of_range, policy_collapse, router, starved
from runtriage.model.facts import Facts, Setting
from runtriage.model.series import Series
from runtriage.scan.contract import Row
from runtriage.scan.dialects.phrase_usage_shares import read_shares
from tests.detect.build import CATALOGUE, at, event, facts, series
from tests.detect.curves import curve

pytestmark = pytest.mark.usefixtures("untouched_world")


def configured(curves: list[Series], **values: str) -> Facts:
    told = tuple(
        Setting(name=name.replace("__", "."), value=value, citation=at(line, "config.yaml"))
        for line, (name, value) in enumerate(values.items(), 1)
    )
    return replace(facts(curves=curves), settings=told)


UNMOVED = curve("loss", "loss", [6.0 - 0.0002 * n for n in range(60)])
LEARNT = curve("loss", "loss", [6.0 * math.exp(-0.05 * n) + 0.5 for n in range(60)])


@pytest.mark.parametrize(
    "values",
    [
        {"warmup_updates": "400000", "max_updates": "1500"},
        {"training__warmup_steps": "20000", "training__max_steps": "500"},
        {"optim__num_warmup_steps": "5000", "num_train_steps": "800"},
        {"lr_warmup_iters": "10000", "train_iters": "600"},
        {"warmup_epochs": "200", "epochs": "20"},
    ],
)
def test_a_warmup_that_outlasts_the_run_is_told_where_nothing_was_learnt(values: dict[str, str]) -> None:
    (match,) = learning_rate.find(configured([UNMOVED], **values), CATALOGUE)
    assert match.mode == "div/plateau-not-learning"
    assert match.evidence[0].citation.artifact == "config.yaml"
    assert list(learning_rate.find(configured([LEARNT], **values), CATALOGUE)) == []


@pytest.mark.parametrize(
    "values",
    [
        {"warmup_steps": "500", "max_steps": "1000"},
        {"warmup_steps": "1000", "epochs": "20"},
        {"warmup_epochs": "5", "max_steps": "2"},
        {"warmup_ratio": "0.1", "max_steps": "1000"},
        {"warmup_steps": "1000", "max_steps": "-1"},
    ],
)
def test_a_warmup_within_the_run_or_in_another_unit_explains_nothing(values: dict[str, str]) -> None:
    assert list(learning_rate.find(configured([UNMOVED], **values), CATALOGUE)) == []


def _policy(
    entropy: list[float], kl: list[float], answers: list[float], name: str = "completions/unique"
) -> list[Series]:
    reward = curve("reward", "reward", [1 + 0.1 * n for n in range(40)])
    return [reward, curve("entropy", "entropy", entropy), curve("kl", "kl", kl), curve(name, "other", answers)]


GONE = [2.0 * math.exp(-0.15 * n) for n in range(40)]
FAR = [1.6 * n for n in range(40)]
FEW = [128.0 * math.exp(-0.08 * n) for n in range(40)]


@pytest.mark.parametrize("name", ["completions/unique", "distinct_2", "rollout_diversity", "num_unique_answers"])
def test_a_policy_that_left_its_reference_is_told_however_its_reward_rises(name: str) -> None:
    (match,) = policy_collapse.find(configured(_policy(GONE, FAR, FEW, name), beta_kl="0.0"), CATALOGUE)
    assert match.mode == "div/rl-policy-collapse"
    assert match.evidence[0].citation.artifact == "config.yaml"


@pytest.mark.parametrize(
    ("entropy", "kl", "answers"),
    [
        (GONE, [0.05 * n for n in range(40)], FEW),
        (GONE, FAR, [128.0] * 40),
        ([2.0 - 0.03 * n for n in range(40)], FAR, FEW),
    ],
    ids=["near-its-reference", "many-answers", "still-explores"],
)
def test_a_policy_that_became_sure_or_moved_alone_is_well(
    entropy: list[float], kl: list[float], answers: list[float]
) -> None:
    assert list(policy_collapse.find(facts(curves=_policy(entropy, kl, answers)), CATALOGUE)) == []


@pytest.mark.parametrize(
    ("name", "scale", "right", "whole"),
    [
        ("accuracy", 1.0, "correct", "size"),
        ("top1_acc", 100.0, "hits", "n_samples"),
        ("recall", 1.0, "tp", "positives"),
        ("eval exact_match", 1.0, "matched", "total"),
    ],
)
def test_a_share_of_more_than_there_are_is_refuted_by_the_counts_on_its_line(
    name: str, scale: float, right: str, whole: str
) -> None:
    counts = [773.0, 866.0, 887.0, 885.0]
    shown = curve(name, "metric", [scale * round(count / 517, 4) for count in counts])
    curves = [shown, curve(right, "other", counts), curve(whole, "other", [517.0] * 4)]
    (match,) = out_of_range.find(facts(curves=curves), CATALOGUE)
    assert match.mode == "eval/metric-reduction-bug"
    assert match.evidence[0].citation.first_line == 1


def test_shares_beside_counts_that_fit_them_are_well() -> None:
    counts = [310.0, 402.0, 450.0, 471.0]
    for scale in (1.0, 100.0):
        shown = curve("accuracy", "metric", [scale * count / 517 for count in counts])
        curves = [shown, curve("correct", "other", counts), curve("size", "other", [517.0] * 4)]
        assert list(out_of_range.find(facts(curves=curves), CATALOGUE)) == []
    early = curve("top1", "eval_metric", [1.49, 1.67, 1.71, 1.9])
    beside = [early, curve("epoch", "other", [1.0, 2, 3, 4]), curve("images", "other", [50000.0] * 4)]
    assert list(out_of_range.find(facts(curves=beside), CATALOGUE)) == []


@pytest.mark.parametrize("name", ["sample_std", "fake_var", "latent_std", "embedding_spread", "output_stddev"])
def test_outputs_without_any_spread_at_the_end_are_told_even_where_it_swung_before(name: str) -> None:
    values = [4.2, 2.5, 0.28, 1.06, 0.58, 2.7, 0.64, 0.15, 0.003, 4.1, 1.5, 0.48, 0.05, 0.24, 0.0, 0.0]
    (match,) = collapse.find(facts(curves=[curve(name, "other", values)]), CATALOGUE)
    assert match.mode == "div/representation-collapse"
    assert match.step == 15


def test_spreads_that_swing_or_are_not_of_outputs_and_entropies_of_sure_models_are_well() -> None:
    draw = random.Random(7)
    swings = [curve("sample_std", "other", [draw.uniform(0.5, 4.0) for _ in range(30)])]
    noise = [curve("action_std", "other", [math.exp(-n) for n in range(30)])]
    sure = [curve("pred_entropy", "other", [2.3 * math.exp(-0.6 * n) for n in range(30)])]
    always = [curve("pred_std", "other", [0.0] * 30)]
    for curves in (swings, noise, sure, always):
        assert list(collapse.find(facts(curves=curves), CATALOGUE)) == []


def test_an_evaluation_that_is_written_to_a_table_as_well_is_no_copy_of_training() -> None:
    values = [0.9531, 0.9683, 0.9734, 0.9707, 0.9763, 0.9759]
    judged = series("eval mIoU", "eval_metric", values)
    table = replace(series("mIoU", "metric", values), artifact="val_iou.csv")
    assert list(eval_copy.find(facts(curves=[judged, table]), CATALOGUE)) == []
    (match,) = eval_copy.find(facts(curves=[judged, replace(table, name="train_mIoU")]), CATALOGUE)
    assert match.mode == "eval/data-leakage-split"


@pytest.mark.parametrize(
    ("wait", "work"),
    [("data", "fwd_bwd"), ("data_s", "compute_s"), ("loader_wait_ms", "step_ms"), ("fetch_time", "forward_time")],
)
def test_a_wait_that_outgrew_the_work_beside_it_is_told(wait: str, work: str) -> None:
    waits, works = [0.2] * 40 + [140.0] * 13, [6.0] * 53
    (match,) = starved.find(facts(curves=[curve(wait, "other", waits), curve(work, "other", works)]), CATALOGUE)
    assert (match.mode, match.step) == ("data/starvation", 41)


@pytest.mark.parametrize(
    ("waits", "works"),
    [
        ([140.0] * 3 + [0.2] * 50, [6.0] * 53),
        ([0.2] * 40 + [140.0] * 5 + [0.2] * 8, [6.0] * 53),
        ([0.2] * 40 + [140.0] * 13, [6.0] * 40 + [90.0] * 13),
        ([0.02] * 40 + [3.0] * 13, [6.0] * 53),
        ([40.0] * 53, [6.0] * 53),
    ],
    ids=["first-batches", "one-stop", "both", "hidden", "all-along"],
)
def test_a_wait_that_passes_or_costs_little_is_well(waits: list[float], works: list[float]) -> None:
    curves = [curve("data_time", "data_time", waits), curve("compute_time", "compute_time", works)]
    assert list(starved.find(facts(curves=curves), CATALOGUE)) == []


def _lists(*tops: float, parts: int = 8) -> Facts:
    told = [
        event("statement", "parts/shares", line, captures={"what": "load"}, numbers={"top": top, "parts": float(parts)})
        for line, top in enumerate(tops, 1)
    ]
    return facts(events=told)


def test_a_router_that_ends_with_one_expert_for_nearly_everything_is_told() -> None:
    (match,) = router.find(_lists(0.4, 0.9, 0.9, 0.88, 0.95, 0.94), CATALOGUE)
    assert match.mode == "div/moe-router-collapse"
    assert match.evidence[0].citation.first_line == 2


@pytest.mark.parametrize(
    "told",
    [
        _lists(0.9, 0.8, 0.4, 0.2, 0.15, 0.14),
        _lists(0.2, 0.3, 0.35, 0.3, 0.33, 0.35),
        _lists(0.9, 0.9, 0.9),
        _lists(0.9, 0.9, 0.9, 0.9, 0.9, parts=2),
        _lists(0.2, 0.2, 0.9, 0.2, 0.9, 0.2),
    ],
    ids=["recovers", "specialises", "few", "two-experts", "layers"],
)
def test_routers_that_spread_or_specialise_are_well(told: Facts) -> None:
    assert list(router.find(told, CATALOGUE)) == []


@pytest.mark.parametrize(
    ("line", "top"),
    [
        ("  [moe] layer 0 tokens per expert: [0.064, 0.0, 0.895, 0.0, 0.014, 0.0, 0.012, 0.015] dropped: 77.0%", 0.895),
        ("step 40 expert_load=[12, 3, 480, 17]", 480 / 512),
        ("router: usage (91.0 3.0 4.0 2.0)", 0.91),
        ("INFO gating fractions [0.25 0.25 0.25 0.25]", 0.25),
    ],
)
def test_lists_of_what_each_expert_gets_are_read_in_any_layout(line: str, top: float) -> None:
    (draft,) = read_shares("shares", iter([Row(0, len(line), line.encode())])).drafts
    assert draft.numbers["top"] == pytest.approx(top, abs=0.01)


@pytest.mark.parametrize(
    "line",
    [
        "expert losses: [0.2, 0.3, 0.1, 0.4]",
        "expert ids [3, 1, 2, 0]",
        "experts on ranks [0, 1, 2, 3]",
        "router bias [0.1, 0.9, 0.0, 0.0]",
    ],
)
def test_other_lists_beside_experts_are_no_shares(line: str) -> None:
    assert not read_shares("shares", iter([Row(0, len(line), line.encode())])).drafts
