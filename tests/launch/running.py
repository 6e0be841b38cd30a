"""Starts commands under `runtriage run`, as a shell would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.cli.running import environment

PYTHON = sys.executable


def wrapped(*command: object, options: tuple[str, ...] = ()) -> list[str]:
    """The words that run a command wrapped."""
    return [PYTHON, "-m", "runtriage", "run", *options, "--", *map(str, command)]


def surroundings(folder: Path, **variables: str) -> dict[str, str]:
    return environment(folder) | {"RUNTRIAGE_RUNS": str(folder / "runs")} | variables


def run(
    folder: Path, *command: object, options: tuple[str, ...] = (), stdin: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        wrapped(*command, options=options),
        cwd=folder,
        env=surroundings(folder, **variables),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def start(folder: Path, *command: object, options: tuple[str, ...] = (), **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        wrapped(*command, options=options),
        cwd=folder,
        env=surroundings(folder, **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kept(folder: Path) -> Path:
    """The folder of the only run that was kept."""
    (one,) = (folder / "runs").iterdir()
    return one


def record(folder: Path) -> dict[str, Any]:
    return json.loads((kept(folder) / "run.json").read_text("utf-8"))


def plain(folder: Path, *command: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The same command without us, to compare with."""
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=os.environ | environment(folder),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
