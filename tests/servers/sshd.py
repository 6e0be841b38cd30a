"""A real sshd on loopback with its own keys, and an ssh command that knows them."""

from __future__ import annotations

import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Sshd:
    """The running server: `address` begins a target, `command` is the ssh command that may log in, `process` the server."""

    address: str
    command: str
    process: subprocess.Popen[bytes]
    folder: Path


def _free() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@contextmanager
def sshd(folder: Path) -> Generator[Sshd]:
    """Run the server for as long as the `with` lasts; all it writes lies in `folder`."""
    binary = shutil.which("sshd", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    assert binary is not None
    Path("/run/sshd").mkdir(exist_ok=True)
    port = _free()
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    shutil.copy(folder / "user.pub", folder / "authorized")
    host = (folder / "host.pub").read_text().split()
    (folder / "known").write_text(f"[127.0.0.1]:{port} {host[0]} {host[1]}\n")
    options = {
        "Port": port, "ListenAddress": "127.0.0.1", "HostKey": folder / "host", "AuthorizedKeysFile": folder / "authorized",
        "StrictModes": "no", "UsePAM": "no", "PidFile": "none", "PasswordAuthentication": "no",
    }  # fmt: skip
    process = subprocess.Popen(
        [binary, "-D", "-e", "-f", "/dev/null", *(f"-o{key}={value}" for key, value in options.items())],
        stderr=subprocess.DEVNULL,
    )
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    command = f"ssh -F none -i {folder / 'user'} -oIdentitiesOnly=yes -oUserKnownHostsFile={folder / 'known'} -oGlobalKnownHostsFile=/dev/null"
    try:
        yield Sshd(f"ssh://{getpass.getuser()}@127.0.0.1:{port}", command, process, folder)
    finally:
        process.terminate()
        process.wait()
