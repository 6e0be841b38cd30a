"""One machine that asks about workflow runs: its folder, its variables, and a proxy between it and storage."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.api.workflow_runs import BUCKET, Run, wave
from tests.cli.running import inside
from tests.servers.kube_server import TOKEN
from tests.servers.s3 import SECRET, S3Server
from tests.servers.workflow_proxy import Proxy
from tests.servers.workflow_sky import SkyStandIn

TRACEBACK = b'step 1 loss=2.5\nTraceback (most recent call last):\n  File "/app/train.py", line 12, in <module>\n    main()\nValueError: the widget in row 17 has no colour\n'


def failed(name: str, **more: Any) -> Run:
    return Run(
        name=name,
        manifest="failed",
        ledger="failed",
        waves=[wave("train", 1, "failed", "FAILED", "12", run=name, error="reached terminal status FAILED")],
        **more,
    )


class Asked:
    """One machine that asks: its folder, its variables, a proxy between it and storage."""

    def __init__(self, folder: Path, storage: S3Server, proxy: Proxy) -> None:
        self.folder = folder
        self.proxy = proxy
        self.variables = storage.environment(proxy.own_port) | {"KUBECONFIG": str(folder / "none")}

    def __call__(self, *words: object, **variables: str) -> tuple[int, str]:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in ({"HOME": str(self.folder)} | self.variables | variables).items():
                patch.setenv(name, value)
            before = dict(os.environ)
            done = inside(*words, cwd=self.folder)
            assert dict(os.environ) == before
        assert SECRET not in done.stdout + done.stderr
        assert TOKEN not in done.stdout + done.stderr
        assert self.proxy.writes == []
        return done.returncode, done.stdout + done.stderr

    def data(self, *words: object, **variables: str) -> tuple[int, dict[str, Any]]:
        code, out = self(*words, "--json", **variables)
        return code, json.loads(out)

    def sky(self, stand_in: SkyStandIn) -> dict[str, str]:
        """Return the variables under which a stand-in is the `sky` command."""
        return {"PATH": f"{stand_in.install().parent}{os.pathsep}{os.environ['PATH']}"}


def uri(name: str) -> str:
    return f"s3://{BUCKET}/runs/{name}"


def named(item: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", **item}
