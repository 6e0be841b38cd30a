"""Runs code without the rights of root, who may read everything: as root, tests about rights prove nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def open_folder() -> Iterator[Path]:
    """Give a folder that other users may enter, which a test's own temporary folder is not."""
    folder = Path(tempfile.mkdtemp(prefix="runtriage-test-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for path in folder.rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(folder)


def run(arguments: list[str], *, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run this interpreter with the arguments; as root without the capabilities that override the rights of files."""
    dropped = [
        "setpriv",
        "--bounding-set",
        "-dac_override,-dac_read_search",
        "--inh-caps",
        "-dac_override,-dac_read_search",
    ]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "PYTHONDONTWRITEBYTECODE": "1",
        "RUNTRIAGE_HISTORY": "off",
        **(env or {}),
    }
    return subprocess.run(
        [*(dropped if os.geteuid() == 0 else []), sys.executable, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def prove_denied(path: Path) -> None:
    """Fail unless a plain read of the path is denied to that user."""
    plain = run(
        ["-c", f"import os; p={str(path)!r}; os.listdir(p) if os.path.isdir(p) else open(p).read()"], cwd=Path("/")
    )
    assert plain.returncode != 0
    assert "PermissionError" in plain.stderr
