import io
from pathlib import Path

from runtriage.targets.spool import Spool


def _content(spool: Spool) -> bytes:
    buffer = bytearray(1 << 16)
    parts: list[bytes] = []
    with spool.open(None) as stream:
        while count := stream.readinto(memoryview(buffer)):
            parts.append(bytes(buffer[:count]))
    return b"".join(parts)


def test_much_input_goes_to_a_private_file_that_is_removed(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    content = b"0123456789" * 300_000
    spool = Spool(io.BytesIO(content), in_memory=1000)
    kept = list(tmp_path.iterdir())
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o600]
    assert _content(spool) == _content(spool) == content
    spool.close()
    assert list(tmp_path.iterdir()) == []


def test_little_input_stays_in_memory(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    spool = Spool(io.BytesIO(b"abc"))
    assert (_content(spool), list(tmp_path.iterdir())) == (b"abc", [])


def test_a_writer_is_read_to_its_end_even_when_not_all_is_kept(tmp_path: Path) -> None:
    source = io.BytesIO(b"x" * 5_000_000)
    spool = Spool(source, limit=1_000_000)
    assert source.read() == b""
    assert spool.size == len(_content(spool)) == 1_000_000
    assert spool.cut is not None


def test_no_room_for_a_file_is_said_and_what_fits_is_kept(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    spool = Spool(io.BytesIO(b"y" * 3_000_000), in_memory=1_500_000)
    assert spool.cut is not None
    assert _content(spool) == b"y" * spool.size
