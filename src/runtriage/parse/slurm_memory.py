"""Memory in accounting: what a step used against what its job asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from runtriage.model.amount import mib
from runtriage.model.pattern import deferred

_AMOUNT: Final = deferred(r"(\d+(?:\.\d+)?)([KMGTP]?)n?")
_UNITS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_KILLED: Final = "0:9"


def over(rows: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return, by its number, each step that SIGKILL ended and that had used more than its job asked for, with both in words.

    A release whose nodes poll the memory of a job kills it so, and records no more than the signal.
    """
    asked: dict[str, str] = {}
    found: dict[str, str] = {}
    for row in rows:
        number = row.get("JobIDRaw") or row.get("JobID", "")
        job, _, step = number.partition(".")
        if not step:
            asked[job] = row.get("ReqMem", "")
        elif row.get("ExitCode") == _KILLED:
            used, limit = _bytes(row.get("MaxRSS", "")), _bytes(asked.get(job, ""))
            if used is not None and limit is not None and used > limit:
                found[number] = f"used {mib(used)} MiB of the {mib(limit)} MiB its job asked for"
    return found


def _bytes(text: str) -> float | None:
    """Return an amount of memory in bytes; one for each CPU, and what is none, is not told."""
    found = _AMOUNT.fullmatch(text)
    return float(found[1]) * 1024 ** _UNITS[found[2]] if found else None
