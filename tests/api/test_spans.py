from __future__ import annotations

import hashlib
from io import BytesIO
from typing import Self

import pytest

from runtriage.api import spans
from runtriage.api.spans import Walk

pytestmark = pytest.mark.usefixtures("untouched_world")

TEXT = b"first\n\nthird line\r\nfourth, much longer than a block\nlast"
STARTS = [0, 6, 7, 19, 52]


@pytest.fixture(params=[1, 4, 1 << 18])
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "_BLOCK", request.param)


class Piped:
    """A stream that cannot go to an offset by itself."""

    def __init__(self, content: bytes) -> None:
        self._content = BytesIO(content)

    def readinto(self, buffer: memoryview, /) -> int:
        return self._content.readinto(buffer)

    def close(self) -> None:
        self._content.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("kind", [BytesIO, Piped])
@pytest.mark.parametrize("first", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("count", [1, 2, 9])
def test_lines_are_the_same_bytes_by_number_and_by_offset(kind: type[BytesIO | Piped], first: int, count: int) -> None:
    wanted = b"\n".join(TEXT.split(b"\n")[first - 1 :][:count])
    by_line, by_byte = Walk(kind(TEXT)), Walk(kind(TEXT))
    assert by_line.to_line(first)
    assert by_byte.to_byte(STARTS[first - 1])
    found = by_line.lines(count)
    assert found == by_byte.lines(count)
    assert found is not None
    assert (found.start, found.end) == (STARTS[first - 1], STARTS[first - 1] + len(wanted))
    assert found.sha256 == hashlib.sha256(wanted).hexdigest()
    assert found.head == wanted


@pytest.mark.usefixtures("small")
def test_a_walk_goes_on_from_the_lines_it_took_and_knows_what_lies_behind() -> None:
    walk = Walk(BytesIO(TEXT))
    walk.to_line(2)
    walk.lines(1)
    assert walk.passed(2, by_byte=False)
    assert not walk.passed(3, by_byte=False)
    assert walk.to_line(4)
    taken = walk.lines(1)
    assert taken is not None
    assert taken.start == STARTS[3]
    assert walk.passed(STARTS[3], by_byte=True)
    assert not walk.to_line(9)


def test_only_a_document_that_is_not_too_long_is_taken_whole() -> None:
    taken = Walk(BytesIO(TEXT)).rest(len(TEXT))
    assert taken is not None
    assert (taken.start, taken.end) == (0, len(TEXT))
    assert Walk(BytesIO(TEXT)).rest(len(TEXT) - 1) is None
