"""Files that are written, opened as a target and read again."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from runtriage.collect import Budget, collect
from runtriage.model.artifact import Artifact, Collected, Outcome
from runtriage.targets import LocalTarget, TargetError, resolve

TEXT = b"step 1 loss=2.0\nstep 2 loss=1.0\nRuntimeError: boom\n"


def write(path: Path, content: bytes = TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def opened(*texts: object, stdin: bytes | None = None) -> LocalTarget:
    return resolve([str(text) for text in texts], None if stdin is None else io.BytesIO(stdin))


def outcomes(target: LocalTarget) -> list[Outcome]:
    return [collect(request, target, Budget()) for request in target.first_requests()]


def artifacts(target: LocalTarget) -> list[Artifact]:
    return [
        artifact for outcome in outcomes(target) if isinstance(outcome, Collected) for artifact in outcome.artifacts
    ]


def read(target: LocalTarget, artifact: Artifact) -> bytes:
    parts: list[bytes] = []
    buffer = bytearray(7)
    with target.open(artifact) as stream:
        while count := stream.readinto(memoryview(buffer)):
            parts.append(bytes(buffer[:count]))
    return b"".join(parts)


def refused(*texts: object, stdin: bytes | None = None) -> TargetError:
    with pytest.raises(TargetError) as caught:
        opened(*texts, stdin=stdin)
    assert "\n" not in str(caught.value)
    return caught.value
