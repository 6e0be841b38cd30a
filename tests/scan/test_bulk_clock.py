"""Minutes that many lines print are told apart at once as they are one by one."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", minversion="2.0")

from runtriage.model.time import Instant  # noqa: E402
from runtriage.scan.bulk_clock import minutes  # noqa: E402
from runtriage.scan.ticks import Ticks  # noqa: E402

TIMES = [
    "2026-05-01 10:07:59,142",
    "2026-05-01 10:07:00,999",
    "2026-05-01 10:08:00,142",
    "2026-05-02 10:08:00,142",
    "2026-05-01 11:08:31,000",
    "2026-05-01 10:08:59,001",
]


@pytest.mark.parametrize("behind", [b"", b" loss: 2.5\n" * 3])
@pytest.mark.parametrize("cut", [23, 19, 16])
def test_minutes_are_equal_where_all_but_the_seconds_is(behind: bytes, cut: int) -> None:
    if cut == 16:
        texts = [text[11:19] for text in TIMES]
        same = [text[:5] for text in texts]
    else:
        texts = [text[:cut] for text in TIMES]
        same = [text[:16] for text in texts]
    lines = [f"[rank0] {text}".encode() for text in texts]
    ticks = Ticks(lines[0], Instant(text=texts[0], seconds=0.0))
    place = ticks.place
    assert place is not None
    data = b"\n".join(lines) + behind
    starts = np.array(
        [data.find(text.encode(), place + (len(lines[0]) + 1) * index) for index, text in enumerate(texts)]
    )

    told = minutes(data, starts, ticks.form)

    for index, one in enumerate(told):
        assert [one == other for other in told] == [same[index] == other for other in same]
