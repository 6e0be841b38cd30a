"""Who speaks is remembered by the front of a line; each line alone says the same."""

from __future__ import annotations

import random

import pytest

from runtriage.model.artifact import Artifact
from runtriage.scan.dialects.front import FrontReader
from runtriage.scan.prefix import FRONT, extent, without_time

_TIME = "2026-05-01T00:00:07.123456789Z "
_PARTS = (
    "[rank5]: ",
    "[rank5]:",
    "[default3]:",
    "(RayTrainWorker pid=77, ip=10.0.0.1) ",
    "(head, rank=0, pid=12) ",
    "[pod/train-0/worker]",
    "gpu-05:41:42 [3]",
    "gpu-05:41:42 [3] NCCL INFO ",
    "[    3]: ",
    "  3: ",
    "12: ",
    "node7: ",
    _TIME,
    "stdout F ",
    " ",
    "  ",
    "   ",
    '  File "a.py", line 3, in f',
    "Traceback (most recent call last):",
    "x" * 200,
    "\x1b[31m",
)
_SAMPLES = {
    "plain": "[rank0]: INFO start\n",
    "bare": "".join(f"{rank % 4}: step {rank}\n" for rank in range(400)),
    "boxed": "".join(f"[{rank % 4:5d}]: step\n" for rank in range(400)),
    "host": "".join(f"node{rank % 4}: step\n" for rank in range(400)),
    "timed": "".join(f"{_TIME}[rank{rank % 4}]: step\n" for rank in range(400)),
}


def _alone(reader: FrontReader, line: bytes) -> tuple[int, bytes]:
    style = reader.style
    opens = line[:1] in b"[(\x1b" or style.bare or style.hosts or style.timed
    found = extent(style).match(line, 0, FRONT) if opens else None
    if found is None or not found.end():
        return 0, b""
    prefix = line[: found.end()]
    return len(prefix), (without_time(prefix) if style.timed else prefix).rstrip(b" ")


@pytest.mark.parametrize("sample", _SAMPLES.values(), ids=_SAMPLES.keys())
def test_the_front_of_a_line_tells_who_speaks_as_the_line_does(sample: str) -> None:
    reader = FrontReader(Artifact(path="train.log", kind="log"), sample.encode())
    rng = random.Random(4)
    for _ in range(4000):
        line = "".join(rng.choice(_PARTS) for _ in range(rng.randrange(1, 6))).encode()
        assert reader.speaker(line) == _alone(reader, line), line
