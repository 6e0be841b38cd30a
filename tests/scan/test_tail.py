from __future__ import annotations

import pytest

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.scan import scan
from runtriage.scan.tail import Memory
from tests.scan.reading import RULES, found, holds, read

DATA = b"".join(b"gradient overflow in step %d\n" % n for n in range(1000))


class Pipe:
    """A stream that can only be read on."""

    headless = False

    def __init__(self, data: bytes) -> None:
        self.inner = Memory(data)

    def readinto(self, buffer: memoryview, /) -> int:
        return self.inner.readinto(buffer[:777])

    def close(self) -> None:
        pass

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Tail(Pipe):
    headless = True


@pytest.mark.parametrize(
    "data", [DATA, DATA.rstrip(b"\n"), b"x" * 600_000 + b"\n" + DATA], ids=["plain", "cut", "long line"]
)
def test_only_the_last_lines_are_read_and_cited_where_they_stand(data: bytes):
    result = read(data, last=5)
    events = found(result, "overflow")
    assert sum(event.count for event in events) == 5
    assert all(holds(data, event.citation) for event in events)
    assert result.read.cut == "only the last 5 lines were read"
    assert result.read.lines == data.count(b"\n") + (not data.endswith(b"\n"))


def test_a_limit_beyond_the_artifact_reads_it_whole():
    assert read(DATA, last=1000).read.cut is None
    assert repr(read(DATA, last=2000)) == repr(read(DATA))


def test_a_pipe_keeps_only_its_last_lines():
    artifact = Artifact(path="-", kind="log")
    result = scan(Pipe(DATA * 40), artifact, RULES, Options(last=3))
    (event,) = found(result, "overflow")
    assert (event.count, event.citation.first_line) == (3, 39_998)
    assert holds(DATA * 40, event.citation)


def test_a_tail_of_unknown_place_is_cited_from_the_end():
    data = b"a\nb\ngradient overflow\nc\n"
    result = scan(Tail(data), Artifact(path="pod.log", kind="log"), RULES, Options())
    (event,) = found(result, "overflow")
    assert (event.citation.first_line, event.citation.last_line) == (None, None)
    assert (event.citation.byte_start, event.citation.byte_end) == (-20, -3)
    assert data[-20:-3] == b"gradient overflow"
    assert result.read.lines is None


class Broken(Pipe):
    def readinto(self, buffer: memoryview, /) -> int:
        count = self.inner.readinto(buffer[:700])
        if not count:
            raise OSError(5, "Input/output error")
        return count


def test_what_came_before_a_reading_error_counts():
    result = scan(Broken(DATA), Artifact(path="a.log", kind="log"), RULES, Options())
    assert sum(event.count for event in found(result, "overflow")) == 1000
    assert result.read.cut == "Input/output error"


@pytest.mark.parametrize("value", ["nan", "0.25"])
def test_metrics_are_read_wherever_the_last_lines_begin(value: str):
    data = (
        b"".join(b"step %d loss %s lr 3e-4\n" % (n, value.encode()) for n in range(1, 9000)) + b"Training complete.\n"
    )
    for last in (20, 500, 4000):
        result = read(data, last=last)
        loss = next(series for series in result.series if series.name == "loss")
        assert (loss.total, loss.nonfinite) == (last - 1, (last - 1) * (value == "nan"))
        assert loss.points[0].line == 9000 - last + 1
        assert result.progress[0].last_step == 8999


def test_rows_at_the_end_of_a_table_are_read_by_the_header_at_its_front():
    data = b"step,loss,lr\n" + b"".join(b"%d,0.5,0.1\n" % n for n in range(1, 200))
    loss = next(series for series in read(data, last=10, path="metrics.csv").series if series.name == "loss")
    assert loss.total == 10


def test_a_pipe_of_which_the_end_is_kept_tells_its_metrics():
    data = b"".join(b"step %d loss 0.5\n" % n for n in range(1, 9000))
    artifact = Artifact(path="-", kind="log")
    result = scan(Pipe(data), artifact, RULES, Options(last=30))
    assert [series.total for series in result.series] == [30]
