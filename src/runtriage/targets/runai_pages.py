"""When the pages of a history are old enough: a mechanical look at the times of their records."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import Any


def over(page: dict[str, Any], cutoff: str) -> bool:
    """Tell whether everything after a page is older than the cutoff.

    Newest first, the last record decides; in no order, all of them must be older; oldest first, nothing can be left out.
    """
    records: list[Any] = page.get("records") or []
    times = [_seconds(record) for record in records]
    known = [seconds for seconds in times if seconds is not None]
    if not known or len(known) != len(times):
        return False
    end = datetime.fromisoformat(cutoff).timestamp()
    falling = all(one >= two for one, two in pairwise(known))
    if falling:
        return known[-1] < end
    rising = all(one <= two for one, two in pairwise(known))
    return not rising and max(known) < end


def _seconds(record: Any) -> float | None:
    try:
        return datetime.fromisoformat(record["meta"]["creationTimestamp"]).timestamp()
    except (TypeError, KeyError, ValueError):
        return None
