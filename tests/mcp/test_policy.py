"""What a client may name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from runtriage.mcp.policy import RefusedError, policy
from tests.cli.running import FAILED
from tests.mcp.asking import call, text


@pytest.fixture
def ground(tmp_path: Path) -> Path:
    """A folder that may be read, with a secret beside it and links that lead there."""
    runs = tmp_path / "runs"
    (runs / "inner").mkdir(parents=True)
    (runs / "inner" / "train.log").write_text(FAILED, "utf-8")
    (tmp_path / "runs-secret").mkdir()
    (tmp_path / "runs-secret" / "secret.log").write_text("Traceback: the secret is out", "utf-8")
    (runs / "link.log").symlink_to(tmp_path / "runs-secret" / "secret.log")
    (runs / "folder").symlink_to(tmp_path / "runs-secret")
    return runs


@pytest.mark.parametrize(
    "target",
    [
        "../runs-secret/secret.log",
        "inner/../../runs-secret/secret.log",
        "link.log",
        "folder",
        "folder/secret.log",
        "/etc/passwd",
        "/proc/self/environ",
        "file:///etc/passwd",
        "file:../runs-secret/secret.log",
        "~/.ssh/id_rsa",
        "*.log",
        "../*/secret.log",
        "-",
        "",
        "a\0b",
        "no-such-thing",
        "a" * 1999,
        f"inner/{'a' * 300}/train.log",
        "\ud800",
    ],
)
def test_what_lies_outside_is_refused_however_it_is_named(ground: Path, target: str) -> None:
    with pytest.raises(RefusedError):
        policy([ground]).admit(target)


def test_what_lies_inside_is_admitted_as_its_real_path(ground: Path) -> None:
    real = os.path.realpath(ground / "inner" / "train.log")

    for name in ("inner/train.log", str(ground / "inner" / "train.log"), f"file:{real}", "./inner/../inner/train.log"):
        assert policy([ground]).admit(name) == real


def test_a_path_may_be_given_as_seen_from_the_working_folder(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ground.parent)
    allowed = policy([ground])
    real = os.path.realpath(ground / "inner" / "train.log")
    assert allowed.admit(f"{ground.name}/inner/train.log") == real
    with pytest.raises(RefusedError):
        allowed.admit("runs-secret/secret.log")
    assert policy([ground / "inner" / "train.log"]).admit(f"{ground.name}/inner/train.log") == real


def test_a_folder_that_holds_links_out_is_read_without_them(ground: Path) -> None:
    result = call("diagnose", {"target": "."}, ground)

    assert "secret" not in text(result)
    assert "ValueError" in text(result)


def test_other_kinds_of_target_need_leave(ground: Path) -> None:
    for target in ("k8s:prod/ns/pod/a", "s3://bucket/run", "ssh:me@host:/x", "me@host:/x", "mlflow:1", "proc:python"):
        with pytest.raises(RefusedError, match="not allowed"):
            policy([ground]).admit(target)
    assert policy([ground], ["k8s"]).admit("k8s:prod/ns/pod/a") == "k8s:prod/ns/pod/a"
    with pytest.raises(RefusedError, match="may be"):
        policy([ground], ["proc"])


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc whose a process is")
def test_processes_of_other_users_are_refused(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = policy([ground], ["pid"])
    assert allowed.admit(f"pid:{os.getpid()}") == f"pid:{os.getpid()}"

    monkeypatch.setattr(os, "getuid", lambda: 65_000)
    for target in (f"pid:{os.getpid()}", "pid:1", "pid:999999999", "pid:self"):
        with pytest.raises(RefusedError):
            allowed.admit(target)


def test_a_step_looks_at_folders_in_reach_and_at_allowed_processes_alone(
    ground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, own = policy([ground]), str(os.getpid())

    assert here.may_show("folder", str(ground / "inner"))
    for outside in (ground / "folder", ground / ".." / "runs-secret", "/etc", "inner", "/a\0b"):
        assert not here.may_show("folder", str(outside)), outside
    assert not here.may_show("pid", own)
    if sys.platform == "linux":
        assert policy([ground], ["pid"]).may_show("pid", own)
        monkeypatch.setattr(os, "getuid", lambda: 65_000)
        assert not policy([ground], ["pid"]).may_show("pid", own)


def test_a_refusal_names_what_may_be_read_and_not_what_exists(ground: Path) -> None:
    there = call("diagnose", {"target": "../runs-secret/secret.log"}, ground)
    absent = call("diagnose", {"target": "../runs-secret/no-such.log"}, ground)

    assert there.is_error and text(there) == text(absent)
    assert str(ground) in text(there)


def test_a_folder_whose_name_no_file_system_takes_is_refused() -> None:
    with pytest.raises(RefusedError, match="no such file or folder"):
        policy([Path("a" * 3000)])
