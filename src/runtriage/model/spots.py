"""Words that the log engine looks for on behalf of parsers, and where it found them: a parser then reads those stretches alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

NCCL_STEPS: Final = (b"- Init START", b"- Init COMPLETE", b"- Abort COMPLETE", b"- Destroy COMPLETE")
NCCL_CALLS: Final = b": opCount "
NCCL_VERSION: Final = b"CCL version "
NCCL_USES: Final = (b"NCCL INFO Bootstrap", b"NCCL INFO Using network ")

SOUGHT: Final[Mapping[str, tuple[bytes, ...]]] = {"nccl-log": (*NCCL_STEPS, NCCL_CALLS, NCCL_VERSION, *NCCL_USES)}
"""For the id of a parser the words of which each line that it reads holds one."""


class Spot(Struct, array_like=True):
    """Whole lines among which words stand: offsets of their first byte and of the one behind the last, and the number of the first, from 1 on."""

    start: int
    end: int
    line: int
