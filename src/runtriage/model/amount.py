"""Amounts: as Kubernetes writes them (`500m`, `64Gi`, `1e3`), as numbers, and as people read them."""

from __future__ import annotations

from typing import Final

from runtriage.model.pattern import deferred

_QUANTITY: Final = deferred(r"(\d{1,18}(?:\.\d{1,9})?)(?:([KMGTPE]i|[munkMGTPE])|[eE]([+-]?\d{1,2}))?")
_UNITS: Final = {
    **{f"{letter}i": 1024.0**power for power, letter in enumerate("KMGTPE", 1)},
    **{letter: 1000.0**power for power, letter in enumerate("kMGTPE", 1)},
    "m": 1e-3,
    "u": 1e-6,
    "n": 1e-9,
    "": 1.0,
}
_GIB: Final = 2**30
_MIB: Final = 2**20


def quantity(value: object) -> float | None:
    """Return what a quantity such as `500m`, `64Gi` or `8` means in units or bytes; None when it is none."""
    found = _QUANTITY.fullmatch(str(value))
    if found is None or isinstance(value, bool):
        return None
    number, unit, exponent = found.groups()
    return float(number) * _UNITS[unit or ""] * 10.0 ** int(exponent or 0)


def memory(text: str) -> str:
    """Return an amount of memory as people read it: `64Gi` and `67108864Ki` alike as `64 GiB`; what is none stays as it is."""
    amount = quantity(text)
    if amount is None:
        return text
    return f"{amount / _GIB:,.4g} GiB" if amount >= _GIB else f"{amount / _MIB:,.4g} MiB"


def mib(count: float) -> str:
    """Return a number of bytes in whole MiB, without the unit: two numbers may share it."""
    return f"{count / _MIB:,.0f}"


def sampled(count: float) -> str:
    """Return a measured number of bytes in GiB with two decimals, in MiB with one below one GiB."""
    return f"{count / _GIB:.2f} GiB" if count >= _GIB else f"{count / _MIB:.1f} MiB"
