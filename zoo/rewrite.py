"""Takes the recording machine out of recorded text: its paths, its name and its kernel's."""

from __future__ import annotations

import platform
import re
import socket
from collections.abc import Sequence
from pathlib import Path

PROJECT = "/home/ml/project"
VENV = "/opt/venv"
PYTHON = "/usr/local"
NODE = "node-01"
KERNEL = "6.8.0-generic"


def replacements(workdir: Path, venv: Path, base_prefix: str) -> list[tuple[bytes, bytes]]:
    """What is replaced by what, most specific first."""
    pairs = [(str(workdir), PROJECT), (str(venv), VENV), (base_prefix, PYTHON), (platform.release(), KERNEL)]
    return [(old.encode(), new.encode()) for old, new in pairs if len(old) > len("/usr")]


def rewrite(text: bytes, pairs: Sequence[tuple[bytes, bytes]], host: str | None = None) -> bytes:
    """``text`` with every pair applied and the host's name replaced as a whole word."""
    for old, new in pairs:
        text = text.replace(old, new)
    name = socket.gethostname() if host is None else host
    if name and name != "localhost":
        text = re.sub(rb"(?<![\w.-])" + re.escape(name.encode()) + rb"(?![\w-])", NODE.encode(), text)
    return text
