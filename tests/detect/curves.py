"""Generated training curves, the same every time: shapes that healthy runs have, and shapes of failures."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from runtriage.model.series import Point, Series
from runtriage.model.subject import Subject

Shape = Callable[[random.Random], list[Series]]
N = 400


def curve(name: str, role: str, values: Sequence[float], *, rank: int | None = None, every: int = 1) -> Series:
    """Return a series as the scan would: its first non-finite value, its last finite one and its extremes told."""
    points = tuple(Point(float(n * every), value, n, None, n * 100) for n, value in enumerate(values, 1))
    wild = [point for point in points if not math.isfinite(point.value)]
    sane = [point for point in points if math.isfinite(point.value)]
    before = [point for point in sane if not wild or point.step < wild[0].step]
    return Series(
        artifact="train.log",
        name=name,
        role=role,
        subject=Subject(rank=rank),
        points=points,
        total=len(points),
        nonfinite=len(wild),
        first_nonfinite=wild[0] if wild else None,
        last_finite=before[-1] if before else None,
        minimum=min(sane, key=lambda point: point.value, default=None),
        maximum=max(sane, key=lambda point: point.value, default=None),
    )


def falling(draw: random.Random, start: float = 4.0, end: float = 1.0, noise: float = 0.05, n: int = N) -> list[float]:
    """A loss that falls exponentially, with noise in proportion."""
    return [(end + (start - end) * math.exp(-6 * i / n)) * (1 + draw.gauss(0, noise)) for i in range(n)]


def loss(values: Sequence[float]) -> Series:
    return curve("loss", "loss", values)


def _spiked(draw: random.Random, height: float, width: int) -> list[Series]:
    values = falling(draw)
    for i in range(width):
        values[200 + i] += height * math.exp(-3 * i / width)
    return [loss(values)]


def _with_rate(draw: random.Random, rate: Callable[[int], float]) -> list[Series]:
    return [loss(falling(draw)), curve("lr", "lr", [rate(i) for i in range(N)])]


def _restarts(draw: random.Random) -> list[Series]:
    values = falling(draw)
    bumped = [value * (1 + 0.4 * math.exp(-(i % 100) / 10)) for i, value in enumerate(values)]
    return [loss(bumped), curve("lr", "lr", [1e-3 * (1 + math.cos(math.pi * (i % 100) / 100)) / 2 for i in range(N)])]


def _steps(draw: random.Random, **slow: float) -> list[Series]:
    times = [abs(draw.gauss(0.5, 0.03)) for _ in range(N)]
    for i in range(0, N, 50):
        times[i] *= slow.get("save", 1.0)
    for i in range(300, 320):
        times[i] *= slow.get("window", 1.0)
    times[0] *= slow.get("compile", 1.0)
    return [loss(falling(draw)), curve("step_time", "step_time", times)]


def _evals(draw: random.Random, train: tuple[float, float], judged: Sequence[float]) -> list[Series]:
    return [loss(falling(draw, *train)), curve("eval_loss", "eval_loss", judged, every=N // len(judged))]


def _accuracy(draw: random.Random, values: Sequence[float]) -> list[Series]:
    return [loss(falling(draw)), curve("eval_accuracy", "eval_metric", values, every=N // len(values))]


def _scale(draw: random.Random, values: Sequence[float]) -> list[Series]:
    return [loss(falling(draw)), curve("loss_scale", "loss_scale", values)]


def _ranks(draw: random.Random, spread: float) -> list[Series]:
    return [
        curve("step_time", "step_time", [abs(draw.gauss(0.5 + spread * rank, 0.03)) for _ in range(N)], rank=rank)
        for rank in range(4)
    ]


def _terms(draw: random.Random, bad: float, judged: Callable[[int], float] = lambda i: 1.0) -> list[Series]:
    """The terms of a detector's loss, without their sum; `bad` is how far the classes' and boxes' terms are off at the end."""
    found: list[Series] = []
    for name, start, end in (("box_loss", 1.7, 0.9), ("cls_loss", 2.6, 0.6), ("dfl_loss", 1.3, 0.95)):
        values = [v * (1 if i < 250 else bad) for i, v in enumerate(falling(draw, start, end, 0.02))]
        found.append(curve(f"train/{name}", "loss_part", values))
        found.append(curve(f"val/{name}", "eval_loss_part", [end * judged(i) for i in range(8)], every=N // 8))
    return found


HEALTHY: dict[str, Shape] = {
    "falls": lambda d: [loss(falling(d))],
    "falls-noisily": lambda d: [loss(falling(d, noise=0.3))],
    "falls-by-orders": lambda d: [loss(falling(d, 50.0, 0.001))],
    "falls-little": lambda d: [loss(falling(d, 2.0, 1.8, 0.02))],
    "nearly-converged": lambda d: [loss(falling(d, 0.7, 0.66, 0.02))],
    "fine-tuning-flat-with-noise": lambda d: [loss([0.9 + d.gauss(0, 0.05) for _ in range(N)])],
    "fine-tuning-from-low-loss": lambda d: [loss([abs(d.gauss(0.05, 0.03)) + 1e-3 for _ in range(N)])],
    "few-values": lambda d: [loss(falling(d, n=6))],
    "warm-up-bump": lambda d: [
        loss([v * (1 + 0.5 * math.exp(-(((i - 20) / 8) ** 2))) for i, v in enumerate(falling(d))])
    ],
    "small-spike-recovers": lambda d: _spiked(d, 2.0, 30),
    "large-spike-recovers": lambda d: _spiked(d, 15.0, 60),
    "one-step-spike": lambda d: _spiked(d, 40.0, 2),
    "many-spikes": lambda d: [loss([v + (5 if i % 37 == 0 else 0) for i, v in enumerate(falling(d))])],
    "cosine-restarts": _restarts,
    "linear-warm-up": lambda d: _with_rate(d, lambda i: 1e-3 * min(1, (i + 1) / 50)),
    "rate-decays-to-zero": lambda d: _with_rate(d, lambda i: 1e-3 * (1 - i / (N - 1))),
    "rate-steps-down": lambda d: _with_rate(d, lambda i: 1e-1 * 0.1 ** (i // 130)),
    "one-cycle": lambda d: _with_rate(d, lambda i: 1e-3 * (1 - abs(i - 120) / 400)),
    "rate-printed-as-zero": lambda d: _with_rate(d, lambda i: 0.0),
    "converged-with-a-rate-printed-as-zero": lambda d: [
        loss([0.9 + d.gauss(0, 0.05) for _ in range(N)]),
        curve("lr", "lr", [0.0] * N),
    ],
    "batch-ramp": lambda d: [loss([v * (1 + 0.15 * (i > 150)) for i, v in enumerate(falling(d))])],
    "longer-sequences": lambda d: [
        loss(falling(d)),
        curve("step_time", "step_time", [0.5 * (1 + (i > 200)) + d.gauss(0, 0.02) for i in range(N)]),
    ],
    "gan": lambda d: [
        curve("g_loss", "loss", [2 + 4 * abs(math.sin(i / 30)) + d.gauss(0, 0.3) for i in range(N)]),
        curve("d_loss", "loss", [0.7 + 0.3 * math.sin(i / 20) + d.gauss(0, 0.05) for i in range(N)]),
    ],
    "gan-generator-rises": lambda d: [curve("loss_G", "loss", [1 + i / 60 + abs(d.gauss(0, 0.3)) for i in range(N)])],
    "policy-loss": lambda d: [curve("policy_loss", "loss", [d.gauss(0, 0.02) for _ in range(N)])],
    "value-loss-grows": lambda d: [
        curve("value_loss", "loss", [0.1 + i / 80 + abs(d.gauss(0, 0.3)) for i in range(N)])
    ],
    "terms-of-a-loss-fall": lambda d: _terms(d, 1.0, lambda i: 1 + math.exp(-i)),
    "terms-of-adversaries": lambda d: [
        curve("D_fake_loss", "loss_part", [0.3 + i / 60 + abs(d.gauss(0, 0.1)) for i in range(N)]),
        curve("D_real_loss", "loss_part", [0.3 + i / 80 + abs(d.gauss(0, 0.1)) for i in range(N)]),
    ],
    "terms-of-critics-follow-the-reward": lambda d: [
        curve("qf1_loss", "loss_part", [0.3 + i / 60 + abs(d.gauss(0, 0.1)) for i in range(N)]),
        curve("qf2_loss", "loss_part", [0.3 + i / 60 + abs(d.gauss(0, 0.1)) for i in range(N)]),
        curve("episode_reward", "reward", [d.gauss(i / 50, 3) for i in range(N)]),
    ],
    "a-small-term-of-a-loss-rises": lambda d: [
        curve("main_loss", "loss_part", falling(d, 40.0, 10.0)),
        curve("penalty_loss", "loss_part", [0.1 + i / 200 + abs(d.gauss(0, 0.02)) for i in range(N)]),
    ],
    "surer-of-its-mistakes-but-makes-fewer": lambda d: [
        *_evals(d, (4.0, 0.01), [1.2, 1.1, 1.2, 1.3, 1.5, 1.6, 1.7, 1.8]),
        curve("eval_accuracy", "eval_metric", [0.6, 0.68, 0.71, 0.73, 0.74, 0.75, 0.76, 0.76], every=N // 8),
    ],
    "reward-noise": lambda d: [curve("reward", "metric", [d.gauss(i / 50, 3) for i in range(N)])],
    "negative-likelihood": lambda d: [loss([-1.0 - i / 100 + d.gauss(0, 0.1) for i in range(N)])],
    "contrastive-from-log-n": lambda d: [loss([6.2 * math.exp(-i / 800) + d.gauss(0, 0.05) for i in range(N)])],
    "gradient-norm-spikes": lambda d: [
        loss(falling(d)),
        curve("grad_norm", "grad_norm", [abs(d.gauss(1, 0.2)) * (20 if i % 90 == 7 else 1) for i in range(N)]),
    ],
    "gradient-norm-falls": lambda d: [loss(falling(d)), curve("grad_norm", "grad_norm", falling(d, 30, 0.3, 0.3))],
    "skipped-steps-of-fp16": lambda d: [
        loss(falling(d)),
        curve("grad_norm", "grad_norm", [math.inf if i in (0, 1, 2, 200) else abs(d.gauss(1, 0.2)) for i in range(N)]),
    ],
    "one-nan-that-is-skipped": lambda d: [loss([math.nan if i == 150 else v for i, v in enumerate(falling(d))])],
    "scale-finds-its-level": lambda d: _scale(d, [max(2.0**32 / 2**i, 2.0**16) for i in range(N)]),
    "scale-grows-and-halves": lambda d: _scale(d, [65536.0 * (2 if (i // 40) % 2 else 1) for i in range(N)]),
    "small-scale-from-the-start": lambda d: _scale(d, [1.0] * N),
    "saves-are-slow": lambda d: _steps(d, save=12.0),
    "first-step-compiles": lambda d: _steps(d, compile=200.0),
    "slow-for-a-while": lambda d: _steps(d, window=6.0),
    "throughput-swings": lambda d: [
        curve("tokens/s", "throughput", [1000 * (1 + 0.2 * math.sin(i / 50)) for i in range(N)])
    ],
    "ranks-differ-a-little": lambda d: _ranks(d, 0.01),
    "evaluation-follows": lambda d: _evals(d, (4.0, 1.0), [3.0, 2.0, 1.5, 1.3, 1.25, 1.2, 1.2, 1.2]),
    "evaluation-a-little-worse-at-the-end": lambda d: _evals(
        d, (4.0, 1.0), [3.0, 2.0, 1.5, 1.3, 1.35, 1.38, 1.4, 1.42]
    ),
    "evaluation-better-with-dropout-off": lambda d: _evals(d, (4.0, 1.0), [2.8, 1.8, 1.4, 1.1, 1.0, 0.95, 0.93, 0.92]),
    "evaluation-jumps-about": lambda d: _evals(d, (4.0, 1.0), [3.0, 2.2, 2.6, 1.6, 2.1, 1.5, 1.8, 1.4]),
    "easy-task": lambda d: _accuracy(d, [0.91, 0.96, 0.975, 0.98, 0.983, 0.985, 0.986, 0.987]),
    "hard-task": lambda d: _accuracy(d, [0.11, 0.14, 0.2, 0.24, 0.27, 0.3, 0.31, 0.32]),
    "harder-data-from-the-middle": lambda d: [
        loss([*falling(d, 0.64, 0.002, n=130), *[0.19 * (1 + d.gauss(0, 0.3)) for _ in range(270)]])
    ],
    "one-fold-after-another": lambda d: [
        curve("loss", "loss", [v for _ in range(3) for v in falling(d, n=100)] + falling(d, n=100)[:20])
    ],
    "ends-as-a-fold-begins": lambda d: [loss([*falling(d, n=200), *falling(d, n=200)[:50]])],
    "elapsed-time": lambda d: [loss(falling(d)), curve("time", "step_time", [0.5 * i for i in range(1, N + 1)])],
    "sequences-grow-on-plan": lambda d: [
        loss(falling(d)),
        curve("step_time", "step_time", [0.5 + 0.6 * i / N + d.gauss(0, 0.02) for i in range(N)]),
    ],
    "perfect-validation-of-few-samples-under-dropout": lambda d: [
        *_accuracy(d, [1.0] * 8),
        curve("train_accuracy", "metric", [0.5, 0.66, 0.69, 0.71, 0.7, 0.73, 0.72, 0.76], every=50),
        curve("eval_loss", "eval_loss", [0.25, 0.07, 0.04, 0.03, 0.025, 0.02, 0.02, 0.02], every=50),
    ],
    "rare-class-scores-zero-at-first": lambda d: [
        loss(falling(d, 0.28, 0.12)),
        curve("eval_f1", "eval_metric", [0.0, 0.0, 0.0, 0.0, 0.05, 0.2, 0.3, 0.4], every=50),
        curve("eval_loss", "eval_loss", [0.28, 0.24, 0.22, 0.2, 0.17, 0.14, 0.12, 0.11], every=50),
    ],
    "random-labels-of-a-benchmark": lambda d: [loss([2.31 + d.gauss(0, 0.02) for _ in range(N)])],
    "converged-to-two-digits": lambda d: [loss([0.01] * 20)],
    "preferences-learnt-slowly-from-log-two": lambda d: [
        loss([0.6931 - 0.03 * i / N + d.gauss(0, 0.004) for i in range(N)])
    ],
    "memory-fills-its-pool": lambda d: [
        loss(falling(d)),
        curve("memory", "memory", [20e9 * (1 - math.exp(-i / 5)) + 1e9 for i in range(N)]),
    ],
    "memory-saw-tooth": lambda d: [
        loss(falling(d)),
        curve("memory", "memory", [4e9 + 5e7 * (i % 60) for i in range(N)]),
    ],
}


def _overfitted(draw: random.Random) -> list[Series]:
    trained = [curve(f"{name}_loss", "loss_part", falling(draw, 2.0, 0.1, 0.02)) for name in ("box", "cls")]
    judged = [1.5, 1.1, 0.9, 1.0, 1.2, 1.3, 1.4, 1.5]
    return [*trained, *(curve(f"val/{n}_loss", "eval_loss_part", judged, every=N // 8) for n in ("box", "cls"))]


def _broken(draw: random.Random) -> list[Series]:
    return [loss([*falling(draw)[:300], *[math.nan] * 100])]


RECOVERED: dict[str, Shape] = {
    "stays-up-for-a-while": lambda d: [
        loss([*falling(d)[:200], *[60 + d.gauss(0, 9) for _ in range(12)], *falling(d)[212:]])
    ],
    "comes-back-slowly": lambda d: [
        loss([v + (90 * math.exp(-(i - 250) / 12) if i >= 250 else 0) for i, v in enumerate(falling(d))])
    ],
}
"""Spikes of several prints that the run came through by itself: worth a word, and no failure."""

FAILING: dict[str, tuple[str, Shape]] = {
    "nan-to-the-end": ("nan/loss-nonfinite", _broken),
    "gradient-nan-to-the-end": (
        "nan/grad-nonfinite",
        lambda d: [loss(falling(d)), curve("grad_norm", "grad_norm", [1.0] * 300 + [math.nan] * 100)],
    ),
    "rises-and-stays": (
        "div/loss-spike-unrecovered",
        lambda d: [loss([*falling(d)[:250], *[5.5 + d.gauss(0, 0.2) for _ in range(150)]])],
    ),
    "explodes-with-its-gradient": (
        "div/grad-norm-explosion",
        lambda d: [
            loss([*falling(d)[:399], 900.0]),
            curve("grad_norm", "grad_norm", [abs(d.gauss(1, 0.1)) for _ in range(398)] + [30.0, 4e5]),
        ],
    ),
    "never-moves": ("div/plateau-not-learning", lambda d: [loss([2.302585 + d.gauss(0, 1e-5) for _ in range(N)])]),
    "guesses-among-ten-classes": (
        "div/plateau-not-learning",
        lambda d: [loss([2.3026 + d.gauss(0, 0.002) for _ in range(N)])],
    ),
    "epochs-all-alike": ("div/plateau-not-learning", lambda d: [loss([1.6094] * 12)]),
    "scale-falls-to-the-floor": (
        "nan/fp16-scale-floor",
        lambda d: _scale(d, [65536.0] * 350 + [max(65536.0 / 2**i, 1.0) for i in range(50)]),
    ),
    "overfits": (
        "div/overfitting",
        lambda d: _evals(d, (4.0, 0.01), [3.0, 2.0, 1.6, 1.9, 2.4, 2.9, 3.3, 3.6]),
    ),
    "overfits-from-its-second-evaluation-on": (
        "div/overfitting",
        lambda d: _evals(d, (4.0, 0.01), [1.6, 1.9, 2.4, 2.9, 3.3, 3.6]),
    ),
    "overfits-in-every-term": ("div/overfitting", lambda d: _overfitted(d)),
    "blows-up-in-every-term": ("div/loss-spike-unrecovered", lambda d: _terms(d, 30.0)),
    "steps-become-slow": (
        "stall/throughput-collapse",
        lambda d: [curve("step_time", "step_time", [0.5] * 250 + [4.0 + d.gauss(0, 0.1) for _ in range(150)])],
    ),
    "goes-back-to-where-it-began": (
        "div/loss-spike-unrecovered",
        lambda d: [loss([*falling(d, 4.2, 1.3)[:250], *[3.7 + d.gauss(0, 0.1) for _ in range(150)]])],
    ),
    "rises-with-a-rate-that-never-stops-growing": (
        "div/lr-too-high",
        lambda d: [
            loss([*falling(d, 4.2, 1.3)[:250], *[3.6 + d.gauss(0, 0.1) for _ in range(150)]]),
            curve("lr", "lr", [1e-4 * 1.01**i for i in range(N)]),
        ],
    ),
    "steps-become-slower-and-slower": (
        "stall/throughput-collapse",
        lambda d: [curve("step_time", "step_time", [0.1 + i / 500 + d.gauss(0, 0.01) for i in range(N)])],
    ),
    "throughput-fades": (
        "stall/throughput-collapse",
        lambda d: [curve("samples/s", "throughput", [64 / (0.1 + i / 500) + d.gauss(0, 2) for i in range(N)])],
    ),
    "score-frozen-beside-its-loss": (
        "eval/metric-reduction-bug",
        lambda d: [
            curve("eval_loss", "eval_loss", falling(d, 0.5, 0.02, n=12), every=30),
            curve("eval_f1", "eval_metric", [0.0] * 12, every=30),
        ],
    ),
    "evaluation-only-worse": (
        "eval/label-mapping",
        lambda d: [
            curve("loss", "loss", falling(d, 4.8, 1.5, 0.02)),
            curve("eval_loss", "eval_loss", [4.7, 6.8, 7.2, 7.4, 7.6], every=1),
        ],
    ),
    "evaluation-worse-than-untrained": (
        "eval/label-mapping",
        lambda d: _evals(d, (2.3, 0.05), [7.0, 8.0]),
    ),
}
