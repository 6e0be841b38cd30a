"""`runtriage registry check` against Debian's registry: open, behind passwords, behind tokens, and behind a proxy that refuses."""

from __future__ import annotations

import base64
import json
import ssl
import subprocess
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import inside
from tests.servers.kube_server import KubeServer
from tests.servers.registry import (
    DOCKER,
    PASSWORD,
    USER,
    TokenServer,
    layer_file,
    passwords,
    push,
    registry,
)
from tests.servers.s3 import free_port
from tests.servers.workflow_proxy import Proxy

pytestmark = pytest.mark.server
DENIED = b'{"errors":[{"code":"DENIED","message":"requested access to the resource is denied"}]}'


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pushed images, one of which lacks a layer."""
    folder = tmp_path_factory.mktemp("registry")
    with registry(folder) as port:
        push(port, "demo/oci", "v1")
        push(port, "demo/docker", "v1", media=DOCKER)
        push(port, "demo/index", "v1", index=True)
        push(port, "demo/torn", "v1")
    layer_file(folder, "demo/torn").unlink()
    return folder


@pytest.fixture(scope="module")
def behind_passwords(images: Path) -> Iterator[int]:
    with registry(images, passwords(images)) as port:
        yield port


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TokenServer]:
    with TokenServer(tmp_path_factory.mktemp("tokens"), granted=("demo/oci",)) as server:
        yield server


@pytest.fixture(scope="module")
def behind_tokens(images: Path, tokens: TokenServer) -> Iterator[int]:
    with registry(images, tokens.auth) as port:
        yield port


def check(
    folder: Path, proxy: Proxy | None, image: str, *more: str, password: str | None = PASSWORD
) -> tuple[int, dict[str, Any]]:
    """Check an image and return exit code and document; no secret is printed and nothing but reads is sent."""
    sign_in = ["--user", USER, "--password-env", "SECRET"] if password else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("SECRET", password or "")
        done = inside("registry", "check", image, *sign_in, *more, "--json", cwd=folder)
    assert PASSWORD not in done.stdout + done.stderr
    assert base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode() not in done.stdout + done.stderr
    assert proxy is None or proxy.writes == []
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("name", ["oci", "docker", "index"])
def test_an_image_of_any_kind_that_can_be_pulled_is_ok(tmp_path: Path, behind_passwords: int, name: str) -> None:
    with Proxy(behind_passwords) as proxy:
        code, found = check(tmp_path, proxy, f"127.0.0.1:{proxy.own_port}/demo/{name}:v1")
        assert (code, found["status"], found["layers"]) == (0, "ok", 1)
        assert found["target_status"] == "satisfied_by_operator_credential"
        assert not any("tags/list" in path for _, path, _ in proxy.requests)


@pytest.mark.parametrize(
    ("tag", "password", "status", "code"),
    [
        ("v1", "wrong", "unauthorized", 1),
        ("v1", None, "no_credentials", 1),
        ("nope", PASSWORD, "not_found", 1),
    ],
)
def test_each_answer_of_a_password_registry_is_one_diagnosis(
    tmp_path: Path, behind_passwords: int, tag: str, password: str | None, status: str, code: int
) -> None:
    found = check(tmp_path, None, f"127.0.0.1:{behind_passwords}/demo/oci:{tag}", password=password)
    assert (found[0], found[1]["status"]) == (code, status)


def test_a_layer_that_is_gone_is_found_out(tmp_path: Path, behind_passwords: int) -> None:
    code, found = check(tmp_path, None, f"127.0.0.1:{behind_passwords}/demo/torn:v1")
    assert (code, found["status"], found["http_status"]) == (1, "not_found", 404)
    assert "layer" in found["detail"]


@pytest.mark.parametrize(
    ("image", "password", "status", "http_status"),
    [
        ("demo/oci:v1", PASSWORD, "ok", 200),
        ("demo/docker:v1", PASSWORD, "forbidden", 401),
        ("demo/oci:nope", PASSWORD, "not_found", 404),
        ("demo/oci:v1", "wrong", "unauthorized", 401),
        ("demo/oci:v1", None, "no_credentials", 401),
    ],
)
def test_each_answer_of_a_token_registry_is_one_diagnosis(
    tmp_path: Path,
    behind_tokens: int,
    tokens: TokenServer,
    image: str,
    password: str | None,
    status: str,
    http_status: int,
) -> None:
    _, found = check(tmp_path, None, f"127.0.0.1:{behind_tokens}/{image}", password=password)
    assert (found["status"], found["http_status"]) == (status, http_status)
    assert tokens.asked[-1] == f"repository:{image.partition(':')[0]}:pull"


def test_refused_manifests_are_a_matter_of_rights_although_tags_are_listed(
    tmp_path: Path, behind_passwords: int
) -> None:
    with Proxy(behind_passwords, denied=("/manifests/",), denial=DENIED) as proxy:
        code, found = check(tmp_path, proxy, f"127.0.0.1:{proxy.own_port}/demo/oci:nope")
    assert (code, found["status"], found["http_status"]) == (1, "forbidden", 403)
    assert "whether the image exists is not known" in found["detail"]


def test_refused_blobs_are_found_out_behind_a_manifest_that_is_given(tmp_path: Path, behind_passwords: int) -> None:
    with Proxy(behind_passwords, denied=("/blobs/",), denial=DENIED) as proxy:
        _, found = check(tmp_path, proxy, f"127.0.0.1:{proxy.own_port}/demo/oci:v1")
    assert found["status"] == "forbidden"
    assert "manifest may be read" in found["detail"]


def test_a_redirect_to_another_host_takes_no_password_along(
    tmp_path: Path, behind_passwords: int, images: Path
) -> None:
    with registry(images) as open_port, Proxy(open_port) as elsewhere:
        target = f"{elsewhere.url}/v2/demo/oci/blobs/"
        with Proxy(behind_passwords) as first:
            digest = check(tmp_path, None, f"127.0.0.1:{first.own_port}/demo/oci:v1")[1]["digest"]
            paths = [path for method, path, _ in first.requests if "/blobs/" in path]
            first.redirected = {path: target + path.rpartition("/")[2] for path in paths}
            code, found = check(tmp_path, first, f"127.0.0.1:{first.own_port}/demo/oci@{digest}")
    assert (code, found["status"]) == (0, "ok")
    assert len(elsewhere.requests) == 2
    assert all(
        "Authorization" not in headers and "authorization" not in headers for _, _, headers in elsewhere.requests
    )


def test_nobody_at_the_address_says_nothing_about_rights(tmp_path: Path) -> None:
    code, found = check(tmp_path, None, f"127.0.0.1:{free_port()}/demo/oci:v1")
    assert (code, found["status"], found["http_status"]) == (4, "unreachable", None)


@pytest.mark.parametrize(
    "image",
    [
        "train:latest",
        "org/train",
        "127.0.0.1:5000/Upper/Case:v1",
        "127.0.0.1:5000/a@sha256:12",
        "127.0.0.1:5000/a:",
        "127.0.0.1:5000/a@",
    ],
)
def test_what_names_no_registry_is_no_reference(tmp_path: Path, image: str) -> None:
    code, found = check(tmp_path, None, image)
    assert (code, found["status"]) == (2, "invalid")


def test_the_credential_of_container_tools_is_used_for_its_own_host_only(tmp_path: Path, behind_passwords: int) -> None:
    host = f"127.0.0.1:{behind_passwords}"
    auth = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    (tmp_path / ".docker").mkdir()
    (tmp_path / ".docker/config.json").write_text(json.dumps({"auths": {host: {"auth": auth}}}), "utf-8")
    assert check(tmp_path, None, f"{host}/demo/oci:v1", password=None)[1]["authority"] == "operator"
    with Proxy(behind_passwords) as other:
        _, found = check(tmp_path, other, f"127.0.0.1:{other.own_port}/demo/oci:v1", password=None)
    assert (found["status"], found["authority"]) == ("no_credentials", "none")


def secret(
    host: str, *, kind: str = "kubernetes.io/dockerconfigjson", entry: dict[str, str] | None = None
) -> dict[str, Any]:
    held = entry if entry is not None else {"username": USER, "password": PASSWORD}
    config = base64.b64encode(json.dumps({"auths": {f"https://{host}": held}}).encode()).decode()
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "regcred", "namespace": "ml"},
        "type": kind,
        "data": {".dockerconfigjson": config},
    }


def test_a_named_pull_secret_is_proven_by_pulling_with_it(
    tmp_path: Path, behind_passwords: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = f"127.0.0.1:{behind_passwords}"
    with KubeServer(objects=[secret(host)]) as cluster:
        monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig(tmp_path)))
        code, found = check(tmp_path, None, f"{host}/demo/oci:v1", "--pull-secret", "ml/regcred", password=None)
        assert cluster.writes == []
    assert (code, found["status"], found["target_status"]) == (0, "ok", "verified_pull_secret")
    assert found["authority"] == "kubernetes_image_pull_secret"


def test_no_secret_is_read_unless_it_is_named(
    tmp_path: Path, behind_passwords: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with KubeServer(objects=[secret(f"127.0.0.1:{behind_passwords}")]) as cluster:
        monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig(tmp_path)))
        check(tmp_path, None, f"127.0.0.1:{behind_passwords}/demo/oci:v1")
        assert cluster.requests == []


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ([], "there is no secret"),
        ([secret("registry.example")], "no usable credential for"),
        ([secret("127.0.0.1:5000", entry={})], "no usable credential for"),
        ([secret("127.0.0.1:5000", kind="Opaque")], "of type Opaque"),
    ],
)
def test_a_secret_that_cannot_serve_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: list[dict[str, Any]], said: str
) -> None:
    with KubeServer(objects=held) as cluster:
        monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig(tmp_path)))
        code, found = check(tmp_path, None, "127.0.0.1:5000/demo/oci:v1", "--pull-secret", "ml/regcred", password=None)
    assert (code, found["status"]) == (4, "target_pull_unverified")
    assert said in found["detail"]


def test_a_secret_that_may_not_be_read_is_not_a_missing_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with KubeServer(objects=[], denied=["/secrets"]) as cluster:
        monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig(tmp_path)))
        _, found = check(tmp_path, None, "127.0.0.1:5000/demo/oci:v1", "--pull-secret", "ml/regcred", password=None)
    assert "KUBERNETES_RBAC" in found["detail"]
    assert "does not say whether it exists" in found["detail"]


def test_a_project_names_the_registry_of_its_images(
    tmp_path: Path, behind_passwords: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[projects.lab]\nregistry = "127.0.0.1:{behind_passwords}"\n', "utf-8")
    monkeypatch.setenv("RUNTRIAGE_CONFIG", str(config))
    code, found = check(tmp_path, None, "demo/oci:v1", "--project", "lab")
    assert (code, found["image"]) == (0, f"127.0.0.1:{behind_passwords}/demo/oci:v1")


class Odd(BaseHTTPRequestHandler):
    """A registry that answers in ways no registry should."""

    def do_GET(self) -> None:
        answers: dict[str, tuple[int, dict[str, str], bytes]] = {
            "busy": (429, {"Retry-After": "37"}, b'{"errors":[{"code":"TOOMANYREQUESTS","message":"slow down"}]}'),
            "html": (200, {}, b"<html>"),
            "list": (200, {}, b"[]"),
            "long": (200, {}, b" " * (5 << 20)),
            "down": (503, {}, b""),
            "loop": (302, {"Location": self.path}, b""),
            "away": (302, {"Location": "ftp://elsewhere/"}, b""),
            "file": (401, {"WWW-Authenticate": 'Bearer realm="file:///etc/passwd"'}, b""),
            "odd": (401, {"WWW-Authenticate": "Negotiate"}, b""),
        }
        code, headers, content = answers[self.path.split("/")[2]]
        self.send_response(code)
        for name, value in (headers | {"Content-Length": str(len(content))}).items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def odd(certificate: Path | None = None) -> Generator[int]:
    """Serve such a registry, over TLS with a certificate of its own where there is one, and yield its port."""
    server = ThreadingHTTPServer(("", 0), Odd)
    server.daemon_threads = True
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("name", "status", "code", "said"),
    [
        ("busy", "rate_limited", 4, "slow down (again after 37 s)"),
        ("html", "error", 4, "not a JSON document"),
        ("list", "error", 4, "not a JSON document"),
        ("long", "error", 4, "longer than 4 MiB"),
        ("down", "error", 4, "503"),
        ("loop", "error", 4, "redirects lead nowhere"),
        ("away", "error", 4, "redirects lead nowhere"),
        ("file", "error", 4, "no realm that can be asked safely"),
        ("odd", "no_credentials", 1, "sign in by negotiate"),
    ],
)
def test_a_registry_that_misbehaves_is_told_in_one_line(
    tmp_path: Path, name: str, status: str, code: int, said: str
) -> None:
    with odd() as port:
        done, found = check(tmp_path, None, f"127.0.0.1:{port}/{name}:v1", password=None)
    assert (done, found["status"]) == (code, status)
    assert said in found["detail"]


def test_a_certificate_that_is_not_trusted_and_a_server_without_tls_are_named(tmp_path: Path) -> None:
    file = tmp_path / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj"]
    rest = ["/CN=lab", "-addext", "subjectAltName=IP:0.0.0.0", "-keyout", str(file), "-out", str(tmp_path / "cert.pem")]
    subprocess.run([*command, *rest], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + (tmp_path / "cert.pem").read_bytes())
    with odd(file) as safe, odd() as plain:
        code, unknown = check(tmp_path, None, f"0.0.0.0:{safe}/busy:v1", password=None)
        clear = check(tmp_path, None, f"0.0.0.0:{plain}/busy:v1", password=None)[1]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
            known = check(tmp_path, None, f"0.0.0.0:{safe}/busy:v1", password=None)[1]
    assert (code, unknown["status"], clear["status"]) == (4, "unreachable", "unreachable")
    assert "certificate that is not trusted" in unknown["detail"]
    assert "does not speak TLS" in clear["detail"]
    assert known["status"] == "rate_limited"
