"""The environment of real trackers: its interpreter, found through the commands on the PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def python_of(command: str) -> str | None:
    """The interpreter of the environment that a command belongs to, None where it is not installed."""
    found = shutil.which(command)
    python = Path(found).parent / "python" if found else None
    return str(python) if python is not None and python.exists() else None


def needs(command: str) -> pytest.MarkDecorator:
    """Skip where a tracker is not installed."""
    return pytest.mark.skipif(
        python_of(command) is None, reason=f"{command} is not installed (tests/servers/trackers.txt)"
    )


def run(command: str, program: str, folder: Path, **variables: str) -> int:
    """Run a program in the environment of a command, in a folder; return its exit status."""
    python = python_of(command)
    assert python is not None
    path = folder / "program.py"
    path.write_text(program)
    done = subprocess.run(
        [python, str(path)], cwd=folder, env={**os.environ, **variables}, capture_output=True, check=False, timeout=100
    )
    return done.returncode
