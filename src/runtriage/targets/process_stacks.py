"""Python stacks of running processes, through py-spy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

MISSING: Final = "py-spy is not installed: pip install 'runtriage[proc]'"
_PATIENCE: Final = 20.0
_TELLING: Final = (
    ("permission denied", "the right to trace it is missing (CAP_SYS_PTRACE, or run as its user with ptrace allowed)"),
    ("operation not permitted", "the right to trace it is missing (CAP_SYS_PTRACE, or kernel.yama.ptrace_scope=0)"),
    ("failed to find python version", "it is no Python program that py-spy knows"),
    ("no such process", "it is gone"),
)


def dump(pid: int) -> tuple[bytes, str | None]:
    """Return the stacks of a process as py-spy's JSON, or nothing and the reason."""
    program = _program()
    if program is None:
        return b"", MISSING
    try:
        done = subprocess.run(
            [program, "dump", "--json", "--nonblocking", "--pid", str(pid)],
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return b"", f"py-spy gave no answer ({type(error).__name__})"
    if done.returncode == 0 and done.stdout.lstrip().startswith(b"["):
        return done.stdout, None
    return b"", _reason(done.stderr)


def _program() -> str | None:
    beside = Path(sys.executable).parent / "py-spy"
    return str(beside) if os.access(beside, os.X_OK) else shutil.which("py-spy")


def _reason(errors: bytes) -> str:
    text = errors.decode("utf-8", "replace").lower()
    known = next((reason for word, reason in _TELLING if word in text), None)
    return known or "py-spy could not read its stacks"
