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
    rb"|(?<![\w-])GLOBAL_RANK: (\d{1,6}),"
    rb"|^(?:[A-Z]+ )?(?:\d[\d:.,TZ-]{5,30} ){0,2}(?:[A-Z]+ )?[Rr](?:ank ?|ANK ?)(\d{1,6})(?=[ :|,\]])"
)
"""A place of its own in the line, where a logger puts the rank of its process."""
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
    rank = _only(_FIELD, head)
    local = _only(_LOCAL, head) if b"local" in head.lower() else None
    if rank is None and not _ABOUT_OTHERS.search(head):
        rank = _only(_LOOSE, head)
    return NOBODY if rank is None and local is None else Subject(rank=rank, local_rank=local)


def _only(pattern: re.Pattern[bytes], head: bytes) -> int | None:
    values = {int(next(group for group in found.groups() if group)) for found in pattern.finditer(head)}
    return values.pop() if len(values) == 1 else None
