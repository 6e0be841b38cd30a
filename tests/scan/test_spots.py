"""What the engine finds for a parser leads it to the same as reading the whole log, however that is cut into blocks and stretches."""

from __future__ import annotations

from functools import cache

import pytest

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.parse import nccl_log
from runtriage.scan import Rules, ScanResult, many, scan_many
from runtriage.scan.find_re2 import Re2
from runtriage.scan.tail import Memory
from tests.detect.nccl_lines import call, init, ready
from tests.parse.documents import Bytes
from tests.scan.reading import RULES, read, rules

_NOISE = "".join(f"\x1b[32m[rank{number % 4}]\x1b[0m step {number} loss 2.5 of 9000\n" for number in range(1500))
_FAILED = (
    '[rank1]: Traceback (most recent call last):\n[rank1]:   File "a.py", line 2, in <module>\n[rank1]:     go()\n'
    "[rank1]: RuntimeError: NCCL error, NCCL version 2.21.5\n"
)
_TEXTS = {
    "far apart": ready(4) + _NOISE + call(1, 7, 4) + call(1, 8, 4) + _NOISE + init(2, 4, what="COMPLETE"),
    "coded": f"NCCL INFO\n{_NOISE}\x1b[31m{call(0, 3, 4)}\x1b[0m{ready(2)}",
    "one long line": "NCCL INFO " + "x" * 300_000 + call(0, 1, 2) + _NOISE + ready(2).rstrip("\n"),
    "tracebacks": f"NCCL INFO\n{_NOISE}{_FAILED * 900}",
    "none": f"NCCL INFO\n{_NOISE}",
}


@cache
def _other() -> Rules:
    return rules(engine=Re2())


def _three(*_: object) -> int:
    return 3


def _same(data: bytes, result: ScanResult) -> bool:
    artifact = Artifact(path="train.log", kind="log", size=len(data))
    spots = result.spots.get("nccl-log", [])
    told = nccl_log.read_spots(artifact, Bytes(data), spots).events
    return told == nccl_log.read(artifact, Bytes(data)).events


@pytest.mark.parametrize("name", _TEXTS)
@pytest.mark.parametrize("block", [5_000, 100_000, None])
def test_spots_hold_all_that_the_parser_reads(name: str, block: int | None) -> None:
    data = _TEXTS[name].encode()
    assert _same(data, read(data, block=block))
    assert _same(data, read(data, block=block, using=_other()))


@pytest.mark.parametrize("name", _TEXTS)
def test_stretches_tell_the_same_spots(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "_STRETCH", 50_000)
    monkeypatch.setattr(many, "worth", _three)
    data = _TEXTS[name].encode()
    artifact = Artifact(path="train.log", kind="log", size=len(data))
    (result,) = scan_many(lambda _: Memory(data), [artifact], RULES, Options(metrics=False))
    assert _same(data, result)


def test_where_no_word_stands_nothing_is_read_again() -> None:
    assert not read(_TEXTS["none"].encode()).spots
