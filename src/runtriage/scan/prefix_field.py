"""Ranks that a program's own logger prints as a field of its line."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.model.subject import NOBODY, Subject

_HEAD: Final = 240
_FIELD = deferred(
    rb"\[(?:PG ID [^\]]{0,120}? )?[Rr]ank[ =:-]{0,2}(\d{1,6})(?::\d{1,6})?\]"
    rb"|\((?:global[ _])?rank[ =:]{0,2}(\d{1,6})\)"
    rb"|[|:\]] ?(?:global_)?[Rr]ank[ =:]{0,2}(\d{1,6})(?= ?[|:\],]| - |\t)"
)
"""A place of its own in the line, where a logger puts the rank of its process: between or behind marks."""
_TORCH_FIELD = deferred(rb"(?<![\w-])GLOBAL_RANK: (\d{1,6}),")
_FIRST_FIELD = deferred(
    rb"(?:[A-Z]+ )?(?:\d[\d:.,TZ-]{5,30} ){0,2}(?:[A-Z]+ )?[Rr](?:ank ?|ANK ?)(\d{1,6})(?=[ :|,\]])"
)
"""The same at the front of the line; these three are searched apart, since one pattern for all would be tried at every byte."""
_LOOSE = deferred(rb"(?<![\w-])(?:global_rank|rank|RANK)['\"]?[=:] ?(\d{1,6})(?![\w.])")
_LOCAL = deferred(rb"(?<![\w-])local_rank['\"]?[=:] ?(\d{1,6})(?![\w.])|\[local rank (\d{1,6})\]", re.IGNORECASE)
_ABOUT_OTHERS = deferred(
    rb"from rank|peer|src[ _]?rank|dst[ _]?rank|root[ _]rank|remote|Duplicate GPU|between", re.IGNORECASE
)


def names_rank(text: bytes) -> bool:
    """Tell whether `read_fields` may find anything in a line's own text."""
    head = text[:_HEAD]
    return b"ank" in head or b"ANK" in head


def read_fields(text: bytes) -> Subject:
    """Read `[Rank 3]`, `| rank3 |`, `rank=3`, `local_rank: 1` and the like near the start of a line's own text.

    Lines that speak of another rank's doing (`dump signal from rank 5`) name nobody.
    """
    if not names_rank(text):
        return NOBODY
    head = text[:_HEAD]
    rank = _one(_fields(head))
    local = _one(_numbers(_LOCAL, head)) if b"local" in head.lower() else None
    if rank is None and not _ABOUT_OTHERS.search(head):
        rank = _one(_numbers(_LOOSE, head))
    return NOBODY if rank is None and local is None else Subject(rank=rank, local_rank=local)


def _fields(head: bytes) -> set[int]:
    found = _numbers(_FIELD, head)
    if b"GLOBAL_RANK" in head:
        found |= _numbers(_TORCH_FIELD, head)
    if (first := _FIRST_FIELD.match(head)) is not None:
        found.add(int(first[1]))
    return found


def _numbers(pattern: re.Pattern[bytes], head: bytes) -> set[int]:
    return {int(next(filter(None, found.groups()))) for found in pattern.finditer(head)}


def _one(numbers: set[int]) -> int | None:
    return next(iter(numbers)) if len(numbers) == 1 else None
