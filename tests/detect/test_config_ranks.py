"""Ranks that were given different settings are told beside the failure, never as its cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from runtriage import diagnose
from runtriage.detect.config_ranks import find
from runtriage.model.event import SIGNATURE, Event
from runtriage.model.facts import Facts, RankProgress, Setting
from runtriage.model.options import Options
from runtriage.model.place import Citation
from runtriage.model.subject import Subject
from tests.detect.build import CATALOGUE

TIMEOUT = Event(
    kind=SIGNATURE, name="nccl/watchdog-timeout.torch#x", citation=Citation(artifact="b", first_line=9), excerpt=""
)


def told(role: str, *values: str, failed: bool = True) -> list[str]:
    settings = tuple(
        Setting(name=role, value=value, role=role, citation=Citation(artifact=f"log.{rank}", first_line=1))
        for rank, value in enumerate(values)
    )
    progress = tuple(RankProgress(artifact=f"log.{rank}", subject=Subject(rank=rank)) for rank in range(len(values)))
    facts = Facts(
        target="run", options=Options(), events=(TIMEOUT,) if failed else (), settings=settings, progress=progress
    )
    return [match.evidence[0].claim for match in find(facts, CATALOGUE)]


@pytest.mark.usefixtures("untouched_world")
@pytest.mark.parametrize(
    ("role", "values", "claims"),
    [
        ("batch_size", ("32", "32", "64"), ["batch_size is 32 on rank 0 and 64 on rank 2"]),
        ("precision", ("bf16", "fp16"), ["precision is bf16 on rank 0 and fp16 on rank 1"]),
        ("lr", ("1e-3", "0.001"), []),
        ("seed", ("1", "2"), []),
        ("batch_size", ("32",), []),
    ],
)
def test_only_what_must_be_equal_and_is_not_is_told(role: str, values: tuple[str, ...], claims: list[str]) -> None:
    assert told(role, *values) == claims


@pytest.mark.usefixtures("untouched_world")
def test_without_a_failure_between_ranks_nothing_is_told() -> None:
    assert told("batch_size", "32", "64", failed=False) == []


def test_a_difference_stands_among_the_contributing_factors_and_is_not_the_root(tmp_path: Path) -> None:
    for rank in (0, 1):
        (tmp_path / f"rank{rank}.log").write_text(
            f"Namespace(lr=0.001, batch_size={16 + 16 * rank}, epochs=3, seed={rank})\n"
            "step 1 loss 2.0\nstep 2 loss 1.9\nstep 3 loss 1.8\n"
            f"[rank{rank}]:[E ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation timeout: "
            f"WorkNCCL(SeqNum={7 + rank}, OpType=ALLREDUCE, NumelIn=100, NumelOut=100, Timeout(ms)=600000) ran for "
            "600026 milliseconds before timing out.\n",
            encoding="utf-8",
        )
    report = diagnose(str(tmp_path))
    assert report.primary_cause == "nccl-distributed"
    assert "batch_size is 16 on rank 0 and 32 on rank 1" in report.root_cause.contributing
    assert "batch_size" not in report.root_cause.root
