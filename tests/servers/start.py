"""`python -m tests.servers.start COMMAND...`: make sure of the services in tests/services.toml, then run the tests.

Tests start and stop their own servers on loopback ports; this installs what they need, says what is missing, and ends what tests that were cut off left running.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SERVICES = Path(__file__).parent.parent / "services.toml"
NOTHING_COLLECTED = 5
_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 20.0
"""Seconds for processes to be gone once they were ended."""


def main(command: list[str]) -> int:
    """Return the exit status of the tests; 1 when a service is missing under CI."""
    missing = [service for service in listed() if not present(service)]
    for service in missing:
        source = ", ".join(service["packages"]) or "make test-servers installs tests/servers/trackers.txt"
        print(f"service {service['name']}: not to be had ({source})", file=sys.stderr)
    status = run(command)
    if status == NOTHING_COLLECTED and not listed():
        print("no service is listed, so no test needs one", file=sys.stderr)
        return 0
    if missing and os.environ.get("CI") == "true":
        return status or 1
    return status


def run(command: list[str]) -> int:
    """Run the tests and return their exit status; whatever they started and left is ended, however they end."""
    if sys.platform == "linux" and ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError("descendants that lose their parent cannot be adopted")
    child = subprocess.Popen(command)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda told, _: child.send_signal(told))
    try:
        return child.wait()
    finally:
        end_descendants()


def end_descendants() -> None:
    """End every process below this one. Those whose parent is gone belong to this one, also in sessions of their own."""
    until = time.monotonic() + _PATIENCE
    while (found := list(descendants(os.getpid()))) and time.monotonic() < until:
        for process in found:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.05)


def descendants(root: int) -> Iterator[int]:
    """Yield the processes below one, as Linux tells; nothing elsewhere."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(entry.read_text(errors="replace").rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(entry.parent.name))
    below = children.get(root, [])
    while below:
        yield from below
        below = [child for process in below for child in children.get(process, [])]


def listed() -> list[dict[str, Any]]:
    """Return the services the tests need."""
    return tomllib.loads(SERVICES.read_text(encoding="utf-8")).get("service", [])


def present(service: dict[str, Any]) -> bool:
    """Tell whether a service's command is on this machine, after trying to install it."""
    command = str(service["command"])
    packages = [str(name) for name in service["packages"]]
    if packages and shutil.which(command) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        for action in (["update", "-q"], ["install", "-y", "-q", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", *action], check=False, capture_output=True)
    return shutil.which(command) is not None


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
