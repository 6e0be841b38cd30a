"""Generates logs of any size; the same size always gives the same bytes."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

RANKS: Final = 64
_TENSOR = "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/module.py"


def _clock(number: int) -> str:
    seconds = number // 7
    return f"2026-05-{seconds // 86400 % 28 + 1:02d} {seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d},{number % 7 * 142:03d}"


def _metric(rng: random.Random, number: int) -> str:
    loss = 2.0 + 6.0 / (1 + number / 40000) + rng.random() * 0.3
    return (
        f"[rank0]:[trainer] {_clock(number)} - root - INFO - step: {number}  loss: {loss:7.4f}  grad_norm: {rng.random() * 3:7.4f}  "
        f"lr: {3e-4 * (1 - number % 90000 / 100000):.3e}  memory: {60 + rng.random():.2f}GiB({76 + rng.random():.2f}%)  "
        f"tps: {7000 + rng.randrange(400):,}  mfu: {40 + rng.random() * 3:.2f}%\n"
    )


def _rank_info(rng: random.Random, number: int) -> str:
    return (
        f"[rank{rng.randrange(RANKS)}]: {_clock(number)} INFO data.loader: shard {rng.randrange(9999):05d} opened, "
        f"{rng.randrange(1, 4096)} documents, {rng.randrange(10**6)} tokens, cache hit ratio {rng.random():.3f}, queue depth {rng.randrange(64)}\n"
    )


def _nccl(rng: random.Random, number: int) -> str:
    rank = rng.randrange(RANKS)
    return (
        f"gpu-{rank // 8:02d}:{41000 + rank}:{42000 + rank} [{rank % 8}] NCCL INFO Channel {rng.randrange(24):02d}/0 : "
        f"{rank}[{rank % 8}] -> {(rank + 1) % RANKS}[{(rank + 1) % 8}] [send] via NET/IB/{rng.randrange(8)}/GDRDMA comm 0x{rng.getrandbits(40):x}\n"
    )


def _bar(rng: random.Random, number: int) -> str:
    done = number % 1000
    drawn = "█" * (done // 100) + " " * (10 - done // 100)
    end = "\n" if done % 20 == 19 else "\r"
    return f"Evaluating: {done / 10:3.0f}%|{drawn}| {done}/1000 [00:{done % 60:02d}<01:{done % 59:02d}, {10 + rng.random() * 9:5.2f}it/s]{end}"


def _noise(rng: random.Random, number: int) -> str:
    return rng.choice(
        (
            f"{_clock(number)} WARNING retry {rng.randrange(3)} of 3 for object part-{rng.randrange(9999)}: no error, 0 failed, continuing\n",
            f'INFO:     10.0.{rng.randrange(255)}.{rng.randrange(255)}:{rng.randrange(65535)} - "GET /metrics?window={rng.randrange(900)} HTTP/1.1" 200 OK\n',
            (
                "/opt/venv/lib/python3.12/site-packages/transformers/tokenization_utils_base.py:2692: FutureWarning: the `max_length` argument is "
                "ignored when `padding`=`True` and there is no truncation strategy; pass `truncation=True` to cut longer inputs\n"
            ),
            f"[rank{rng.randrange(RANKS)}]: gradient bucket {rng.randrange(40)} ready after {rng.random() * 40:.2f} ms, nothing to reduce elsewhere\n",
            f"wandb: uploading output.log {rng.random() * 90:.1f}MB of 90.2MB, history steps {number}-{number + 20}, summary 1 of 1, events 12 of 12\n",
        )
    )


_MIX: Final[tuple[tuple[Callable[[random.Random, int], str], int], ...]] = (
    (_metric, 30),
    (_rank_info, 25),
    (_nccl, 15),
    (_bar, 10),
    (_noise, 20),
)


def mixed(size: int) -> Iterator[str]:
    """Yield a log of one file for the whole job: metrics of rank 0, chatter of all ranks, bars, and a few failures that it survives."""
    rng = random.Random(7)
    kinds = [kind for kind, weight in _MIX for _ in range(weight)]
    written = number = 0
    while written < size:
        number += 1
        line = kinds[rng.randrange(len(kinds))](rng, number)
        if number % 200_000 == 77_777:
            line = traceback(rng.randrange(RANKS), number)
        written += len(line)
        yield line


def traceback(rank: int, number: int) -> str:
    """Return one traceback of a rank, every line behind its prefix."""
    frames = [
        f'  File "{_TENSOR}", line {1700 + depth}, in _call_impl\n    return forward_call(*args, **kwargs)'
        for depth in range(12)
    ]
    lines = [
        "Traceback (most recent call last):",
        '  File "/workspace/pretrain/train.py", line 418, in <module>\n    main()',
        *frames,
        '  File "/workspace/pretrain/model.py", line 92, in forward\n    return self.up(self.act(self.gate(x)))',
        (
            "torch.distributed.DistBackendError: NCCL communicator was aborted on rank "
            f"{rank}. Original reason for failure was: watchdog timeout in collective {number // 1000}"
        ),
    ]
    return "".join(f"[rank{rank}]: {part}\n" for line in lines for part in line.split("\n"))


def cascade(size: int) -> Iterator[str]:
    """Yield a log whose first failure is one rank's; then half of it is the same traceback from all ranks, over and over."""
    rng = random.Random(13)
    written = number = 0
    while written < size:
        number += 1
        line = mixed_line(rng, number) if written < size // 2 else traceback(rng.randrange(RANKS), 1000)
        if written < size // 2 <= written + len(line):
            line += traceback(5, number).replace(
                "torch.distributed.DistBackendError: NCCL communicator was aborted",
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB",
            )
        written += len(line)
        yield line


def mixed_line(rng: random.Random, number: int) -> str:
    """Return one line of the mixed log."""
    return _MIX[(0, 1, 1, 2, 3, 4)[rng.randrange(6)]][0](rng, number)


def write(path: Path, lines: Iterator[str], encoding: str = "utf-8") -> Path:
    """Write a generated file unless an earlier run did."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with _opened(part, path.suffix) as file:
            file.writelines(line.encode(encoding) for line in lines)
        part.rename(path)
    return path


def _opened(path: Path, suffix: str) -> IO[bytes]:
    return gzip.open(path, "wb", compresslevel=4) if suffix == ".gz" else path.open("wb")
