from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import FAILED, environment, inside, one_line, runtriage


@contextmanager
def serving(cwd: Path, *arguments: str, **variables: str) -> Generator[str]:
    """Run the server on a free port; yields its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "runtriage", "serve", "--port", "0", *arguments],
        cwd=cwd,
        env=environment(cwd) | variables,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        yield process.stderr.readline().split("at ")[1].split(" ")[0]
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()


def test_what_the_command_line_diagnosed_is_served_to_this_machine(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(FAILED)
    runtriage("a.log", cwd=tmp_path)
    with serving(tmp_path) as address:
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert "the widget in row 17 has no colour" in answer.read().decode()


def test_the_help_names_the_extra_whole(tmp_path: Path) -> None:
    assert "pip install 'runtriage[web]'" in runtriage("serve", "--help", cwd=tmp_path).stdout


def test_others_are_let_in_with_a_token_only(tmp_path: Path) -> None:
    refused = inside("serve", "--host", "0.0.0.0", "--port", "0", cwd=tmp_path)
    assert refused.returncode == 2
    assert "RUNTRIAGE_TOKEN" in one_line(refused)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RUNTRIAGE_TOKEN", "short")
        assert "16 characters" in one_line(inside("serve", "--host", "0.0.0.0", cwd=tmp_path))
    token = "a-token-of-some-length"
    with serving(tmp_path, "--host", "0.0.0.0", RUNTRIAGE_TOKEN=token) as address:
        local = address.replace("0.0.0.0", "127.0.0.1") + "api/v1/runs"
        with pytest.raises(urllib.error.HTTPError, match="401") as caught:
            urllib.request.urlopen(local, timeout=20)
        caught.value.close()
        asked = urllib.request.Request(local, headers={"authorization": f"Bearer {token}"})
        with urllib.request.urlopen(asked, timeout=20) as answer:
            assert answer.status == 200


def test_a_missing_extra_is_named_with_the_command_that_installs_it(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError('no', name='uvicorn')\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    done = runtriage("serve", cwd=tmp_path, PYTHONPATH=path)
    assert done.returncode == 4
    assert "pip install 'runtriage[web]'" in done.stderr
