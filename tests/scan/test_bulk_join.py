"""However an artifact is cut, blocked and shared, and whether numpy helps or not, its metric lines say the same."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.scan import metrics
from runtriage.scan.join import join
from runtriage.scan.kit import Kit
from runtriage.scan.many import line_from
from runtriage.scan.result import Part, ScanResult
from runtriage.scan.tail import Memory
from tests.scan.reading import RULES, read

NEVER = 10**9
_ODD = ("nan", "inf", "-inf", "NaN", "0", "-0.0", "1.", "1e-300", "12,345", "1,23", "none")


def number(rng: random.Random) -> str:
    """Print a number in one of the ways that logs do."""
    value = rng.uniform(-1e6, 1e6) * 10 ** rng.randrange(-6, 14, 4)
    digits = rng.randrange(17)
    ways = (repr(value), f"{value:.{digits}e}", f"{value:.{digits % 10}f}", str(int(value)), f"{rng.uniform(0, 9):.4f}")
    return rng.choice((*ways, rng.choice(_ODD)))


_FORMS = (
    "step {n} loss {a} lr {b}\n",
    "[rank{r}]: step {n}/{t} loss {a} grad_norm {b}\n",
    "2026-05-14 0{r}:{m:02d}:{s:02d},155 INFO step: {n}  loss: {a}  grad_norm: {b}  tps: {k:,}\n",
    "{{'loss': {a}, 'grad_norm': {b}, 'epoch': 0.{n}}}\n",
    " 28%|###   | {n}/{t} [00:01<00:02, 78.34it/s, loss={a}]\r",
    "Epoch {r}: 28%|###   | {n}/{t} [00:01<00:02, 78.34it/s, loss={a}]\r\n",
    "[{n}]\tvalid's auc: {a}\tvalid's binary_logloss: {b}\n",
    "Early stopping, best iteration is:\n",
    "step {n} loss {a} " + "padding " * 300 + "lr {b}\n",
    "[rank{r}]: " + "long " * 900 + "step {n} loss {a} " + "tail " * 900 + "loss {b}\n",
    "[rank{r}]: gradient overflow, loss of scale\n",
    "Worker group FAILED. 2/3 attempts left; will restart worker group\n",
    "no number here\n",
    "loss \n",
)


def log(rng: random.Random) -> bytes:
    """Return a log of a few forms of lines, each in runs, so that layouts are learnt."""
    parts: list[str] = []
    step = rng.randrange(4)
    for _ in range(rng.randrange(1, 9)):
        form, total = rng.choice(_FORMS), rng.choice((100, 1000, 90_000))
        numbers = [number(rng) for _ in range(rng.randrange(2, 9))]
        for turn in range(rng.choice((1, 3, 20, 80))):
            step += 1
            a, b = numbers[turn % len(numbers)], numbers[(turn * 7 + 1) % len(numbers)]
            r, m, s = step // 50 % 3, step // 60 % 60, step % 60
            parts.append(form.format(n=step, t=total, a=a, b=b, r=r, m=m, s=s, k=step * 977))
    return "".join(parts).encode()[rng.randrange(40) :]


def in_parts(data: bytes, cuts: list[int], blocks: list[int]) -> ScanResult:
    artifact = Artifact(path="train.log", kind="log", size=len(data))
    starts = sorted({line_from(Memory(data), cut) for cut in cuts if 0 < cut < len(data)} - {len(data)})
    whole: Part | None = None
    for turn, (start, stop) in enumerate(zip([0, *starts], [*starts, None], strict=True)):
        part = Kit(RULES, Options(), blocks[turn % len(blocks)]).part(Memory(data), artifact, start, stop)
        if whole is None:
            whole = part
        else:
            join(whole, part)
    assert whole is not None
    return Kit(RULES, Options()).finish(whole, artifact)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_cuts_blocks_and_numpy_change_nothing(seed: int):
    rng = random.Random(seed)
    data = log(rng)
    cuts = [rng.randrange(len(data) + 1) for _ in range(rng.randrange(5))]
    blocks = [rng.choice((16_384, 20_000, 65_536, 524_288)) for _ in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metrics, "_MANY", NEVER)
        plain = repr(read(data))
        assert repr(in_parts(data, cuts, blocks)) == plain
        patch.setattr(metrics, "_MANY", rng.choice((1, 5, 30, 200)))
        assert repr(read(data)) == plain
        assert repr(in_parts(data, cuts, blocks)) == plain
