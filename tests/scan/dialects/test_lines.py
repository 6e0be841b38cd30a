from __future__ import annotations

import math

import pytest

from runtriage.scan.dialects.learn import FileMetrics, parse

MEGATRON = (
    " [2026-08-30 04:23:10.630034] iteration     5010/   40000 | consumed samples:      5130240 | elapsed time per iteration (ms): 6110.0"
    " | throughput per GPU (TFLOP/s/GPU): 411.5 | learning rate: 3.000000E-04 | global batch size:  1024 | lm loss: 2.312638E+00"
    " | loss scale: 1.0 | grad norm: 0.299 | number of skipped iterations:   0 | number of nan iterations:   0 |"
)
DETECTRON = (
    "[11/29 13:13:08 d2.utils.events]:  eta: 0:05:00  iter: 19  total_loss: 2.345  loss_cls: 0.912  time: 0.3105"
    "  data_time: 0.0101   lr: 4.9953e-06  max_mem: 2712M"
)
FAIRSEQ = (
    "2026-11-29 13:13:08 | INFO | train_inner | epoch 001:    100 / 1000 loss=10.215, ppl=898.95, wps=33021.4, num_updates=100,"
    " lr=1.25e-05, gnorm=2.316, loss_scale=128, train_wall=40"
)
FAIRSEQ_VALID = "2026-11-29 13:13:08 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 9.101 | ppl 388.4 | num_updates 1000"
VERL = (
    "(TaskRunner pid=123) step:5 - actor/pg_loss:-0.012 - actor/grad_norm:0.234 - actor/lr:1e-06 - critic/score/mean:0.512"
    " - timing_s/step:45.1 - perf/throughput:1023.4"
)
MMENGINE = (
    "2026/11/29 13:13:08 - mmengine - INFO - Epoch(train)  [1][ 50/196]  lr: 1.0000e-03  eta: 0:01:02  time: 0.2  data_time: 0.01"
    "  memory: 1234  loss: 2.3"
)
IMAGENET = "Epoch: [0][ 10/5005]\tTime  0.312 ( 0.501)\tData  0.001 ( 0.120)\tLoss 6.9012e+00 (6.9400e+00)\tAcc@1   0.39 (  0.12)"
CATBOOST = "3:\tlearn: 0.6892310\ttest: 0.6901234\tbest: 0.6901234 (0)\ttotal: 5.2ms\tremaining: 5.19s"
DEEPSPEED = (
    "[2026-06-01 01:13:48,244] [INFO] [logging.py:107:log_dist] [Rank 0] epoch=0/micro_step=24/global_step=6, "
    "RunningAvgSamplesPerSec=0.360890, CurrSamplesPerSec=0.366663, MemAllocated=18.42GB, MaxMemAllocated=61.07GB"
)


@pytest.mark.parametrize(
    ("line", "step", "epoch", "total", "roles"),
    [
        ("step 5 loss 5.5871 lr 2.0e-03", 5, None, None, {"loss": 5.5871, "lr": 0.002}),
        (
            "2026-11-29 13:12:59,650 - train - INFO - step 5/100 loss 5.5 grad_norm 1.5",
            5,
            None,
            100,
            {"loss": 5.5, "grad_norm": 1.5},
        ),
        (
            "[2026-11-29 13:11:06,478] [INFO] [clf:29] [  10/1500] loss 2.3026  acc 0.094  lr 1.0e-03",
            10,
            None,
            1500,
            {"loss": 2.3026, "metric": 0.094, "lr": 0.001},
        ),
        ("22:00:29 it    1 | lm loss 4.1881 | 8.91 s/it", 1, None, None, {"loss": 4.1881, "step_time": 8.91}),
        ("08:00:44 step 0040 loss=3.520 it/s=0.91", 40, None, None, {"loss": 3.52, "throughput": 0.91}),
        ("INFO:train:step 8 loss 1.3720", 8, None, None, {"loss": 1.372}),
        (
            " 163 | loss 7.9e+18 | gnorm 2.5e+09 | lr 0.45",
            163,
            None,
            None,
            {"loss": 7.9e18, "grad_norm": 2.5e9, "lr": 0.45},
        ),
        ("loss 1.25 gnorm 0.5 lr 0.001", None, None, None, {"loss": 1.25, "grad_norm": 0.5, "lr": 0.001}),
        (
            "{'loss': 2.3, 'grad_norm': 1.5, 'learning_rate': 5e-05, 'epoch': 0.31}",
            None,
            0.31,
            None,
            {"loss": 2.3, "grad_norm": 1.5, "lr": 5e-5},
        ),
        (
            "{'loss': '20.6', 'grad_norm': '16.71', 'learning_rate': '0.5654', 'epoch': '0.3'}",
            None,
            0.3,
            None,
            {"loss": 20.6, "grad_norm": 16.71, "lr": 0.5654},
        ),
        (
            "{'eval_loss': 1.2, 'eval_accuracy': 0.5, 'eval_runtime': 0.2, 'epoch': 1.0}",
            None,
            1.0,
            None,
            {"eval_loss": 1.2, "eval_metric": 0.5},
        ),
        (
            '{"step": 10, "train": {"loss": 0.5}, "eval": {"loss": 0.7}}',
            10,
            None,
            None,
            {"loss": 0.5, "eval_loss": 0.7},
        ),
        (
            '{"ts": "2026-11-29 13:15:19,963", "msg": "step 15/5000 loss 1.3866 step_time 0.0009s 34091 samples/s"}',
            15,
            None,
            5000,
            {"loss": 1.3866, "step_time": 0.0009, "throughput": 34091},
        ),
        (
            "train:  12%|█▏        | 236/2000 [00:01<00:13, 134.58it/s, loss=0.088, lr=0.001]",
            236,
            None,
            2000,
            {"loss": 0.088, "lr": 0.001, "throughput": 134.58},
        ),
        (
            "Epoch 1:  69%|██████▊   | 120/175 [00:02<00:01, 54.99it/s, v_num=0, train_loss=0.00987, val_loss=0.00803]",
            295,
            1.0,
            None,
            {"loss": 0.00987, "eval_loss": 0.00803, "throughput": 54.99},
        ),
        ("Epoch 1/10", None, 1.0, None, {}),
        (
            "50/50 - 0s - 4ms/step - accuracy: 0.5978 - loss: 0.6636 - val_accuracy: 0.6913 - val_loss: 0.6420",
            None,
            None,
            None,
            {"metric": 0.5978, "loss": 0.6636, "eval_metric": 0.6913, "eval_loss": 0.642, "step_time": 4},
        ),
        ("Epoch 1, Step 20: loss = 0.5", 20, 1.0, None, {"loss": 0.5}),
        ("Epoch [3/10], Step [150/600], Loss: 0.2345", None, 3.25, None, {"loss": 0.2345}),
        ("Train Epoch: 1 [600/60000 (1%)]\tLoss: 2.300012", None, 1.01, None, {"loss": 2.300012}),
        (
            "Test set: Average loss: 0.0512, Accuracy: 9832/10000 (98%)",
            None,
            None,
            None,
            {"eval_loss": 0.0512, "eval_metric": 0.9832},
        ),
        ("step 2000: train loss 2.3011, val loss 2.3420", 2000, None, None, {"loss": 2.3011, "eval_loss": 2.342}),
        (
            "eval (intent-eval-v2) step 800 loss 10.5450 acc 0.2200",
            800,
            None,
            None,
            {"eval_loss": 10.545, "eval_metric": 0.22},
        ),
        (
            "[clf:33]   eval @1500: val_loss 2.3026 val_acc 0.092",
            1500,
            None,
            None,
            {"eval_loss": 2.3026, "eval_metric": 0.092},
        ),
        (
            " validation loss at iteration 5000 | lm loss value: 2.213000E+00 | lm loss PPL: 9.143000E+00 |",
            5000,
            None,
            None,
            {"eval_loss": 2.213, "eval_metric": 9.143},
        ),
        ("[10]\ttrain-rmse:8.13470\tvalid-rmse:8.65970", 10, None, None, {"loss": 8.1347, "eval_loss": 8.6597}),
        ("[49]\tvalid_0's auc: 0.749899", 49, None, None, {"eval_metric": 0.749899}),
        (
            "step: 10  loss:  4.9753  grad_norm:  0.6771  memory: 61.20GiB(77.37%)  tps: 7,050  mfu: 41.50%",
            10,
            None,
            None,
            {"loss": 4.9753, "grad_norm": 0.6771, "memory": 61.2, "throughput": 7050},
        ),
        (
            "iter 10: loss 2.3000, time 5.12ms, mfu 12.00%",
            10,
            None,
            None,
            {"loss": 2.3, "step_time": 5.12, "throughput": 12},
        ),
        (
            "completed step: 10, seconds: 0.123, TFLOP/s/device: 12.3, total_weights: 1000, loss: 10.234",
            10,
            None,
            None,
            {"step_time": 0.123, "throughput": 12.3, "loss": 10.234},
        ),
        ("step=6, skipped=0, lr=[1.200e-06], mom=[(0.9, 0.95)]", 6, None, None, {"skipped": 0, "lr": 1.2e-06}),
        (
            "[scaler] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 262144, reducing to 131072",
            None,
            None,
            None,
            {"loss_scale": 262144},
        ),
        ("|    ep_rew_mean     | 21.1     |", None, None, None, {"reward": 21.1}),
        ("|    total_timesteps | 2048     |", 2048, None, None, {}),
        (
            "update 1  ep_rew_mean 19.1  entropy 0.6841  approx_kl 0.0241  lr 0.003",
            1,
            None,
            None,
            {"reward": 19.1, "entropy": 0.6841, "kl": 0.0241, "lr": 0.003},
        ),
        ("INFO 15:00:03 rank0 warmup batch 1/30", 1, None, 30, {}),
        ("13:46:32 rank=0 step=10 |w|=18.974", 10, None, None, {}),
        (
            MEGATRON,
            5010,
            None,
            40000,
            {
                "step_time": 6110.0,
                "throughput": 411.5,
                "lr": 3e-4,
                "loss": 2.312638,
                "loss_scale": 1.0,
                "grad_norm": 0.299,
                "skipped": 0,
                "nan_iterations": 0,
            },
        ),
        (
            DETECTRON,
            19,
            None,
            None,
            {
                "loss": 2.345,
                "loss_part": 0.912,
                "step_time": 0.3105,
                "data_time": 0.0101,
                "lr": 4.9953e-06,
                "memory": 2712,
            },
        ),
        (
            FAIRSEQ,
            100,
            1.0,
            None,
            {
                "loss": 10.215,
                "metric": 898.95,
                "throughput": 33021.4,
                "lr": 1.25e-05,
                "grad_norm": 2.316,
                "loss_scale": 128,
            },
        ),
        (FAIRSEQ_VALID, 1000, 1.0, None, {"eval_loss": 9.101, "eval_metric": 388.4}),
        (
            VERL,
            5,
            None,
            None,
            {
                "policy_loss": -0.012,
                "grad_norm": 0.234,
                "lr": 1e-06,
                "reward": 0.512,
                "step_time": 45.1,
                "throughput": 1023.4,
            },
        ),
        (
            MMENGINE,
            None,
            pytest.approx(1 + 50 / 196),
            None,
            {"lr": 1e-3, "step_time": 0.2, "data_time": 0.01, "memory": 1234, "loss": 2.3},
        ),
        (IMAGENET, None, pytest.approx(10 / 5005), None, {"step_time": 0.312, "loss": 6.9012, "metric": 0.39}),
        (CATBOOST, 3, None, None, {"loss": 0.689231, "eval_loss": 0.6901234}),
        (DEEPSPEED, 6, 0.0, None, {"throughput": 0.36089, "memory": 18.42}),
    ],
)
def test_a_metric_line_gives_its_place_and_its_numbers_by_role(
    line: str, step: int | None, epoch: float | None, total: int | None, roles: dict[str, float]
):
    said = parse(line.encode())
    assert said is not None
    assert (said.step, said.epoch, said.total) == (step, epoch, total)
    reader, found = FileMetrics(), dict[str, float]()
    for name, value in said.values:
        if (role := reader.role(name)) is not None:
            found.setdefault(role, value)
    assert found == roles


@pytest.mark.parametrize(
    "line",
    [
        "ValueError: Tried to step 1249 times. The specified number of total steps is 1248",
        "RuntimeError: The size of tensor a (10) must match the size of tensor b (12) at non-singleton dimension 1",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB",
        "config pretrain.yaml: {'model': {'vocab': 256, 'dim': 48, 'layers': 2}, 'lr': 0.002, 'steps': 300}",
        "TrainingArguments(per_device_train_batch_size=8, max_steps=600, learning_rate=1e-3, logging_steps=2)",
        "params {'objective': 'reg:squarederror', 'eta': 1.98, 'max_depth': 6}",
        "    loss = 0.5",
        '  File "train.py", line 12, in main',
        "2026-11-29 13:00:18,973 - INFO - sft - prepared dialogue 4/500",
        "cached feature block 1/140 -> /scratch/cache",
        "Writing model shards: 100%|██████████| 1/1 [00:00<00:00, 111.74it/s]",
        "Map: 100%|██████████| 400/400 [00:00<00:00, 14380.68 examples/s]",
        "Validation DataLoader 0: 100%|██████████| 40/40 [00:00<00:00, 966.20it/s]",
        "Sanity Checking DataLoader 0: 100%|██████████| 2/2 [00:00<00:00, 52.12it/s]",
        "{'train_runtime': '12.62', 'train_samples_per_second': '475.4', 'train_loss': '0.63', 'epoch': '60'}",
        "model saved to model.json, best score [0]\teval-rmse:7.58731439753840586",
        "Early stopping, best iteration is:",
        "[LightGBM] [Warning] No further splits with positive gain, best gain: -inf",
        "Sending process 48108 closing signal SIGTERM",
        "metric 'killed_neurons' is nan for an empty class, ignoring it",
        "",
    ],
)
def test_a_line_with_numbers_that_are_no_metrics_gives_nothing(line: str):
    assert parse(line.encode()) is None


STYLES = [
    "step 5 loss {}",
    "step=5, loss={}, lr=1",
    "{{'loss': {}, 'epoch': 1.0}}",
    "{{'loss': '{}', 'epoch': '1.0'}}",
    "iter 5 | lm loss: {} | x: 1",
    '{{"step": 5, "loss": {}}}',
    "Epoch 5/5 - loss: {} - acc: 0.5",
    "[5]\tloss:{}",
    "step: 5  loss:  {}  lr: 1",
]
PRINTED = [
    "0.0",
    "1.",
    "-0.5",
    "1e-07",
    "2.5E+03",
    "-1.25e-3",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "-Infinity",
    "123456789.125",
    "3",
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("printed", PRINTED)
def test_every_form_of_a_number_is_read_exactly_in_every_style(style: str, printed: str):
    said = parse(style.format(printed).encode())
    assert said is not None
    value = dict(said.values)["lm loss" if "lm loss" in style else "loss"]
    expected = float(printed)
    assert value == expected or (math.isnan(value) and math.isnan(expected))


def test_ranks_and_reward_names_never_become_places():
    said = parse(b"[Rank 3] rank 3 step 5 loss 2.0")
    assert said is not None
    assert (said.step, [name for name, _ in said.values]) == (5, ["loss"])


def test_a_prefix_is_no_part_of_the_line():
    assert parse(b"[rank3]: step 5 loss 2.0") == parse(b"step 5 loss 2.0")


@pytest.mark.parametrize(
    "piece", ["1 ", "loss ", "a=1,", "%|", "[", "1/", "'", "{", "x" * 50 + "=", "1:", "- ", "nan "]
)
def test_a_hostile_line_is_read_in_bounded_work(piece: str):
    for _ in range(3):
        parse((piece * 200_000)[:200_000].encode())


@pytest.mark.parametrize("printed", ["nan.0", "inf.0"])
def test_a_bar_that_pads_a_number_which_is_none_keeps_it(printed: str) -> None:
    line = f"Epoch 0:  24%|##        | 125/500 [00:12<00:20, 10.0it/s, v_num=3, train_loss={printed}]"
    said = parse(line.encode())
    assert said is not None
    assert not math.isfinite(dict(said.values)["train_loss"])
    named = parse(b"step 5 loss 1.5 version nan.0b")
    assert named is not None
    assert "version" not in dict(named.values)
