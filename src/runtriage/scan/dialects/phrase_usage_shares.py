"""Lines that print how much of the work each of several parts of a model gets, as a list: experts of a mixture, codes of a codebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import PART_SHARES
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import said

CUE: Final = (r"(?:expert|router|gate|gating|routing)[^\n]{0,60}[\[(]\s{0,3}\d",)
_LIST = deferred(
    r"(?P<what>[a-z][\w /.-]{0,40}?)\W{0,4}[\[(]\s{0,3}(?P<values>\d[\d.e+-]*%?(?:\s{0,3}[,;]?\s{1,3}\d[\d.e+-]*%?){3,511})\s{0,3}[\])]",
    re.IGNORECASE,
)
_NUMBER = deferred(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_PARTS = deferred(r"expert|rout|gat(?:e|ing)", re.IGNORECASE)
_OTHER = deferred(r"loss|grad|norm|bias|logit|rank|device|gpu|id|index|idx|layers?\s*$", re.IGNORECASE)
"""What else is listed for each expert, and lists of numbers that name things."""
_LONGEST: Final = 4000


def read_shares(cue: str, rows: Iterator[Row]) -> Reading:
    """Read how many parts there are and the share of the one that gets most."""
    line = said(rows)
    if line is None or len(line.words) > _LONGEST or _PARTS.search(line.words) is None:
        return Reading()
    for found in _LIST.finditer(line.words):
        values = [float(value) for value in _NUMBER.findall(found["values"])]
        if _OTHER.search(found["what"]) or not sum(values) > 0 or not _shared(values):
            continue
        top = max(values) / sum(values)
        draft = line.draft(STATEMENT, PART_SHARES, what=found["what"].strip(), top=f"{top:.2f}")  # one event for each
        draft.numbers.update({"top": top, "parts": float(len(values))})
        return Reading([draft])
    return Reading()


def _shared(values: list[float]) -> bool:
    """Tell whether a list is of parts of one, of parts in percent, or of counts."""
    total = sum(values)
    return abs(total - 1) <= 0.05 or abs(total - 100) <= 2 or (total >= 32 and all(v == int(v) for v in values))
