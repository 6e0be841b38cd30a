"""Files, folders and standard input as a target."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from runtriage.model.artifact import Collected, Empty, Request, Skipped, Unavailable
from runtriage.render.terminal import plain
from runtriage.targets import resolve
from runtriage.targets.regular import open_regular
from runtriage.targets.streams import PlainStream
from tests.render.build import report as built_report
from tests.targets.files import TEXT, artifacts, opened, outcomes, read, refused, write


def test_a_log_alone_is_read_alone(tmp_path: Path) -> None:
    log = write(tmp_path / "a.log")
    write(tmp_path / "config.yaml", b"lr: 1\n")
    target = opened(log)
    assert [(artifact.path, artifact.kind) for artifact in artifacts(target)] == [("a.log", "log")]
    assert read(target, artifacts(target)[0]) == TEXT


def test_tables_of_metrics_beside_a_log_alone_are_named_and_not_read(tmp_path: Path) -> None:
    log = write(tmp_path / "train.log")
    for name in ("metrics.csv", "config.yaml", "images.csv"):
        write(tmp_path / name)

    outcome, *_ = outcomes(opened(log))

    assert isinstance(outcome, Collected)
    assert ([each.path for each in outcome.artifacts], outcome.beside) == (["train.log"], ("metrics.csv",))


def test_a_log_with_its_folder_of_artifacts_is_one_run(tmp_path: Path) -> None:
    log = write(tmp_path / "a.log")
    write(tmp_path / "outputs/config.yaml", b"lr: 1\n")
    write(tmp_path / "outputs/ckpt/step_5.pt", b"\x80\x02x")
    assert [(artifact.path, artifact.kind) for artifact in artifacts(opened(log, tmp_path / "outputs"))] == [
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
        write(tmp_path / name)
    for name in (".git/HEAD.log", "__pycache__/x.log", ".cache/tool/1.log", "data/train.csv", "train.py"):
        write(tmp_path / name)
    assert [artifact.path for artifact in artifacts(opened(tmp_path))] == [
        "rank2.log",
        "rank10.log",
        ".submitit/7_0_log.err",
        "sub/attempt_0/1/stderr.log",
        "wandb/run-1/files/output.log",
    ]


def test_thousands_of_rank_files_are_one_run(tmp_path: Path) -> None:
    for rank in range(3000):
        (tmp_path / f"rank{rank}.log").write_bytes(b"step 1\n")
    found = artifacts(opened(tmp_path))
    assert len(found) == 3000
    assert found[2999].path == "rank2999.log"


def test_globs_and_several_files_are_one_run(tmp_path: Path) -> None:
    for name in ("a/rank0.log", "a/rank1.log", "b/other.log"):
        write(tmp_path / name)
    target = opened(tmp_path / "a/rank*.log", tmp_path / "b/other.log")
    assert [artifact.path for artifact in artifacts(target)] == ["a/rank0.log", "a/rank1.log", "b/other.log"]


def test_links_are_neither_followed_out_nor_round(tmp_path: Path) -> None:
    outside = write(tmp_path / "elsewhere/secret.log")
    run = tmp_path / "run"
    write(run / "train.log")
    (run / "loop").symlink_to(run, target_is_directory=True)
    (run / "out.log").symlink_to(outside)
    (run / "latest.log").symlink_to(run / "train.log")
    found = outcomes(opened(run))
    assert [artifact.path for artifact in artifacts(opened(run))] == ["train.log"]
    assert [(outcome.request.args["path"], outcome.reason) for outcome in found if isinstance(outcome, Skipped)] == [
        ("out.log", "a link that leads out of the folder")
    ]


def test_a_link_that_the_system_lets_nobody_follow_is_told_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "train.log")
    (tmp_path / "cwd").symlink_to("/")
    follow = os.path.realpath

    def guarded(path: str | Path) -> str:
        if str(path).endswith("cwd"):
            raise PermissionError(13, "Permission denied", path)
        return follow(path)

    monkeypatch.setattr(os.path, "realpath", guarded)
    found = outcomes(opened(tmp_path))
    assert [artifact.path for artifact in artifacts(opened(tmp_path))] == ["train.log"]
    assert [outcome.reason for outcome in found if isinstance(outcome, Unavailable)] == ["permission denied"]


def test_what_was_not_given_is_not_read_on_request(tmp_path: Path) -> None:
    write(tmp_path / "secret.log")
    run = tmp_path / "run"
    write(run / "train.log")
    (run / "way-out").symlink_to(tmp_path)
    target = opened(run)
    for path in ("../secret.log", str(tmp_path / "secret.log"), "way-out/secret.log", "/etc/passwd"):
        outcome = target.collect(Request(kind="file", args={"path": path}))
        assert isinstance(outcome, Skipped), path
    assert isinstance(target.collect(Request(kind="file", args={"path": "no-such.log"})), Empty)
    assert isinstance(target.collect(Request(kind="dmesg")), Skipped)


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
    write(tmp_path / "train.log")
    write(tmp_path / name, content)
    kinds = {artifact.path: artifact.kind for artifact in artifacts(opened(tmp_path))}
    assert kinds.get(name) == ("metrics" if listed else None)


def test_a_file_that_grows_is_read_as_it_was(tmp_path: Path) -> None:
    log = write(tmp_path / "train.log")
    target = opened(log)
    with target.open(artifacts(target)[0]) as stream:
        with log.open("ab") as more:
            more.write(b"appended\n")
        buffer = bytearray(1000)
        count = stream.readinto(memoryview(buffer))
        assert bytes(buffer[:count]) == TEXT
        assert stream.readinto(memoryview(buffer)) == 0


def test_names_that_a_terminal_would_act_on_are_shown_escaped(tmp_path: Path) -> None:
    write(tmp_path / "a\x1b[31mb.log")
    (tmp_path / os.fsdecode(b"bad-\xff.log")).write_bytes(TEXT)
    target = opened(tmp_path)
    found = artifacts(target)
    assert sorted(artifact.path for artifact in found) == ["a\\x1b[31mb.log", "bad-\\xff.log"]
    assert [read(target, artifact) for artifact in found] == [TEXT, TEXT]


def test_standard_input_can_be_read_twice(tmp_path: Path) -> None:
    with opened("-", stdin=TEXT) as target:
        artifact = artifacts(target)[0]
        assert (artifact.path, artifact.kind, artifact.size) == ("-", "log", len(TEXT))
        assert read(target, artifact) == read(target, artifact) == TEXT


def test_standard_input_joins_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "config.yaml", b"lr: 1\n")
    with opened("-", tmp_path, stdin=TEXT) as target:
        assert {artifact.path for artifact in artifacts(target)} == {"-", "config.yaml"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x80\x02" + bytes(50), "is a pickle"),
        (b"PK\x03\x04" + bytes(50), "zip archive"),
        (bytes(range(256)) * 4, "is binary data"),
    ],
)
def test_a_binary_given_as_a_log_is_called_what_it_is(tmp_path: Path, content: bytes, words: str) -> None:
    error = refused(write(tmp_path / "train.log", content))
    assert error.code == 3
    assert words in str(error)
    assert "give the run's log" in str(error)
    assert refused("-", stdin=content).code == 3


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    write(tmp_path / "train.log")
    (tmp_path / "dangling.log").symlink_to(tmp_path / "gone")
    assert refused(tmp_path / "nowhere.log").code == 3
    assert "did you mean" in str(refused(tmp_path / "trian.log"))
    assert "points at nothing" in str(refused(tmp_path / "dangling.log"))
    assert refused(tmp_path / "*.out").code == 3
    assert refused(tmp_path / "train.log" / "x").code == 3


def test_a_folder_without_a_trace_of_a_run_says_what_it_holds(tmp_path: Path) -> None:
    write(tmp_path / "model.safetensors", b"x")
    write(tmp_path / "config.json", b"{}")
    error = refused(tmp_path)
    assert error.code == 3
    assert "1 checkpoint, 1 config" in str(error)
    (tmp_path / "empty").mkdir()
    assert "no files at all" in str(refused(tmp_path / "empty"))


def test_pipes_devices_and_sockets_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "sock"))
        for path, word in (
            (tmp_path / "pipe", "named pipe"),
            (Path("/dev/null"), "device"),
            (tmp_path / "sock", "socket"),
        ):
            error = refused(path)
            assert error.code == 3
            assert word in str(error)
            assert ("socat" in str(error)) == (word == "socket")


def test_pipes_inside_a_folder_do_not_stop_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.log")
    write(tmp_path / "train.log")
    assert [artifact.path for artifact in artifacts(opened(tmp_path))] == ["train.log"]


def test_empty_standard_input_has_nothing_to_judge() -> None:
    assert refused("-", stdin=b"").code == 5


def test_schemes_to_come_say_what_works_now() -> None:
    error = refused("workflow:run-17")
    assert error.code == 2
    assert "standard input" in str(error)


def test_nothing_is_changed_while_reading(tmp_path: Path, untouched_world: None) -> None:
    del untouched_world
    texts: Sequence[str] = ["zoo/cases/distributed/005-amber-reef"]
    with resolve(texts) as target:
        for outcome in outcomes(target):
            assert not isinstance(outcome, Unavailable)


def test_the_text_report_of_an_earlier_diagnosis_is_no_log_of_the_run(tmp_path: Path) -> None:
    write(tmp_path / "train.log")
    report = write(tmp_path / "out.txt", plain(built_report()).encode())
    assert [artifact.path for artifact in artifacts(opened(tmp_path))] == ["train.log"]
    assert "a report of runtriage" in str(refused(report))


def test_a_log_that_speaks_of_a_status_is_still_a_log(tmp_path: Path) -> None:
    log = write(tmp_path / "out.txt", b"Status: crashed\nFramework: PyTorch\nepoch 1 loss=2.0\n")
    assert [artifact.kind for artifact in artifacts(opened(log))] == ["log"]


def test_a_log_that_rotation_cut_in_place_begins_with_a_hole_and_is_still_a_log(tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    log.write_bytes(bytes(3 * 4096) + b"step 1 loss=2.0\n" * 300)
    assert artifacts(opened(log))[0].kind == "log"


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
