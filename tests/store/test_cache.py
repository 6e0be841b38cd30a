import os
import sys
from pathlib import Path

from runtriage.store.cache import DiskCache
from runtriage.store.memory import MemoryCache
from tests import unprivileged


def test_what_was_saved_is_loaded_by_another_process_of_the_same_user(tmp_path: Path) -> None:
    DiskCache(tmp_path / "cache").save("rules/1", b"content")
    assert DiskCache(tmp_path / "cache").load("rules/1") == b"content"
    assert DiskCache(tmp_path / "cache").load("rules/2") is None


def test_only_the_owner_may_read(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    DiskCache(folder).save("a", b"x")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path.stat().st_mode & 0o777 for path in folder.iterdir()] == [0o600]


def test_damaged_entries_are_forgotten(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.save("a", b"content")
    entry = next(tmp_path.iterdir())
    entry.write_bytes(entry.read_bytes()[:-1])
    assert cache.load("a") is None


def test_an_entry_of_another_name_is_not_taken_for_this_one(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.save("a", b"content")
    stored = next(tmp_path.iterdir()).read_bytes()
    cache.save("b", b"other")
    for path in tmp_path.iterdir():
        path.write_bytes(stored)
    assert cache.load("b") is None


def test_entries_that_others_may_write_are_not_trusted(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path)
    cache.save("a", b"content")
    next(tmp_path.iterdir()).chmod(0o666)
    assert cache.load("a") is None


def test_the_oldest_entries_go_when_the_cache_is_full(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, limit=3000)
    for number in range(5):
        cache.save(str(number), bytes(900))
        for path in tmp_path.iterdir():
            os.utime(path, (path.stat().st_atime - 10, path.stat().st_mtime - 10))
    assert [cache.load(str(number)) is not None for number in range(5)] == [False, False, True, True, True]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 3000


def test_what_is_too_large_is_not_stored(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, limit=1000)
    cache.save("a", bytes(2000))
    assert cache.load("a") is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_no_error() -> None:
    with unprivileged.open_folder() as folder:
        folder.chmod(0o555)
        code = (
            "import sys; from pathlib import Path; from runtriage.store.cache import DiskCache\n"
            "cache = DiskCache(Path(sys.argv[1]) / 'sub'); cache.save('a', b'x'); print(cache.load('a'))"
        )
        proof = unprivileged.run(["-c", f"open({str(folder / 'x')!r}, 'w')"], cwd=Path("/"))
        assert "PermissionError" in proof.stderr
        done = unprivileged.run(["-c", code, str(folder)], cwd=Path("/"))
        assert (done.returncode, done.stdout, done.stderr) == (0, "None\n", "")
        folder.chmod(0o755)


def test_a_full_disk_is_no_error_and_leaves_no_draft(tmp_path: Path) -> None:
    code = (
        "import resource, signal, sys; from pathlib import Path; from runtriage.store.cache import DiskCache\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "cache = DiskCache(Path(sys.argv[1])); cache.save('a', bytes(5000)); print(cache.load('a'))"
    )
    done = unprivileged.run(["-c", code, str(tmp_path)], cwd=Path("/"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "None\n", ""), sys.version
    assert list(tmp_path.iterdir()) == []


def test_a_cache_behind_another_is_read_and_never_written(tmp_path: Path) -> None:
    DiskCache(tmp_path).save("known", b"compiled")
    entry = next(tmp_path.iterdir())
    os.utime(entry, (1, 1))
    cache = MemoryCache(behind=DiskCache(tmp_path, touches=False))
    cache.save("fresh", b"made here")
    assert (cache.load("known"), cache.load("fresh"), cache.load("none")) == (b"compiled", b"made here", None)
    assert [entry] == list(tmp_path.iterdir())
    assert entry.stat().st_mtime == 1
