"""Ranks that a program's own logger prints as a field of its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.model.subject import NOBODY, Subject
from runtriage.scan.alike import FORMS, form_of

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
    fields = _fields(form_of(head))
    rank = _one(head, fields.rank)
    if rank is None:
        rank = _one(head, fields.loose)
    local = _one(head, fields.local)
    return NOBODY if rank is None and local is None else Subject(rank=rank, local_rank=local)


class _Fields(Struct, frozen=True):
    """Where lines of a form print ranks: in fields of their own, loosely (none where a line speaks of others), and local ones."""

    rank: tuple[slice, ...]
    loose: tuple[slice, ...]
    local: tuple[slice, ...]


@lru_cache(FORMS)
def _fields(form: bytes) -> _Fields:
    ranks = _numbers(_FIELD, form)
    if b"GLOBAL_RANK" in form:
        ranks += _numbers(_TORCH_FIELD, form)
    if (first := _FIRST_FIELD.match(form)) is not None:
        ranks += (slice(*first.span(1)),)
    loose = () if _ABOUT_OTHERS.search(form) else _numbers(_LOOSE, form)
    return _Fields(ranks, loose, _numbers(_LOCAL, form) if b"local" in form.lower() else ())


def _numbers(pattern: re.Pattern[bytes], form: bytes) -> tuple[slice, ...]:
    return tuple(slice(*found.span(found.lastindex or 0)) for found in pattern.finditer(form))


def _one(head: bytes, places: Sequence[slice]) -> int | None:
    """Return the number that stands at all of some places; None where there is none, or several are named."""
    numbers = {int(head[place]) for place in places}
    return numbers.pop() if len(numbers) == 1 else None
