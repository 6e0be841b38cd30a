"""Tokens that container tools keep instead of a password: exchanged at a token server, or taken by the registry itself."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import inside
from tests.servers.kube_server import KubeServer
from tests.servers.registry import IDENTITY, PASSWORD, USER, TokenServer, passwords, push, registry
from tests.servers.workflow_proxy import Proxy

pytestmark = pytest.mark.server
SCOPE = "repository:demo/oci:pull"


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("registry")
    with registry(folder) as port:
        push(port, "demo/oci", "v1")
        push(port, "demo/other", "v1")
    return folder


@pytest.fixture
def tokens(tmp_path: Path) -> Iterator[TokenServer]:
    with TokenServer(tmp_path, granted=("demo/oci",)) as server:
        yield server


@pytest.fixture
def host(images: Path, tokens: TokenServer) -> Iterator[str]:
    with registry(images, tokens.auth) as port:
        yield f"127.0.0.1:{port}"


def check(folder: Path, image: str, entry: dict[str, str], *more: str) -> tuple[int, dict[str, Any]]:
    """Check an image with this entry of the container tools; nothing of it is printed."""
    (folder / ".docker").mkdir(exist_ok=True)
    config = {"auths": {image.partition("/")[0]: entry}} if entry else {}
    (folder / ".docker/config.json").write_text(json.dumps(config), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        done = inside("registry", "check", image, *more, "--json", cwd=folder)
    assert not any(secret and secret in done.stdout + done.stderr for secret in (IDENTITY, PASSWORD, *entry.values()))
    return done.returncode, json.loads(done.stdout)


def kept(token: str = IDENTITY) -> dict[str, str]:
    """Return an entry as a login by the browser leaves it."""
    return {"auth": base64.b64encode(b"<token>:").decode(), "identitytoken": token}


def test_an_identity_token_is_exchanged_for_one_that_pulls(tmp_path: Path, host: str, tokens: TokenServer) -> None:
    code, found = check(tmp_path, f"{host}/demo/oci:v1", kept())
    assert (code, found["status"], found["authority"], found["layers"]) == (0, "ok", "operator", 1)
    assert tokens.asked == [SCOPE]


@pytest.mark.parametrize(
    ("image", "token", "status", "http_status"),
    [
        ("demo/oci:v1", "old", "unauthorized", 401),
        ("demo/oci:nope", IDENTITY, "not_found", 404),
        ("demo/other:v1", IDENTITY, "forbidden", 401),
    ],
)
def test_each_answer_to_an_identity_token_is_one_diagnosis(
    tmp_path: Path, host: str, image: str, token: str, status: str, http_status: int
) -> None:
    code, found = check(tmp_path, f"{host}/{image}", kept(token))
    assert (code, found["status"], found["http_status"]) == (1, status, http_status)


def test_a_server_that_exchanges_nothing_refuses_the_token(tmp_path: Path, host: str, tokens: TokenServer) -> None:
    tokens.exchanges = False
    code, found = check(tmp_path, f"{host}/demo/oci:v1", kept())
    assert (code, found["status"], found["http_status"]) == (1, "unauthorized", 405)


def test_an_identity_token_is_not_sent_on_to_where_a_server_points(
    tmp_path: Path, host: str, tokens: TokenServer
) -> None:
    with Proxy(1) as other:
        tokens.elsewhere = f"{other.url}/token"
        code, found = check(tmp_path, f"{host}/demo/oci:v1", kept())
        assert other.requests == []
    assert (code, found["status"]) == (4, "error")


def test_an_identity_token_is_no_password(tmp_path: Path, images: Path) -> None:
    with registry(images, passwords(tmp_path)) as port, Proxy(port) as proxy:
        code, found = check(tmp_path, f"127.0.0.1:{proxy.own_port}/demo/oci:v1", kept())
        assert not any("authorization" in {name.lower() for name in headers} for _, _, headers in proxy.requests)
    assert (code, found["status"]) == (1, "unauthorized")
    assert "is an identity token" in found["detail"]


def test_a_token_for_the_registry_itself_is_sent_as_it_is(tmp_path: Path, host: str, tokens: TokenServer) -> None:
    good = check(tmp_path, f"{host}/demo/oci:v1", {"registrytoken": tokens.sign(USER, SCOPE)})
    bad = check(tmp_path, f"{host}/demo/oci:v1", {"registrytoken": "no-such-token"})
    assert (good[0], good[1]["status"]) == (0, "ok")
    assert (bad[0], bad[1]["status"]) == (1, "unauthorized")
    assert tokens.asked == []


def test_a_helper_may_keep_an_identity_token(tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "docker-credential-lab"
    answer = json.dumps({"Username": "<token>", "Secret": IDENTITY})
    program.write_text(f"#!/bin/sh\necho '{answer}'\n", "utf-8")
    program.chmod(0o755)
    (tmp_path / ".docker").mkdir()
    (tmp_path / ".docker/config.json").write_text('{"credsStore": "lab"}', "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    done = inside("registry", "check", f"{host}/demo/oci:v1", "--json", cwd=tmp_path)
    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "ok")
    assert IDENTITY not in done.stdout + done.stderr


def test_a_pull_secret_may_hold_an_identity_token(tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = base64.b64encode(json.dumps({"auths": {host: kept()}}).encode()).decode()
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "regcred", "namespace": "ml"},
        "type": "kubernetes.io/dockerconfigjson",
        "data": {".dockerconfigjson": config},
    }
    with KubeServer(objects=[secret]) as cluster:
        monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig(tmp_path)))
        code, found = check(tmp_path, f"{host}/demo/oci:v1", {}, "--pull-secret", "ml/regcred")
    assert (code, found["status"], found["target_status"]) == (0, "ok", "verified_pull_secret")
