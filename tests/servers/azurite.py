"""Azurite, the vendor's own emulator of Azure's storage, on a free port of loopback: `npm install -g azurite` brings it."""

from __future__ import annotations

import base64
import hmac
import http.client
import shutil
import subprocess
from email.utils import formatdate
from hashlib import sha256
from pathlib import Path
from typing import Self

from tests.servers.s3 import free_port, wait_for

PROGRAM = "azurite-blob"
ACCOUNT = "devstoreaccount1"
SECRET = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""The key that every installation of the emulator has."""
_VERSION = "2021-08-06"


class Azurite:
    """Serves what `put` gives it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Self:
        self.port = free_port()
        program = shutil.which(PROGRAM)
        assert program is not None
        command = [program, "--location", str(self._folder), "--blobPort", str(self.port), "--silent"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.port, self._process)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def environment(self, port: int | None = None) -> dict[str, str]:
        """Return the variables with which clients find the server, or a proxy before it."""
        return {
            "AZURE_STORAGE_ACCOUNT_NAME": ACCOUNT,
            "AZURE_STORAGE_ACCOUNT_KEY": SECRET,
            "AZURE_STORAGE_ENDPOINT": f"http://127.0.0.1:{port or self.port}/{ACCOUNT}",
        }

    def create(self, container: str) -> None:
        """Create a container."""
        self._sent(f"/{container}", b"", query={"restype": "container"})

    def put(self, key: str, content: bytes) -> None:
        """Write one object; `key` begins with its container."""
        self._sent(f"/{key}", content, {"x-ms-blob-type": "BlockBlob"})

    def _sent(
        self, path: str, content: bytes, more: dict[str, str] | None = None, query: dict[str, str] | None = None
    ) -> None:
        headers = {"x-ms-date": formatdate(usegmt=True), "x-ms-version": _VERSION, **(more or {})}
        named = "\n".join(f"{name}:{value}" for name, value in sorted(headers.items()))
        resource = f"/{ACCOUNT}/{ACCOUNT}{path}" + "".join(f"\n{name}:{value}" for name, value in (query or {}).items())
        text = "\n".join(["PUT", "", "", str(len(content) or ""), *[""] * 8]) + f"\n{named}\n{resource}"
        signed = base64.b64encode(hmac.new(base64.b64decode(SECRET), text.encode(), sha256).digest()).decode()
        asked = "&".join(f"{name}={value}" for name, value in (query or {}).items())
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(
            "PUT",
            f"/{ACCOUNT}{path}" + (f"?{asked}" if asked else ""),
            body=content,
            headers={**headers, "Authorization": f"SharedKey {ACCOUNT}:{signed}"},
        )
        assert connection.getresponse().status == 201
        connection.close()
