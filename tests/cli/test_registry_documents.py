"""What a registry delivers in place of an image: documents of another kind, and bytes that are not what their names promise."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_registry import check

pytestmark = pytest.mark.server
CONFIG, LAYER = b'{"os":"linux"}', b"layer"


def digest(content: bytes) -> str:
    return f"sha256:{sha256(content).hexdigest()}"


def described(content: bytes, **more: Any) -> dict[str, Any]:
    return {"digest": digest(content), "size": len(content), **more}


IMAGE = json.dumps({"schemaVersion": 2, "config": described(CONFIG), "layers": [described(LAYER)]}).encode()
NESTED = json.dumps({"manifests": [described(IMAGE)]}).encode()
SQUASHED = {"Content-Encoding": "gzip"}
MANIFESTS: dict[str, tuple[dict[str, str], bytes]] = {
    "squashed": (SQUASHED, gzip.compress(IMAGE)),
    "torn": (SQUASHED, b"not squashed"),
    "deep": ({}, b"[" * 200_000),
    "deeper": ({}, b'{"a":' * 200_000),
    "nothing": ({}, b"{}"),
    "none": ({}, b'{"manifests":[]}'),
    "elsewhere": ({}, b'{"manifests":[{"digest":"sha256:../../../other"}]}'),
    "index": ({}, json.dumps({"manifests": [described(NESTED)]}).encode()),
    "claimed": ({"Docker-Content-Digest": digest(b"")}, IMAGE),
}


class Documents(BaseHTTPRequestHandler):
    """Gives the manifest that a repository is named after, and blobs; a token only to whom keeps what the realm asks for."""

    def do_GET(self) -> None:
        name = (self.path + "//").split("/")[2]
        code, (headers, content) = 200, MANIFESTS.get(name, ({}, IMAGE))
        if self.path.startswith("/token"):
            content = b'{"token":"granted"}' if "account=lab&" in self.path else b"{}"
        elif name == "signed" and self.headers.get("Authorization") != "Bearer granted":
            realm = f"http://{self.headers['Host']}/token?account=lab"
            code, headers, content = 401, {"WWW-Authenticate": f'Bearer realm="{realm}"'}, b""
        elif name == "refused":
            code, content = 403, b"[" * 200_000
        else:
            held = {digest(each): each for each in (CONFIG, LAYER, IMAGE, NESTED)}
            if self.path.rpartition("/")[2] in held:
                headers, content = {}, held[self.path.rpartition("/")[2]]
            content += b"!" if "/blobs/" in self.path and name == ("other" if content == CONFIG else "long") else b""
        self.send_response(code)
        for header, value in (headers | {"Content-Length": str(len(content))}).items():
            self.send_header(header, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Documents)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", ["plain", "squashed", "index", "signed"])
def test_an_image_is_found_however_it_is_delivered(tmp_path: Path, host: str, name: str) -> None:
    code, found = check(tmp_path, None, f"{host}/{name}:v1")
    assert (code, found["status"], found["layers"]) == (0, "ok", 1)


@pytest.mark.parametrize(
    ("name", "status", "code", "said"),
    [
        ("torn", "unreachable", 4, "cannot be unpacked"),
        ("deep", "error", 4, "not a JSON document of an image"),
        ("deeper", "error", 4, "not a JSON document of an image"),
        ("nothing", "error", 4, "not a JSON document of an image"),
        ("none", "error", 4, "not a JSON document of an image"),
        ("elsewhere", "error", 4, "not a JSON document of an image"),
        ("claimed", "error", 4, "not have the digest the registry gives"),
        ("other", "error", 4, "do not have this digest"),
        ("long", "error", 4, "has 6 bytes, the manifest says 5"),
        ("refused", "forbidden", 1, "permission first"),
    ],
)
def test_what_is_no_image_or_not_the_one_that_was_named_is_never_ok(
    tmp_path: Path, host: str, name: str, status: str, code: int, said: str
) -> None:
    done, found = check(tmp_path, None, f"{host}/{name}:v1")
    assert (done, found["status"]) == (code, status)
    assert said in found["detail"]
