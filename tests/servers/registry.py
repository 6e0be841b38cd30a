"""Debian's image registry on loopback: open, behind a password file, or behind a token server; images are pushed while it is open."""

from __future__ import annotations

import base64
import http.client
import json
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from tests.servers.s3 import free_port, wait_for

USER, PASSWORD = "puller", "registry-secret-51ab90"
IDENTITY = "identity-secret-77c1e0"
OCI = "application/vnd.oci.image.manifest.v1+json"
OCI_INDEX = "application/vnd.oci.image.index.v1+json"
DOCKER = "application/vnd.docker.distribution.manifest.v2+json"


@contextmanager
def registry(folder: Path, auth: dict[str, Any] | None = None) -> Iterator[int]:
    """Serve the images in a folder and yield the port; with `auth` nothing can be pushed."""
    port = free_port()
    storage: dict[str, Any] = {"filesystem": {"rootdirectory": str(folder / "images")}}
    if auth:
        storage["maintenance"] = {"readonly": {"enabled": True}}
    config = {
        "version": 0.1,
        "log": {"level": "error", "accesslog": {"disabled": True}},
        "storage": storage,
        "http": {"addr": f"127.0.0.1:{port}"},
    }
    path = folder / f"registry-{port}.yml"
    path.write_text(json.dumps(config | ({"auth": auth} if auth else {})), "utf-8")
    with subprocess.Popen(
        ["docker-registry", "serve", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            wait_for(port, process)
            yield port
        finally:
            process.terminate()


def passwords(folder: Path) -> dict[str, Any]:
    """Return the settings of a password file with one user."""
    path = folder / "htpasswd"
    done = subprocess.run(["htpasswd", "-nbB", USER, PASSWORD], check=True, capture_output=True)
    path.write_bytes(done.stdout)
    return {"htpasswd": {"realm": "lab", "path": str(path)}}


def push(port: int, repository: str, tag: str, *, media: str = OCI, index: bool = False) -> str:
    """Push an image of one layer and return the digest of its manifest, or of the index that lists it."""
    config = _blob(port, repository, b'{"architecture":"amd64","os":"linux"}')
    layer = _blob(port, repository, b"layer of " + repository.encode())
    manifest = {
        "schemaVersion": 2,
        "mediaType": media,
        "config": config | {"mediaType": "application/vnd.oci.image.config.v1+json"},
        "layers": [layer | {"mediaType": "application/vnd.oci.image.layer.v1.tar"}],
    }
    if not index:
        return _manifest(port, repository, tag, manifest, media)
    content = json.dumps(manifest).encode()
    digest = _manifest(port, repository, f"sha256:{sha256(content).hexdigest()}", manifest, media)
    rows = [
        {
            "mediaType": media,
            "size": len(content),
            "digest": digest,
            "platform": {"os": "linux", "architecture": "amd64"},
        }
    ]
    return _manifest(port, repository, tag, {"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": rows}, OCI_INDEX)


def layer_file(folder: Path, repository: str) -> Path:
    """Return where the registry keeps the bytes of the layer of a pushed image."""
    name = sha256(b"layer of " + repository.encode()).hexdigest()
    return folder / "images/docker/registry/v2/blobs/sha256" / name[:2] / name / "data"


def _blob(port: int, repository: str, content: bytes) -> dict[str, Any]:
    digest = f"sha256:{sha256(content).hexdigest()}"
    place = _send(port, "POST", f"/v2/{repository}/blobs/uploads/", b"", {})
    parts = urlsplit(place)
    _send(
        port,
        "PUT",
        f"{parts.path}?{parts.query}&digest={digest}",
        content,
        {"Content-Type": "application/octet-stream"},
    )
    return {"size": len(content), "digest": digest}


def _manifest(port: int, repository: str, reference: str, manifest: dict[str, Any], media: str) -> str:
    content = json.dumps(manifest).encode()
    _send(port, "PUT", f"/v2/{repository}/manifests/{reference}", content, {"Content-Type": media})
    return f"sha256:{sha256(content).hexdigest()}"


def _send(port: int, method: str, path: str, body: bytes, headers: dict[str, str]) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    response.read()
    assert response.status in (201, 202), (method, path, response.status)
    connection.close()
    return response.getheader("Location") or ""


class TokenServer:
    """Signs tokens as a registry's token service does. Everybody gets one; only `USER` gets the right to pull, and only what `granted` lists.

    `IDENTITY` stands for `USER` where it is exchanged by POST; `exchanges` false is a server that knows no such question.
    """

    exchanges = True
    elsewhere = ""

    def __init__(self, folder: Path, granted: tuple[str, ...]) -> None:
        self._key, self._bundle = folder / "token.key", folder / "token.pem"
        self.granted = granted
        self.asked: list[str] = []
        command = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-subj",
            "/CN=lab",
            "-days",
            "2",
            "-keyout",
            str(self._key),
            "-out",
            str(self._bundle),
        ]
        subprocess.run(command, check=True, capture_output=True)

    def __enter__(self) -> TokenServer:
        handler = type("Handler", (_Tokens,), {"tokens": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def auth(self) -> dict[str, Any]:
        """The registry's settings for this server."""
        realm = f"http://127.0.0.1:{self._server.server_port}/token"
        return {"token": {"realm": realm, "service": "lab", "issuer": "lab", "rootcertbundle": str(self._bundle)}}

    def sign(self, user: str, scope: str) -> str:
        """Return a token for a user and what he asks for."""
        kind, _, rest = scope.partition(":")
        name, _, actions = rest.rpartition(":")
        allowed = kind == "repository" and user == USER and name in self.granted
        now = int(time.time())
        claims = {
            "iss": "lab",
            "sub": user,
            "aud": "lab",
            "exp": now + 300,
            "nbf": now - 10,
            "iat": now,
            "jti": f"{now}",
            "access": [{"type": "repository", "name": name, "actions": actions.split(",")}] if allowed else [],
        }
        lines = self._bundle.read_text("ascii").splitlines()
        certificate = "".join(line for line in lines if not line.startswith("-"))
        text = f"{_url64(json.dumps({'typ': 'JWT', 'alg': 'ES256', 'x5c': [certificate]}).encode())}.{_url64(json.dumps(claims).encode())}"
        signed = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", str(self._key)],
            input=text.encode(),
            check=True,
            capture_output=True,
        )
        return f"{text}.{_url64(_plain(signed.stdout))}"


class _Tokens(BaseHTTPRequestHandler):
    tokens: ClassVar[TokenServer]

    def do_GET(self) -> None:
        """Answer a question for a token."""
        query = parse_qs(urlsplit(self.path).query)
        given = self.headers.get("Authorization", "").removeprefix("Basic ")
        user, _, password = base64.b64decode(given).decode().partition(":")
        self.tokens.asked.append(query.get("scope", [""])[0])
        self._answer(bool(user) and password != PASSWORD, user, "token")

    def do_POST(self) -> None:
        """Exchange an identity token."""
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.tokens.asked.append(form.get("scope", [""])[0])
        if self.tokens.elsewhere:
            self.send_response(307)
            self.send_header("Location", self.tokens.elsewhere)
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.tokens.exchanges:
            right = (
                form.get("grant_type") == ["refresh_token"] and form.get("service") == ["lab"] and "client_id" in form
            )
            self._answer(not right or form.get("refresh_token") != [IDENTITY], USER, "access_token")
        else:
            self.send_error(405)

    def _answer(self, refused: bool, user: str, name: str) -> None:
        body = (
            b'{"errors":[{"code":"UNAUTHORIZED","message":"bad credentials"}]}'
            if refused
            else json.dumps({name: self.tokens.sign(user, self.tokens.asked[-1])}).encode()
        )
        self.send_response(401 if refused else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def _plain(der: bytes) -> bytes:
    """Return the two numbers of a signature as 64 bytes."""
    length = der[3]
    first, second = der[4 : 4 + length], der[6 + length :]
    return b"".join(number.lstrip(b"\0").rjust(32, b"\0") for number in (first, second))


def _url64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
