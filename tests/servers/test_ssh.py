"""Logs on another machine, read through a real sshd."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

import runtriage
from runtriage.targets.errors import TargetError
from runtriage.targets.grammar import parse
from runtriage.targets.ssh import open_target
from tests.servers.sshd import Sshd, sshd

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(shutil.which("sshd", path="/usr/sbin:/usr/bin") is None, reason="sshd is not installed"),
]
TRACE = (
    'Traceback (most recent call last):\n  File "t.py", line 3, in <module>\n    fit()\nValueError: label 12 is bad\n'
)
LOG = "".join(f"step {step} loss {2 - step / 100}\n" for step in range(40)) + TRACE


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Sshd]:
    with sshd(tmp_path_factory.mktemp("sshd")) as running:
        yield running


@pytest.fixture
def remote(server: Sshd, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RUNTRIAGE_SSH", server.command)
    return server.address


def test_a_log_is_read_with_the_config_beside_it(remote: str, tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text(LOG)
    (tmp_path / "config.yaml").write_text("lr: 0.5\nbatch_size: 8\n")
    (tmp_path / "other.log").write_text("not asked for\n")
    report = runtriage.diagnose(f"{remote}{tmp_path}/train.log")
    assert (report.run_status, report.primary_cause, report.last_progress.step) == ("crashed", "data-pipeline", 39)
    assert sorted(read.artifact for read in report.coverage.artifacts) == ["config.yaml", "train.log"]
    assert report.root_evidence is not None and report.root_evidence.first_line == 44


def test_a_folder_and_a_pattern_name_many_files(remote: str, tmp_path: Path) -> None:
    odd = tmp_path / "a folder; it's odd"
    odd.mkdir()
    for rank in range(3):
        (odd / f"rank{rank}.log").write_text(LOG)
    with gzip.open(odd / "rank3.log.gz", "wt") as packed:
        packed.write(LOG)
    whole = runtriage.diagnose(f"{remote}{odd}")
    assert (whole.coverage.files, whole.primary_cause) == (4, "data-pipeline")
    assert runtriage.diagnose(f"{remote}{odd}/rank[01].log").coverage.files == 2


def test_the_last_lines_are_read_from_the_end_with_their_true_numbers(remote: str, tmp_path: Path) -> None:
    (tmp_path / "train.log").write_text("x" * 80 + "\n" + "filler line of a long log\n" * 200_000 + LOG)
    report = runtriage.diagnose(f"{remote}{tmp_path}/train.log", last=30)
    assert report.root_evidence is not None and report.root_evidence.first_line == 200_001 + 44


def test_what_is_not_there_and_what_may_not_be_read_are_told_apart(remote: str, tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="no such file") as error:
        open_target(parse(f"{remote}{tmp_path}/none.log"))
    assert error.value.code == 3


def test_a_host_key_that_is_not_known_is_never_accepted(
    server: Sshd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").write_text("")
    monkeypatch.setenv("RUNTRIAGE_SSH", server.command.replace(str(server.folder / "known"), str(tmp_path / "empty")))
    with pytest.raises(TargetError, match="host key is not known") as error:
        open_target(parse(f"{server.address}/etc/hostname"))
    assert error.value.code == 4
    assert (tmp_path / "empty").read_text() == ""


def test_a_login_that_is_refused_and_a_machine_that_is_away_are_both_out_of_reach(
    server: Sshd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "other")], check=True)
    monkeypatch.setenv("RUNTRIAGE_SSH", server.command.replace(str(server.folder / "user"), str(tmp_path / "other")))
    with pytest.raises(TargetError, match="Permission denied") as refused:
        open_target(parse(f"{server.address}/etc/hostname"))
    monkeypatch.setenv("RUNTRIAGE_SSH", server.command)
    with pytest.raises(TargetError, match="refused") as away:
        open_target(parse("ssh://someone@127.0.0.1:9/etc/hostname"))
    assert (refused.value.code, away.value.code) == (4, 4)


def test_a_connection_that_breaks_is_said_and_what_came_before_is_kept(remote: str, tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text(LOG + "step 41 loss 1\n" * 100_000)
    with open_target(parse(f"{remote}{path}")) as target:
        (outcome,) = map(target.collect, target.first_requests())
        (artifact,) = outcome.artifacts
        path.write_text(LOG)
        stream = target.open(artifact)
        buffer, read = memoryview(bytearray(1 << 16)), 0
        with stream, pytest.raises(OSError, match="cut after"):
            while count := stream.readinto(buffer):
                read += count
    assert read == len(LOG)


def test_an_address_that_is_none_is_wrong_usage() -> None:
    for text in ("ssh:-oProxyCommand=x:/a", "ssh:host"):
        with pytest.raises(TargetError) as error:
            open_target(parse(text))
        assert error.value.code == 2


def test_a_name_that_pretends_to_be_several_lines_names_no_other_file(remote: str, tmp_path: Path) -> None:
    run, elsewhere = tmp_path / "run", tmp_path / "elsewhere.log"
    (run / "x\n9 1 ").mkdir(parents=True)
    elsewhere.write_text(LOG)
    hidden = run / f"x\n9 1 {str(elsewhere)[1:].replace('/', '_')}.log"
    hidden.write_text(LOG)
    (run / f"y\nFILE\n9 1 {elsewhere.name}").write_text(LOG)
    (run / "$(touch pwned) `id` \"quoted\" 'log'.log").write_text(LOG)
    for path in (f"{run}", f"{run}/*"):
        report = runtriage.diagnose(f"{remote}{path}")
        assert [read.artifact for read in report.coverage.artifacts] == ["$(touch pwned) `id` \"quoted\" 'log'.log"]
    assert not list(tmp_path.rglob("pwned"))
