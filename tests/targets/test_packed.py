"""Logs that are packed, or written in other than UTF-8."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import zstandard

from runtriage.targets import TargetError, resolve
from runtriage.targets.regular import encoding_told
from tests.targets.files import TEXT, artifacts, opened, read, write


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_packed_logs_are_read_unpacked_whatever_their_name(tmp_path: Path, pack) -> None:
    log = write(tmp_path / "train.log", pack(TEXT))
    target = opened(log)
    artifact = artifacts(target)[0]
    assert artifact.encoding in {"gzip", "zstd"}
    assert read(target, artifact) == TEXT


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_logs_are_read_as_utf_8(tmp_path: Path, codec: str) -> None:
    text = "step 1 loss=2.0\r\n日本語 🚀\r\n"
    target = opened(write(tmp_path / "train.log", ("\ufeff" + text).encode(codec)))
    artifact = artifacts(target)[0]
    assert (artifact.kind, artifact.encoding) == ("log", "utf-16")
    assert read(target, artifact) == text.encode()


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_known_by_its_bytes(tmp_path: Path, codec: str) -> None:
    text = "step 1 loss=2.0\r\nstep 2 loss=1.5\r\nübrig 日本語 🚀\r\n"
    target = opened(write(tmp_path / "train.log", text.encode(codec)))
    artifact = artifacts(target)[0]
    assert (artifact.kind, artifact.encoding) == ("log", codec)
    assert read(target, artifact) == text.encode()


@pytest.mark.parametrize(
    "content",
    [
        b"step 1\0 loss=2.0\n" * 9,
        b"\0" * 64 + b"step 1 loss=2.0\n",
        b"".join(bytes([n, 0]) for n in range(64)),
        b"a\0b\0",
    ],
    ids=["one-zero", "hole", "small-numbers", "too-short"],
)
def test_bytes_that_merely_hold_zeros_are_not_taken_for_utf_16(content: bytes) -> None:
    assert encoding_told(content) is None


def test_a_cut_gzip_gives_all_it_holds_and_then_says_that_it_is_cut(tmp_path: Path) -> None:
    text = b"".join(b"step %d loss %d\n" % (n, n * 7919 % 1000) for n in range(60_000))
    packed = gzip.compress(text[:400_000]) + gzip.compress(text[400_000:])
    (tmp_path / "train.log.gz").write_bytes(packed[: len(packed) * 3 // 4])
    with resolve([str(tmp_path / "train.log.gz")]) as target, target.open(artifacts(target)[0]) as stream:
        read, buffer = b"", bytearray(512 * 1024)
        with pytest.raises(OSError, match="ends in the middle"):
            while count := stream.readinto(memoryview(buffer)):
                read += buffer[:count]
    assert len(read) > 400_000
    assert text.startswith(read)


def test_a_gzip_without_a_whole_header_says_so(tmp_path: Path) -> None:
    (tmp_path / "train.log.gz").write_bytes(gzip.compress(b"x")[:8])
    with pytest.raises(TargetError, match="ends in the middle"):
        resolve([str(tmp_path / "train.log.gz")])


def test_a_cut_zstandard_gives_the_whole_blocks_before_the_cut_and_then_says_that_it_is_cut(tmp_path: Path) -> None:
    text = b"".join(b"step %d loss=%.4f\n" % (step, 9 / (step + 1)) for step in range(60_000))
    pack = zstandard.ZstdCompressor().compress
    packed = pack(text[:400_000]) + pack(text[400_000:])
    (tmp_path / "train.log.zst").write_bytes(packed[:-2_000])
    target = opened(tmp_path / "train.log.zst")
    read = bytearray()
    buffer = memoryview(bytearray(1 << 20))
    with target.open(artifacts(target)[0]) as stream, pytest.raises(OSError, match="ends in the middle"):
        while count := stream.readinto(buffer):
            read += buffer[:count]
    assert len(read) > 500_000
    assert text.startswith(read)


def test_many_small_zstandard_frames_are_one_text(tmp_path: Path) -> None:
    lines = [b"step %d\n" % step for step in range(3_000)]
    pack = zstandard.ZstdCompressor().compress
    (tmp_path / "train.log.zst").write_bytes(b"".join(map(pack, lines)))
    target = opened(tmp_path / "train.log.zst")
    assert read(target, artifacts(target)[0]) == b"".join(lines)
