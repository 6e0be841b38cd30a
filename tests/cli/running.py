"""Runs the command line as users do, in a process of its own."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from runtriage.cli.main import main
from runtriage.cli.settings import config

_CACHE = tempfile.mkdtemp(prefix="runtriage-test-cache-")
atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)

FAILED = """\
step 1 loss=2.5
step 2 loss=2.4
Traceback (most recent call last):
  File "/home/ml/train.py", line 12, in <module>
    main()
  File "/home/ml/train.py", line 8, in main
    run(password="hunter2hunter2")
ValueError: the widget in row 17 has no colour
"""
COMPLETED = "".join(f"step {n}/100 loss={100 / n:.4f}\n" for n in range(1, 101)) + "Training completed.\n"


def environment(cwd: Path) -> dict[str, str]:
    """Return the variables of a process that has a folder for a home; the cache is shared."""
    variables = {"PATH": os.environ["PATH"], "HOME": str(cwd), "XDG_CACHE_HOME": _CACHE}
    if "PYTHONPATH" in os.environ:
        variables["PYTHONPATH"] = os.environ["PYTHONPATH"]
    return variables


def runtriage(
    *arguments: object, cwd: Path, stdin: str | bytes | None = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run `runtriage` in a folder with a home of its own; returns what it printed. The cache is shared."""
    done = subprocess.run(
        [sys.executable, "-m", "runtriage", *map(str, arguments)],
        cwd=cwd,
        env=environment(cwd) | variables,
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def inside(*arguments: object, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The same in this process: quicker, for what does not depend on how a process starts and ends."""
    words, out, errors = [str(argument) for argument in arguments], _Captured(), _Captured()
    code: object = 0
    config.cache_clear()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
    ):
        patch.setenv("XDG_CACHE_HOME", _CACHE)
        patch.setenv("XDG_CONFIG_HOME", str(cwd / ".config"))
        patch.setenv("XDG_STATE_HOME", str(cwd / ".state"))
        patch.delenv("RUNTRIAGE_HISTORY", raising=False)
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        try:
            main(words)
        except SystemExit as left:
            code = left.code
    assert isinstance(code, int)
    return subprocess.CompletedProcess(words, code, out.getvalue(), errors.getvalue())


class _Captured(io.StringIO):
    def isatty(self) -> bool:
        return False


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the only line that a fault prints, and nothing else was printed."""
    assert done.stdout == ""
    assert done.stderr.startswith("runtriage: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr
