"""Credentials that a helper of the container tools keeps, against Debian's registry behind a password file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import inside
from tests.servers.registry import PASSWORD, USER, passwords, push, registry

pytestmark = pytest.mark.server
ANSWER = json.dumps({"ServerURL": "x", "Username": USER, "Secret": PASSWORD})


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("registry")
    with registry(folder) as port:
        push(port, "demo/oci", "v1")
    with registry(folder, passwords(folder)) as port:
        yield f"127.0.0.1:{port}"


def helper(folder: Path, name: str, answer: str, code: int = 0) -> None:
    """Write a helper that notes what it is asked."""
    (folder / "answer").write_text(answer, "utf-8")
    program = folder / f"docker-credential-{name}"
    program.write_text(
        f'#!/bin/sh\necho "$* $(cat)" >> "{folder}/asked"\ncat "{folder}/answer"\nexit {code}\n', "utf-8"
    )
    program.chmod(0o755)


def check(folder: Path, host: str, config: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Check an image with this configuration and return exit code and document; the secret is never printed."""
    (folder / ".docker").mkdir()
    (folder / ".docker/config.json").write_text(json.dumps(config), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        done = inside("registry", "check", f"{host}/demo/oci:v1", "--json", cwd=folder)
        shown = inside("registry", "check", f"{host}/demo/oci:v1", cwd=folder)
    assert not any(PASSWORD in text for text in (done.stdout, done.stderr, shown.stdout, shown.stderr))
    return done.returncode, json.loads(done.stdout) | {"shown": shown.stdout}


@pytest.mark.parametrize("store", [True, False])
def test_a_helper_is_asked_for_the_credential_of_this_host_alone(tmp_path: Path, host: str, store: bool) -> None:
    helper(tmp_path, "lab", ANSWER)
    config = {"credsStore": "lab"} if store else {"credsStore": "other", "credHelpers": {host: "lab", "x.test": "y"}}
    code, found = check(tmp_path, host, config)
    assert (code, found["status"], found["authority"]) == (0, "ok", "operator")
    assert set((tmp_path / "asked").read_text("utf-8").splitlines()) == {f"get {host}"}


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        ("credentials not found in native keychain", 1, "holds no credential"),
        ("{}", 0, "gave no user and secret"),
        (json.dumps({"Username": USER, "Secret": ""}), 0, "empty secret"),
    ],
)
def test_a_helper_without_a_credential_is_named_and_no_wrong_password_is_claimed(
    tmp_path: Path, host: str, answer: str, code: int, said: str
) -> None:
    helper(tmp_path, "lab", answer, code)
    _, found = check(tmp_path, host, {"credsStore": "lab"})
    assert (found["status"], found["authority"]) == ("no_credentials", "none")
    assert said in found["credential_note"]
    assert said in found["shown"]


@pytest.mark.parametrize("name", ["absent", "../lab", "lab;id"])
def test_a_helper_that_is_not_there_is_never_looked_for_elsewhere(tmp_path: Path, host: str, name: str) -> None:
    helper(tmp_path, "lab", ANSWER)
    _, found = check(tmp_path, host, {"credsStore": name})
    assert found["status"] == "no_credentials"
    assert "is not installed" in found["credential_note"]
    assert not (tmp_path / "asked").exists()
