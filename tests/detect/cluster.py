"""A job of many ranks in three kinds of groups, in which one rank does not go on: who then waits where follows from the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.parse.dumps import Record, dump

TENSOR = 8
STEPS = 4


def groups_of(rank: int, size: int) -> dict[str, list[int]]:
    """Tensor parallelism among eight neighbours, data parallelism across them, and everybody."""
    first = rank - rank % TENSOR
    return {
        "0": list(range(size)),
        f"tp{first}": list(range(first, first + TENSOR)),
        f"dp{rank % TENSOR}": list(range(rank % TENSOR, size, TENSOR)),
    }


def job(size: int, culprit: int, at: str) -> list[dict[str, Any]]:
    """Dumps of all ranks when `culprit` stops before its last call in its group of kind `at` (`tp`, `dp` or `0`)."""
    return [_dump(rank, size, culprit, at) for rank in range(size)]


def _dump(rank: int, size: int, culprit: int, at: str) -> dict[str, Any]:
    groups = groups_of(rank, size)
    whole, tensor, data = groups
    order = [tensor, data, whole]
    done: list[Record] = [(name, step, "all_reduce", "completed", [64]) for step in range(1, STEPS) for name in order]
    stopped = {"tp": 0, "dp": 1, "0": 2}[at]
    for number, name in enumerate(order):
        if number < stopped:
            done.append((name, STEPS, "all_reduce", "completed", [64]))
            continue
        held = culprit in groups[name] if number == stopped else True
        if rank == culprit and number == stopped:
            break
        done.append((name, STEPS, "all_reduce", "started" if held else "completed", [64]))
        if held:
            break
    return dump(groups, done, {whole: "default_pg"})


def kept(dumps: Sequence[dict[str, Any]], lost: set[int]) -> dict[int, dict[str, Any]]:
    """The dumps that are left when some ranks' are lost."""
    return {rank: one for rank, one in enumerate(dumps) if rank not in lost}
