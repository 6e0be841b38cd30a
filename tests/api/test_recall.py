"""What a scan said is remembered for files that did not change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from runtriage.api.diagnosis import diagnose
from runtriage.model.options import Options
from runtriage.model.report import Report
from runtriage.store.cache import DiskCache
from runtriage.store.memory import MemoryCache
from runtriage.targets import local

TOKEN = "hf_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3b"
END = f"""Traceback (most recent call last):
  File "/app/train.py", line 88, in <module>
    login(token="{TOKEN}")
RuntimeError: CUDA out of memory. Tried to allocate 2.50 GiB (token={TOKEN})
"""


@pytest.fixture(scope="module")
def text() -> str:
    line = "2026-05-14 02:03:{:02d} INFO step {} loss {:.4f}\n"
    return "".join(line.format(n % 60, n, 3 - n / 100_000) for n in range(180_000)) + END


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The logs that were read whole, by path."""
    names: list[str] = []
    real = local.LocalTarget.open

    def count(self: local.LocalTarget, artifact):
        names.append(artifact.path)
        return real(self, artifact)

    monkeypatch.setattr(local.LocalTarget, "open", count)
    return names


def look(place: Path, folder: Path, **options: int) -> Report:
    cache = Both(folder)
    return replace(
        diagnose(str(place), cache=cache, options=Options(**options)), run_id="", timestamp="", duration_seconds=0.0
    )


COMPILED = MemoryCache(1 << 30)


class Both:
    """Scans on disk, what was compiled in memory."""

    def __init__(self, folder: Path) -> None:
        self.disk = DiskCache(folder)

    def load(self, name: str) -> bytes | None:
        return (self.disk if name.startswith("scan-") else COMPILED).load(name)

    def save(self, name: str, content: bytes) -> None:
        (self.disk if name.startswith("scan-") else COMPILED).save(name, content)


def test_a_second_look_says_the_same_without_reading_the_log_again(
    tmp_path: Path, text: str, opened: list[str]
) -> None:
    log = tmp_path / "train.log"
    log.write_text(text)
    first = look(log, tmp_path / "cache")
    read_whole = len(opened)
    assert look(log, tmp_path / "cache") == first
    assert len(opened) - read_whole < read_whole


def test_a_file_that_changed_is_read_again(tmp_path: Path, text: str) -> None:
    log = tmp_path / "train.log"
    log.write_text(text)
    assert look(log, tmp_path / "cache").primary_cause == "oom"
    log.write_text(text.replace("CUDA out of memory. Tried to", "the loss is not a number: "))
    os.utime(log, (1, 1))
    assert look(log, tmp_path / "cache").primary_cause != "oom"


def test_another_question_is_another_scan(tmp_path: Path, text: str) -> None:
    log = tmp_path / "train.log"
    log.write_text(text)
    look(log, tmp_path / "cache")
    assert look(log, tmp_path / "cache", last=50).coverage.artifacts[0].cut is not None


def test_many_small_files_are_remembered_together(tmp_path: Path, text: str, opened: list[str]) -> None:
    run = tmp_path / "run"
    run.mkdir()
    third = len(text) // 3
    for rank in range(3):
        (run / f"rank{rank}.log").write_text(text[-third:])
    first = look(run, tmp_path / "cache")
    before = len(opened)
    assert look(run, tmp_path / "cache") == first
    assert len(opened) - before < before
    (run / "rank1.log").write_text(text[-third + 1000 :])
    assert look(run, tmp_path / "cache").coverage.bytes == first.coverage.bytes - 1000


def test_an_entry_that_is_damaged_counts_for_nothing(tmp_path: Path, text: str) -> None:
    log = tmp_path / "train.log"
    log.write_text(text)
    first = look(log, tmp_path / "cache")
    names: list[str] = []

    class Damaged(Both):
        def load(self, name: str) -> bytes | None:
            stored = super().load(name)
            if not name.startswith("scan-") or stored is None:
                return stored
            names.append(name)
            return stored[:-20]

    again = diagnose(str(log), cache=Damaged(tmp_path / "cache"))
    assert names
    assert again.root_cause == first.root_cause


def test_no_secret_is_kept(tmp_path: Path, text: str) -> None:
    log = tmp_path / "train.log"
    log.write_text(text)
    look(log, tmp_path / "cache")
    stored = [file.read_bytes() for file in (tmp_path / "cache").iterdir()]
    assert stored
    assert all(TOKEN.encode() not in content for content in stored)


def test_a_small_log_leaves_nothing(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_text(END)
    look(log, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_log_whose_name_is_no_text_is_read_each_time(tmp_path: Path, text: str) -> None:
    log = tmp_path / os.fsdecode(b"tr\xe4ning.log")
    log.write_text(text)
    first = look(log, tmp_path / "cache")
    assert first.primary_cause == "oom"
    assert look(log, tmp_path / "cache") == first
