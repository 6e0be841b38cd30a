"""Runs one program under its limits and returns what it left behind."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from zoo.confine import remove_cgroups, wrap
from zoo.layout import DESCRIPTIONS, SERVICES, Program, ZooError
from zoo.processes import TOKEN, choose, end_all, processes

STDERR = "stderr.log"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run left: exit code as a shell shows it (None when ended by us), and its files."""

    exit_code: int | None
    files: dict[str, bytes]


def execute(program: Program, venv: Path, workdir: Path) -> Ran:
    """Run ``program`` in the empty folder ``workdir``; the log and the kept files come back."""
    _fill(program, workdir)
    token = secrets.token_hex(8)
    env = _environment(program, venv, token)
    if program.setup:
        subprocess.run(["bash", "-ec", program.setup], cwd=workdir, env=env, check=True, capture_output=True)
    outside = Path(f"{workdir}.out")
    outside.mkdir()
    before = _kernel_lines() if program.kernel_log else []
    try:
        with _service(program.service, Path(f"{workdir}.service"), env):
            code = _run(program, workdir, outside, env, token)
        files = _collect(program, workdir, outside)
        if program.kernel_log:
            files["dmesg.txt"] = b"".join(_kernel_lines()[len(before) :])
        return Ran(code, files)
    finally:
        end_all(token)
        remove_cgroups(program.limits, f"zoo-{token}")
        shutil.rmtree(outside)


def _fill(program: Program, workdir: Path) -> None:
    for path in sorted(program.folder.iterdir()):
        if path.name in DESCRIPTIONS or path.name == "__pycache__":
            continue
        name = program.script if path.name == "program.py" else path.name
        if path.is_dir():
            shutil.copytree(path, workdir / name)
        else:
            shutil.copy(path, workdir / name)


def _environment(program: Program, venv: Path, token: str) -> dict[str, str]:
    env = {
        "PATH": f"{venv}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": "/home/ml",
        "USER": "ml",
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        TOKEN: token,
    }
    env.update(program.env)
    return {name: value for name, value in env.items() if value}


def _run(program: Program, workdir: Path, outside: Path, env: dict[str, str], token: str) -> int | None:
    argv = wrap(program.command, program.limits, workdir, f"zoo-{token}")
    separate = program.streams == "separate"
    with (outside / program.log).open("wb") as out, (outside / STDERR).open("wb") as err:
        process = subprocess.Popen(
            argv,
            cwd=workdir,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err if separate else subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = _wait(program, process, outside, token)
        finally:
            end_all(token)
            process.wait()
    if not separate:
        (outside / STDERR).unlink()
    return code


def _wait(program: Program, process: subprocess.Popen[bytes], outside: Path, token: str) -> int | None:
    deadline = time.monotonic() + program.timeout
    unsent = program.signal
    while process.poll() is None:
        if time.monotonic() > deadline:
            if program.ends == "timeout":
                return None
            raise ZooError(f"{program.name} still ran after {program.timeout:g} s")
        if unsent is not None and _seen(outside, unsent.after):
            time.sleep(unsent.delay)
            for pid in choose(processes(token), unsent.to):
                os.kill(pid, signal.Signals[unsent.name])
            unsent = None
        time.sleep(0.02)
    if program.ends == "timeout":
        raise ZooError(f"{program.name} ended by itself; it was to hang")
    code = process.returncode
    return 128 - code if code < 0 else code


@contextmanager
def _service(name: str, folder: Path, env: dict[str, str]) -> Generator[None]:
    if not name:
        yield
        return
    script = str(SERVICES / f"{name}.sh")
    subprocess.run(["bash", script, "start", str(folder)], check=True, capture_output=True)
    env["SLURM_CONF"] = str(folder / "slurm.conf")
    try:
        yield
    finally:
        subprocess.run(["bash", script, "stop", str(folder)], check=True, capture_output=True)


def _kernel_lines() -> list[bytes]:
    return subprocess.run(["dmesg"], check=True, capture_output=True).stdout.splitlines(keepends=True)


def _seen(outside: Path, pattern: str) -> bool:
    wanted = re.compile(pattern.encode(), re.MULTILINE)
    return any(wanted.search(path.read_bytes()) for path in outside.iterdir())


def _collect(program: Program, workdir: Path, outside: Path) -> dict[str, bytes]:
    files = {path.name: path.read_bytes() for path in sorted(outside.iterdir())}
    for pattern in program.keep:
        matches = [path for path in sorted(workdir.glob(pattern)) if path.is_file()]
        if not matches:
            raise ZooError(f"nothing to keep matches {pattern}")
        files.update({str(path.relative_to(workdir)): path.read_bytes() for path in matches})
    return files
