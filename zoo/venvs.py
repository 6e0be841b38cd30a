"""Makes the Python environments the programs run in."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from zoo.layout import REQUIREMENTS, ZooError, venvs_folder


def ensure_venv(name: str) -> Path:
    """The folder of environment ``name``, made or refreshed when its requirements changed."""
    wanted = REQUIREMENTS / f"{name}.txt"
    if not wanted.is_file():
        raise ZooError(f"no requirements file for environment {name}: {wanted}")
    folder = venvs_folder() / name
    stamp = folder / "requirements.sha256"
    digest = hashlib.sha256(wanted.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="ascii") == digest:
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    if not (folder / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", str(wanted)], check=True)
    stamp.write_text(digest, encoding="ascii")
    return folder


def base_prefix(venv: Path) -> str:
    """Where the interpreter behind the environment keeps its standard library."""
    command = [str(venv / "bin" / "python"), "-c", "import sys; print(sys.base_prefix)"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
