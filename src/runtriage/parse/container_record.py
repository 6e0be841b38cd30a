"""`docker inspect` and `podman inspect`: the record of a container is read as text, line by line, where its state is told."""

from __future__ import annotations

from runtriage.model.artifact import Artifact
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import is_document

_LIMIT = 4 << 20
_HOLDS = (b'"OOMKilled"', b'"ExitCode"')


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a record."""
    return is_document(head) and all(word in head for word in _HOLDS) and b'"apiVersion"' not in head


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return nothing of its own: that memory ran out is said in words that the log engine knows."""
    content, cut = read_all(stream, _LIMIT)
    return Parsed(bytes_read=len(content), cut="longer than 4 MiB" if cut else None)


PARSERS = (Parser(id="container-record", claims=claims, read=read, scanned=True),)
