from __future__ import annotations

import pytest

from runtriage.parse.breaks import counting


@pytest.mark.parametrize("size", [None, 1 << 10, 1 << 40], ids=["unknown", "small", "large"])
def test_line_breaks_are_counted_up_to_a_place_whatever_the_size_of_the_document(size: int | None) -> None:
    count = counting(size)
    buffer = bytearray(b"a\n\n\nb\r\nc\n")
    assert [count(buffer, end) for end in (0, 1, 2, 4, 7, 9)] == [0, 0, 1, 3, 4, 5]
    buffer.clear()
