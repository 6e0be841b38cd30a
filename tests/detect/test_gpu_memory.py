"""A refused allocation whose own numbers, or the memory before it, say why."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runtriage.detect import memory_growth, signatures
from runtriage.model.event import SIGNATURE, Event
from runtriage.model.finding import Match
from runtriage.model.series import Series
from tests.detect.build import CATALOGUE, event, facts, series

pytestmark = pytest.mark.usefixtures("untouched_world")
_OWN = "Including non-PyTorch memory, this process has {own} memory in use. "
_PARTS = (
    "Of the allocated memory {allocated} is allocated by PyTorch, and {unused} is reserved by PyTorch but unallocated."
)


def _refused(
    *,
    asked: str,
    others: dict[int, str],
    own: str = "",
    allocated: str = "20.00 GiB",
    unused: str = "100.00 MiB",
    rank: int | None = None,
    step: int | None = None,
) -> Event:
    text = f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {asked}. GPU 1 has a total capacity of 40.00 GiB of which 3.00 MiB is free. "
    text += "".join(f"Process {pid} has {held} memory in use. " for pid, held in others.items())
    text += (_OWN.format(own=own) if own else "") + _PARTS.format(allocated=allocated, unused=unused)
    captures = {"asked": asked, "gpu": "1", "total": "40.00 GiB", "free": "3.00 MiB"}
    return event(SIGNATURE, "oom/gpu-alloc.torch#current", 90, excerpt=text, captures=captures, rank=rank, step=step)


def _found(refused: Event, *curves: Series) -> Match:
    (found,) = signatures.find(facts(events=[refused], curves=curves), CATALOGUE)
    return found


def test_processes_that_hold_what_is_missing_are_named_with_what_they_hold() -> None:
    found = _found(_refused(asked="1.00 GiB", others={4711: "10.00 GiB", 4712: "9.50 GiB"}, own="20.40 GiB"))
    assert found.mode == "oom/gpu-other-process"
    assert "processes 4711, 4712 hold 19.50 GiB of its 40.00 GiB" in found.evidence[0].claim
    assert found.fixes[0] == "free-gpu-of-other-processes"
    assert "reduce-micro-batch" not in found.fixes


@pytest.mark.parametrize(
    ("asked", "others", "own"),
    [
        ("1.00 GiB", {4711: "9.00 GiB"}, "30.90 GiB"),
        ("12.00 GiB", {4711: "11.00 GiB"}, "20.40 GiB"),
        ("1.00 GiB", {4711: "20.60 GiB"}, ""),
        ("1.00 GiB", {4711: "17179869184.00 GiB"}, "39.90 GiB"),
        ("1.00 GiB", {}, "39.90 GiB"),
    ],
    ids=["a small share", "less than was asked", "itself under the number of the host", "not known", "nobody"],
)
def test_a_gpu_that_this_process_fills_is_held_by_no_other(asked: str, others: dict[int, str], own: str) -> None:
    assert _found(_refused(asked=asked, others=others, own=own)).mode == "oom/gpu-alloc"


def test_in_a_container_the_process_that_holds_what_pytorch_reserved_is_this_one() -> None:
    found = _found(_refused(asked="1.00 GiB", others={70: "19.00 GiB", 71: "20.60 GiB"}))
    assert found.mode == "oom/gpu-other-process"
    assert "process 70 holds 19.00 GiB" in found.evidence[0].claim


@pytest.mark.parametrize(
    ("asked", "unused", "mode"),
    [
        ("2.00 GiB", "6.00 GiB", "oom/gpu-fragmentation"),
        ("7.00 GiB", "6.00 GiB", "oom/gpu-alloc"),
        ("2.00 GiB", "3.90 GiB", "oom/gpu-alloc"),
    ],
)
def test_pieces_count_where_together_they_would_have_been_enough(asked: str, unused: str, mode: str) -> None:
    found = _found(_refused(asked=asked, others={}, own="39.90 GiB", allocated="32.00 GiB", unused=unused))
    assert found.mode == mode
    assert (found.fixes[0] == "use-expandable-segments") is (mode == "oom/gpu-fragmentation")


def test_the_older_text_gives_what_is_reserved_as_a_whole() -> None:
    text = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.70 GiB total capacity; {} already allocated; 1.02 GiB free; 21.50 GiB reserved in total by PyTorch)"
    captures = {"asked": "2.00 GiB", "gpu": "0", "total": "23.70 GiB"}
    older = event(SIGNATURE, "oom/gpu-alloc.torch#older", 9, excerpt=text.format("16.00 GiB"), captures=captures)
    assert _found(older).mode == "oom/gpu-fragmentation"
    assert _found(replace(older, excerpt=text.format("21.10 GiB"))).mode == "oom/gpu-alloc"


def _memory(*, scale: float = 1.0, end: float = 39.0, name: str = "max_mem", rank: int | None = None) -> Series:
    return series(name, "memory", [(20 + (end - 20) * i / 79) * scale for i in range(80)], rank=rank)


@pytest.mark.parametrize("scale", [1.0, 1024.0, 1e9])
def test_memory_that_rose_to_the_refusal_is_a_leak_told_from_its_first_value(scale: float) -> None:
    refused, curve = _refused(asked="64.00 MiB", others={}, own="39.90 GiB", step=80), _memory(scale=scale)
    assert _found(refused, curve).mode == "oom/gpu-leak-growth"
    (grown,) = memory_growth.find(facts(events=[refused], curves=[curve]), CATALOGUE)
    assert f"grew from {20 * scale:g} at step 1 " in grown.evidence[0].claim
    assert grown.evidence[1].citation.first_line == 90


@pytest.mark.parametrize(
    "curve",
    [
        _memory(end=21.0),
        _memory(name="rss"),
        _memory(rank=3),
        _memory(scale=0.2),
        series("max_mem", "memory", [20.0 + min(i, 20) for i in range(80)]),
    ],
    ids=["level", "of the host", "of another rank", "far from full", "levels off"],
)
def test_memory_that_says_nothing_about_the_refusal_leaves_it_a_refusal(curve: Series) -> None:
    assert (
        _found(_refused(asked="64.00 MiB", others={}, own="39.90 GiB", step=80, rank=1), curve).mode == "oom/gpu-alloc"
    )


def test_memory_of_an_early_part_of_the_run_did_not_rise_to_the_refusal() -> None:
    assert _found(_refused(asked="64.00 MiB", others={}, own="39.90 GiB", step=900), _memory()).mode == "oom/gpu-alloc"


@pytest.mark.parametrize(
    ("seen", "mode"),
    [
        (("jax",), "oom/jax-hbm"),
        (("jax", "tensorflow"), "oom/tf-gpu"),
        (("tensorflow",), "oom/tf-gpu"),
        ((), "oom/tf-gpu"),
    ],
)
def test_the_allocator_that_tensorflow_and_jax_share_speaks_for_jax_where_that_alone_ran(
    seen: tuple[str, ...], mode: str
) -> None:
    text = "W external/xla/xla/tsl/framework/bfc_allocator.cc:501] Allocator (GPU_2_bfc) ran out of memory trying to allocate 7.00GiB (rounded to 7516192768)requested by op"
    warned = event(
        SIGNATURE, "oom/tf-gpu.allocator#allocator", 3, excerpt=text, captures={"gpu": "2", "asked": "7.00GiB"}
    )
    (found,) = signatures.find(replace(facts(events=[warned]), frameworks=seen), CATALOGUE)
    assert found.mode == mode
    assert ("allow-memory-growth" in found.fixes) is (mode == "oom/tf-gpu")
    assert ("TensorFlow" in found.evidence[0].claim) is (mode == "oom/tf-gpu")
