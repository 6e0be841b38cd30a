"""`python -m tests.servers.start COMMAND...`: make sure of the services in tests/services.toml, then run the tests.

Tests start and stop their own servers on loopback ports; this installs what they need and says what is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

SERVICES = Path(__file__).parent.parent / "services.toml"
NOTHING_COLLECTED = 5


def main(command: list[str]) -> int:
    """Return the exit status of the tests; 1 when a service is missing under CI."""
    missing = [service for service in listed() if not present(service)]
    for service in missing:
        print(f"service {service['name']}: not to be had ({', '.join(service['packages'])})", file=sys.stderr)
    status = subprocess.run(command, check=False).returncode
    if status == NOTHING_COLLECTED and not listed():
        print("no service is listed, so no test needs one", file=sys.stderr)
        return 0
    if missing and os.environ.get("CI") == "true":
        return status or 1
    return status


def listed() -> list[dict[str, Any]]:
    """Return the services the tests need."""
    return tomllib.loads(SERVICES.read_text(encoding="utf-8")).get("service", [])


def present(service: dict[str, Any]) -> bool:
    """Tell whether a service's command is on this machine, after trying to install it."""
    command = str(service["command"])
    if shutil.which(command) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        packages = [str(name) for name in service["packages"]]
        for action in (["update", "-q"], ["install", "-y", "-q", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", *action], check=False, capture_output=True)
    return shutil.which(command) is not None


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
