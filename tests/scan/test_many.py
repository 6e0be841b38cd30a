from __future__ import annotations

from pathlib import Path

import pytest

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.scan import many, scan_many
from runtriage.scan.tail import Memory
from tests.scan.reading import RULES, found


class Local(Memory):
    local = True


def lines(name: str, count: int) -> bytes:
    return "".join(
        f"[rank{n % 4}]: 2026-05-14 02:{n // 60 % 60:02d}:{n % 60:02d},155 INFO {name} step {n} loss {n % 17}.25 gradient overflow\n"
        for n in range(count)
    ).encode()


FILES = {f"logs/rank{n}.log": lines(f"part{n}", 500 * (n + 1)) for n in range(5)}


def opener(artifact: Artifact) -> Local:
    if artifact.path not in FILES:
        raise FileNotFoundError(2, "No such file or directory")
    return Local(FILES[artifact.path])


def artifacts(*extra: str) -> list[Artifact]:
    return [Artifact(path=path, kind="log", size=len(FILES.get(path, b""))) for path in (*FILES, *extra)]


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtriage.scan.workers.WORTH", 1000)
    monkeypatch.setattr(many, "_STRETCH", 40_000)
    monkeypatch.setattr(many, "_BATCH", 1000)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("metrics", [True, False], ids=["processes", "threads"])
def test_workers_say_what_one_says(metrics: bool):
    one = list(scan_many(opener, artifacts(), RULES, Options(metrics=metrics, workers=1)))
    two = list(scan_many(opener, artifacts(), RULES, Options(metrics=metrics, workers=2)))
    assert [result.read.artifact.path for result in two] == list(FILES)
    assert repr(two) == repr(one)
    assert sum(event.count for result in two for event in found(result, "overflow")) == 7_500


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("workers", [1, 2])
def test_an_artifact_that_cannot_be_opened_does_not_stop_the_others(workers: int):
    results = list(scan_many(opener, artifacts("gone.log"), RULES, Options(workers=workers)))
    assert [result.read.cut for result in results] == [None] * 5 + ["No such file or directory"]


@pytest.mark.parametrize("workers", [1, 2])
def test_whoever_watches_is_told_of_every_byte(workers: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("runtriage.scan.workers.WORTH", 1000 if workers > 1 else 1 << 40)
    told: list[tuple[int, int | None]] = []

    class Watch:
        def advance(self, read: int, total: int | None, findings: int) -> None:
            told.append((read, total))

    list(scan_many(opener, artifacts(), RULES, Options(workers=workers), Watch()))
    size = sum(map(len, FILES.values()))
    assert told[-1] == (size, size)


def test_a_line_is_found_from_any_offset():
    data = b"one\ntwo\n\nlast"
    assert [many.line_from(Memory(data), offset) for offset in range(1, 13)] == [4, 4, 4, 4, 8, 8, 8, 8, 9, 13, 13, 13]


def test_files_are_opened_one_at_a_time(tmp_path: Path):
    held = 0

    class Counted(Local):
        def __init__(self, data: bytes) -> None:
            nonlocal held
            super().__init__(data)
            held += 1
            assert held == 1

        def close(self) -> None:
            nonlocal held
            held -= 1

    results = scan_many(lambda artifact: Counted(FILES[artifact.path]), artifacts(), RULES, Options(workers=1))
    assert len(list(results)) == 5
