"""A Postgres server of the tests' own, on a loopback port, in a folder that goes with it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """Return the folder of the server's programs, None where it is not installed."""
    named = shutil.which("initdb")
    if named:
        return Path(named).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@contextmanager
def running() -> Generator[str]:
    """Start a server with an empty database; yields its URL."""
    bin = programs()
    assert bin is not None
    folder = Path(tempfile.mkdtemp(prefix="runtriage-postgres-"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    try:
        _as_owner([bin / "initdb", "-D", folder / "data", "-A", "trust", "-U", "tester", "--no-sync"])
        flags = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off"
        _as_owner([bin / "pg_ctl", "-D", folder / "data", "-l", folder / "log", "-o", flags, "-w", "start"])
        try:
            yield f"postgresql://tester@127.0.0.1:{port}/postgres"
        finally:
            _as_owner([bin / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_owner(command: list[Path | str]) -> None:
    """Run a command as a user that is not root, whom the server refuses."""
    before = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*before, *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr.decode()
