from __future__ import annotations

import pytest

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.scan import many, packed, scan_many
from tests.scan.reading import RULES, found
from tests.scan.test_many import Local, lines

_TRACE = (
    b'Traceback (most recent call last):\n  File "train.py", line 4, in main\n    step()\nValueError: bad batch %d\n'
)


class Damaged(Local):
    def readinto(self, buffer: memoryview, /) -> int:
        count = super().readinto(buffer)
        if not count:
            raise OSError("damaged after what was read")
        return count


def log(middle: bytes = b"") -> bytes:
    parts = [lines("a", 2_500) + _TRACE % (n % 3) for n in range(6)]
    return b"".join(parts) + middle + b"".join(parts) + b"the last line has no end"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtriage.scan.workers.WORTH", 1000)
    monkeypatch.setattr(many, "_STRETCH", 1000)
    monkeypatch.setattr(packed, "_STRETCH", 1_000_000)
    monkeypatch.setattr(packed, "_SLACK", 10_000)


def scanned(content: bytes, kind: type[Local], workers: int, *, metrics: bool = True, encoding: str | None = "gzip"):
    artifact = Artifact(path="train.log", kind="log", size=len(content) // 8, encoding=encoding)
    (result,) = scan_many(lambda _: kind(content), [artifact], RULES, Options(workers=workers, metrics=metrics))
    return result


@pytest.mark.parametrize("metrics", [True, False], ids=["processes", "threads"])
@pytest.mark.parametrize("middle", [b"", b"x" * 3_000_000 + b"\n"], ids=["lines", "one line longer than a stretch"])
def test_workers_say_of_a_packed_log_what_one_says(middle: bytes, metrics: bool):
    one, two = (scanned(log(middle), Local, workers, metrics=metrics) for workers in (1, 2))
    assert repr(two) == repr(one)
    assert two.read.lines == log(middle).count(b"\n") + 1
    assert sum(event.count for event in found(two, "overflow")) == 30_000


def test_a_packed_log_says_what_the_plain_one_says():
    content = log()
    plain = Artifact(path="train.log", kind="log", size=len(content))
    (expected,) = scan_many(lambda _: Local(content), [plain], RULES, Options(workers=1))
    assert repr(scanned(content, Local, 2).series) == repr(expected.series)


def test_what_could_be_unpacked_of_a_damaged_log_counts():
    one, two = (scanned(log(), Damaged, workers) for workers in (1, 2))
    assert repr(two) == repr(one)
    assert two.read.cut == "damaged after what was read"


def test_a_packed_log_is_cut_into_stretches():
    ring, artifact = packed.Ring(3), Artifact(path="train.log", kind="log", encoding="gzip")
    pieces = [(piece.start, piece.stop) for piece in ring.pieces(Local(log()), artifact, None)]
    assert len(pieces) > 2
    assert [start for start, _ in pieces[1:]] == [stop for _, stop in pieces[:-1]]
