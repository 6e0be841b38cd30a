import gzip
import io
import os
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest
import zstandard

from runtriage.collect import Budget, collect
from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Skipped, Unavailable
from runtriage.render.terminal import plain
from runtriage.targets import LocalTarget, TargetError, resolve
from runtriage.targets.regular import encoding_told, open_regular
from runtriage.targets.streams import PlainStream
from tests.render.build import report as built_report

TEXT = b"step 1 loss=2.0\nstep 2 loss=1.0\nRuntimeError: boom\n"


def _write(path: Path, content: bytes = TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def _open(*texts: object, stdin: bytes | None = None) -> LocalTarget:
    return resolve([str(text) for text in texts], None if stdin is None else io.BytesIO(stdin))


def _outcomes(target: LocalTarget) -> list[Outcome]:
    return [collect(request, target, Budget()) for request in target.first_requests()]


def _artifacts(target: LocalTarget) -> list[Artifact]:
    return [
        artifact for outcome in _outcomes(target) if isinstance(outcome, Collected) for artifact in outcome.artifacts
    ]


def _read(target: LocalTarget, artifact: Artifact) -> bytes:
    parts: list[bytes] = []
    buffer = bytearray(7)
    with target.open(artifact) as stream:
        while count := stream.readinto(memoryview(buffer)):
            parts.append(bytes(buffer[:count]))
    return b"".join(parts)


def _refused(*texts: object, stdin: bytes | None = None) -> TargetError:
    with pytest.raises(TargetError) as caught:
        _open(*texts, stdin=stdin)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_log_alone_is_read_alone(tmp_path: Path) -> None:
    log = _write(tmp_path / "a.log")
    _write(tmp_path / "config.yaml", b"lr: 1\n")
    target = _open(log)
    assert [(artifact.path, artifact.kind) for artifact in _artifacts(target)] == [("a.log", "log")]
    assert _read(target, _artifacts(target)[0]) == TEXT


def test_tables_of_metrics_beside_a_log_alone_are_named_and_not_read(tmp_path: Path) -> None:
    log = _write(tmp_path / "train.log")
    for name in ("metrics.csv", "config.yaml", "images.csv"):
        _write(tmp_path / name)

    outcome, *_ = _outcomes(_open(log))

    assert isinstance(outcome, Collected)
    assert ([each.path for each in outcome.artifacts], outcome.beside) == (["train.log"], ("metrics.csv",))


def test_a_log_with_its_folder_of_artifacts_is_one_run(tmp_path: Path) -> None:
    log = _write(tmp_path / "a.log")
    _write(tmp_path / "outputs/config.yaml", b"lr: 1\n")
    _write(tmp_path / "outputs/ckpt/step_5.pt", b"\x80\x02x")
    assert [(artifact.path, artifact.kind) for artifact in _artifacts(_open(log, tmp_path / "outputs"))] == [
        ("a.log", "log"),
        ("outputs/config.yaml", "config"),
        ("outputs/ckpt/step_5.pt", "checkpoint"),
    ]


def test_a_folder_is_listed_in_natural_order_with_hidden_and_nested_logs(tmp_path: Path) -> None:
    for name in (
        "rank10.log",
        "rank2.log",
        "sub/attempt_0/1/stderr.log",
        ".submitit/7_0_log.err",
        "wandb/run-1/files/output.log",
    ):
        _write(tmp_path / name)
    for name in (".git/HEAD.log", "__pycache__/x.log", ".cache/tool/1.log", "data/train.csv", "train.py"):
        _write(tmp_path / name)
    assert [artifact.path for artifact in _artifacts(_open(tmp_path))] == [
        "rank2.log",
        "rank10.log",
        ".submitit/7_0_log.err",
        "sub/attempt_0/1/stderr.log",
        "wandb/run-1/files/output.log",
    ]


def test_thousands_of_rank_files_are_one_run(tmp_path: Path) -> None:
    for rank in range(3000):
        (tmp_path / f"rank{rank}.log").write_bytes(b"step 1\n")
    artifacts = _artifacts(_open(tmp_path))
    assert len(artifacts) == 3000
    assert artifacts[2999].path == "rank2999.log"


def test_globs_and_several_files_are_one_run(tmp_path: Path) -> None:
    for name in ("a/rank0.log", "a/rank1.log", "b/other.log"):
        _write(tmp_path / name)
    target = _open(tmp_path / "a/rank*.log", tmp_path / "b/other.log")
    assert [artifact.path for artifact in _artifacts(target)] == ["a/rank0.log", "a/rank1.log", "b/other.log"]


def test_links_are_neither_followed_out_nor_round(tmp_path: Path) -> None:
    outside = _write(tmp_path / "elsewhere/secret.log")
    run = tmp_path / "run"
    _write(run / "train.log")
    (run / "loop").symlink_to(run, target_is_directory=True)
    (run / "out.log").symlink_to(outside)
    (run / "latest.log").symlink_to(run / "train.log")
    outcomes = _outcomes(_open(run))
    assert [artifact.path for artifact in _artifacts(_open(run))] == ["train.log"]
    assert [(outcome.request.args["path"], outcome.reason) for outcome in outcomes if isinstance(outcome, Skipped)] == [
        ("out.log", "a link that leads out of the folder")
    ]


def test_a_link_that_the_system_lets_nobody_follow_is_told_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(tmp_path / "train.log")
    (tmp_path / "cwd").symlink_to("/")
    follow = os.path.realpath

    def guarded(path: str | Path) -> str:
        if str(path).endswith("cwd"):
            raise PermissionError(13, "Permission denied", path)
        return follow(path)

    monkeypatch.setattr(os.path, "realpath", guarded)
    outcomes = _outcomes(_open(tmp_path))
    assert [artifact.path for artifact in _artifacts(_open(tmp_path))] == ["train.log"]
    assert [outcome.reason for outcome in outcomes if isinstance(outcome, Unavailable)] == ["permission denied"]


def test_what_was_not_given_is_not_read_on_request(tmp_path: Path) -> None:
    _write(tmp_path / "secret.log")
    run = tmp_path / "run"
    _write(run / "train.log")
    (run / "way-out").symlink_to(tmp_path)
    target = _open(run)
    for path in ("../secret.log", str(tmp_path / "secret.log"), "way-out/secret.log", "/etc/passwd"):
        outcome = target.collect(Request(kind="file", args={"path": path}))
        assert isinstance(outcome, Skipped), path
    assert isinstance(target.collect(Request(kind="file", args={"path": "no-such.log"})), Empty)
    assert isinstance(target.collect(Request(kind="dmesg")), Skipped)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_packed_logs_are_read_unpacked_whatever_their_name(tmp_path: Path, pack) -> None:
    log = _write(tmp_path / "train.log", pack(TEXT))
    target = _open(log)
    artifact = _artifacts(target)[0]
    assert artifact.encoding in {"gzip", "zstd"}
    assert _read(target, artifact) == TEXT


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_logs_are_read_as_utf_8(tmp_path: Path, codec: str) -> None:
    text = "step 1 loss=2.0\r\n日本語 🚀\r\n"
    target = _open(_write(tmp_path / "train.log", ("\ufeff" + text).encode(codec)))
    artifact = _artifacts(target)[0]
    assert (artifact.kind, artifact.encoding) == ("log", "utf-16")
    assert _read(target, artifact) == text.encode()


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_known_by_its_bytes(tmp_path: Path, codec: str) -> None:
    text = "step 1 loss=2.0\r\nstep 2 loss=1.5\r\nübrig 日本語 🚀\r\n"
    target = _open(_write(tmp_path / "train.log", text.encode(codec)))
    artifact = _artifacts(target)[0]
    assert (artifact.kind, artifact.encoding) == ("log", codec)
    assert _read(target, artifact) == text.encode()


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


@pytest.mark.parametrize(
    ("name", "content", "listed"),
    [
        ("fit.csv", b"epoch,val_loss,acc\n1,2.0,0.5\n", True),
        ("fit.jsonl", b'{"step": 1, "train/loss": 2.0}\n', True),
        ("corpus.jsonl", b'{"text": "one small step for the loss of words"}\n', False),
        ("corpus.csv", b"text,label\nstep,1\n", False),
    ],
)
def test_tables_of_metrics_are_told_from_data(tmp_path: Path, name: str, content: bytes, listed: bool) -> None:
    _write(tmp_path / "train.log")
    _write(tmp_path / name, content)
    kinds = {artifact.path: artifact.kind for artifact in _artifacts(_open(tmp_path))}
    assert kinds.get(name) == ("metrics" if listed else None)


def test_a_file_that_grows_is_read_as_it_was(tmp_path: Path) -> None:
    log = _write(tmp_path / "train.log")
    target = _open(log)
    with target.open(_artifacts(target)[0]) as stream:
        with log.open("ab") as more:
            more.write(b"appended\n")
        buffer = bytearray(1000)
        count = stream.readinto(memoryview(buffer))
        assert bytes(buffer[:count]) == TEXT
        assert stream.readinto(memoryview(buffer)) == 0


def test_names_that_a_terminal_would_act_on_are_shown_escaped(tmp_path: Path) -> None:
    _write(tmp_path / "a\x1b[31mb.log")
    (tmp_path / os.fsdecode(b"bad-\xff.log")).write_bytes(TEXT)
    target = _open(tmp_path)
    artifacts = _artifacts(target)
    assert sorted(artifact.path for artifact in artifacts) == ["a\\x1b[31mb.log", "bad-\\xff.log"]
    assert [_read(target, artifact) for artifact in artifacts] == [TEXT, TEXT]


def test_standard_input_can_be_read_twice(tmp_path: Path) -> None:
    with _open("-", stdin=TEXT) as target:
        artifact = _artifacts(target)[0]
        assert (artifact.path, artifact.kind, artifact.size) == ("-", "log", len(TEXT))
        assert _read(target, artifact) == _read(target, artifact) == TEXT


def test_standard_input_joins_a_folder(tmp_path: Path) -> None:
    _write(tmp_path / "config.yaml", b"lr: 1\n")
    with _open("-", tmp_path, stdin=TEXT) as target:
        assert {artifact.path for artifact in _artifacts(target)} == {"-", "config.yaml"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x80\x02" + bytes(50), "is a pickle"),
        (b"PK\x03\x04" + bytes(50), "zip archive"),
        (bytes(range(256)) * 4, "is binary data"),
    ],
)
def test_a_binary_given_as_a_log_is_called_what_it_is(tmp_path: Path, content: bytes, words: str) -> None:
    error = _refused(_write(tmp_path / "train.log", content))
    assert error.code == 3
    assert words in str(error)
    assert "give the run's log" in str(error)
    assert _refused("-", stdin=content).code == 3


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    _write(tmp_path / "train.log")
    (tmp_path / "dangling.log").symlink_to(tmp_path / "gone")
    assert _refused(tmp_path / "nowhere.log").code == 3
    assert "did you mean" in str(_refused(tmp_path / "trian.log"))
    assert "points at nothing" in str(_refused(tmp_path / "dangling.log"))
    assert _refused(tmp_path / "*.out").code == 3
    assert _refused(tmp_path / "train.log" / "x").code == 3


def test_a_folder_without_a_trace_of_a_run_says_what_it_holds(tmp_path: Path) -> None:
    _write(tmp_path / "model.safetensors", b"x")
    _write(tmp_path / "config.json", b"{}")
    error = _refused(tmp_path)
    assert error.code == 3
    assert "1 checkpoint, 1 config" in str(error)
    (tmp_path / "empty").mkdir()
    assert "no files at all" in str(_refused(tmp_path / "empty"))


def test_pipes_devices_and_sockets_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "sock"))
        for path, word in (
            (tmp_path / "pipe", "named pipe"),
            (Path("/dev/null"), "device"),
            (tmp_path / "sock", "socket"),
        ):
            error = _refused(path)
            assert error.code == 3
            assert word in str(error)
            assert ("socat" in str(error)) == (word == "socket")


def test_pipes_inside_a_folder_do_not_stop_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.log")
    _write(tmp_path / "train.log")
    assert [artifact.path for artifact in _artifacts(_open(tmp_path))] == ["train.log"]


def test_empty_standard_input_has_nothing_to_judge() -> None:
    assert _refused("-", stdin=b"").code == 5


def test_schemes_to_come_say_what_works_now() -> None:
    error = _refused("workflow:run-17")
    assert error.code == 2
    assert "standard input" in str(error)


def test_nothing_is_changed_while_reading(tmp_path: Path, untouched_world: None) -> None:
    del untouched_world
    texts: Sequence[str] = ["zoo/cases/distributed/005-amber-reef"]
    with resolve(texts) as target:
        for outcome in _outcomes(target):
            assert not isinstance(outcome, Unavailable)


def test_a_cut_gzip_gives_all_it_holds_and_then_says_that_it_is_cut(tmp_path: Path) -> None:
    text = b"".join(b"step %d loss %d\n" % (n, n * 7919 % 1000) for n in range(60_000))
    packed = gzip.compress(text[:400_000]) + gzip.compress(text[400_000:])
    (tmp_path / "train.log.gz").write_bytes(packed[: len(packed) * 3 // 4])
    with resolve([str(tmp_path / "train.log.gz")]) as target, target.open(_artifacts(target)[0]) as stream:
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
    target = _open(tmp_path / "train.log.zst")
    read = bytearray()
    buffer = memoryview(bytearray(1 << 20))
    with target.open(_artifacts(target)[0]) as stream, pytest.raises(OSError, match="ends in the middle"):
        while count := stream.readinto(buffer):
            read += buffer[:count]
    assert len(read) > 500_000
    assert text.startswith(read)


def test_many_small_zstandard_frames_are_one_text(tmp_path: Path) -> None:
    lines = [b"step %d\n" % step for step in range(3_000)]
    pack = zstandard.ZstdCompressor().compress
    (tmp_path / "train.log.zst").write_bytes(b"".join(map(pack, lines)))
    target = _open(tmp_path / "train.log.zst")
    assert _read(target, _artifacts(target)[0]) == b"".join(lines)


def test_the_text_report_of_an_earlier_diagnosis_is_no_log_of_the_run(tmp_path: Path) -> None:
    _write(tmp_path / "train.log")
    report = _write(tmp_path / "out.txt", plain(built_report()).encode())
    assert [artifact.path for artifact in _artifacts(_open(tmp_path))] == ["train.log"]
    assert "a report of runtriage" in str(_refused(report))


def test_a_log_that_speaks_of_a_status_is_still_a_log(tmp_path: Path) -> None:
    log = _write(tmp_path / "out.txt", b"Status: crashed\nFramework: PyTorch\nepoch 1 loss=2.0\n")
    assert [artifact.kind for artifact in _artifacts(_open(log))] == ["log"]


def test_a_log_that_rotation_cut_in_place_begins_with_a_hole_and_is_still_a_log(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(bytes(3 * 4096) + b"step 1 loss=2.0\n" * 300)
    assert _artifacts(_open(log))[0].kind == "log"


def test_a_file_that_becomes_shorter_while_it_is_read_does_not_end_as_if_it_were_whole(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(b"step 1 loss 2.0\n" * 100)
    stream = PlainStream(open_regular(log), bounded=True)
    buffer = memoryview(bytearray(800))
    assert stream.readinto(buffer) == 800

    with log.open("r+b") as file:
        file.truncate(400)

    with pytest.raises(OSError, match="shorter while it was read: its last 800 bytes"):
        stream.readinto(buffer)
    stream.close()


def test_a_file_that_grows_while_it_is_read_ends_where_it_ended(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(b"a" * 10)
    stream = PlainStream(open_regular(log), bounded=True)
    with log.open("ab") as file:
        file.write(b"b" * 10)
    assert (stream.readinto(memoryview(bytearray(80))), stream.readinto(memoryview(bytearray(80)))) == (10, 0)
    stream.close()
