"""Scans one artifact."""

from __future__ import annotations

from runtriage.model.artifact import Artifact
from runtriage.model.options import Options
from runtriage.model.target import ByteStream, Progress
from runtriage.scan.kit import Kit
from runtriage.scan.result import ScanResult
from runtriage.scan.rules import Rules


def scan(
    stream: ByteStream,
    artifact: Artifact,
    rules: Rules,
    options: Options,
    progress: Progress | None = None,
    *,
    block: int | None = None,
) -> ScanResult:
    """Read a stream to its end and return what it says; results do not depend on `block`, the bytes read at once.

    Where reading fails on the way, what came before counts and `read.cut` says why it ends. A stream with a true attribute
    `headless` begins at an unknown place of its artifact.
    """
    size = artifact.size if artifact.encoding is None else None
    done = 0

    def tell(read: int, findings: int) -> None:
        nonlocal done
        done += read
        if progress is not None:
            progress.advance(done, size, findings)

    return Kit(rules, options, block, tell).scan(stream, artifact)
