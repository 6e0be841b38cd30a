"""What series ask of numbers, in lists or arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, TypeVar, cast

_Number = TypeVar("_Number", int, float)


class Array(Protocol):
    """What arrays of numbers can do faster than the builtins."""

    def all(self) -> bool:
        """Return whether all are true."""
        ...

    def argmin(self) -> int:
        """Return where the least is."""
        ...

    def argmax(self) -> int:
        """Return where the greatest is."""
        ...

    def nonzero(self) -> tuple[Array, ...]:
        """Return where they are not zero, by axis."""
        ...

    def tolist(self) -> list[int]:
        """Return them as a list."""
        ...

    def __getitem__(self, mask: Array, /) -> Array: ...

    def __add__(self, other: int, /) -> Array: ...

    def __and__(self, other: Array, /) -> Array: ...

    def __invert__(self) -> Array: ...

    def __gt__(self, other: float, /) -> Array: ...

    def __lt__(self, other: float, /) -> Array: ...


def listed(values: Sequence[_Number]) -> Sequence[_Number]:
    """Return an array as a list; anything else as it is."""
    return cast(Sequence[_Number], cast(Array, values).tolist()) if hasattr(values, "tolist") else values


def finite_flags(values: Array) -> Array:
    """Flag finite values; comparing says nothing of the others, where adding up would warn."""
    return (values > -math.inf) & (values < math.inf)


def places_nonfinite(values: Sequence[float]) -> list[int]:
    """Return where values are NaN or infinite."""
    if isinstance(values, list):
        return [] if math.isfinite(sum(values)) else [at for at, each in enumerate(values) if not math.isfinite(each)]
    finite = finite_flags(cast(Array, values))
    return [] if finite.all() else (~finite).nonzero()[0].tolist()


def extremes(values: Sequence[float]) -> tuple[int, int]:
    """Return where the least and the greatest value are, each for the first time."""
    if isinstance(values, list):
        return values.index(min(values)), values.index(max(values))
    array = cast(Array, values)
    return int(array.argmin()), int(array.argmax())


def same(one: float, other: float) -> bool:
    """Tell whether two values are one; NaN is NaN."""
    return one == other or (math.isnan(one) and math.isnan(other))
