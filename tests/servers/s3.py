"""A real S3 server on a folder, read-only: top-level folders are buckets."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

KEY, SECRET = "AKTESTAKTEST", "s3-secret-7d41c0aa"


class S3Server:
    """Serves a folder on a free port of loopback, without `keys` to everybody. Folders must hold their files before it starts: it remembers
    listings."""

    def __init__(self, folder: Path, *, keys: bool = True) -> None:
        self._folder = folder
        self._login = ["--auth-key", f"{KEY},{SECRET}"] if keys else []

    def __enter__(self) -> Self:
        self.port = free_port()
        program = Path(sys.executable).parent / "rclone"
        self._process = subprocess.Popen(
            [
                program,
                "serve",
                "s3",
                "--read-only",
                "--addr",
                f"127.0.0.1:{self.port}",
                *self._login,
                str(self._folder),
            ],
            env={"PATH": os.environ["PATH"], "HOME": str(self._folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(self.port, self._process)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def environment(self, port: int | None = None) -> dict[str, str]:
        """Return the variables with which S3 clients find the server, or a proxy before it."""
        return {
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port or self.port}",
        }


def free_port() -> int:
    """Return a port of loopback that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until something listens at a port. Raises RuntimeError when the process ends first or nothing comes."""
    for _ in range(400):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    process.kill()
    raise RuntimeError("the server never listened")
