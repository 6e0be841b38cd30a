"""Files and folders on another machine, read through the OpenSSH client with the user's own settings."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Final, Self

from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Skipped
from runtriage.model.pattern import deferred
from runtriage.model.target import ByteStream
from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, USAGE, TargetError
from runtriage.targets.grammar import Spec
from runtriage.targets.kinds import LOG, kind_of, sniff
from runtriage.targets.names import shown
from runtriage.targets.regular import encoding_told, read_as
from runtriage.targets.ssh_client import Ssh, Unanswered
from runtriage.targets.ssh_listing import Found, listing
from runtriage.targets.ssh_stream import RemoteStream
from runtriage.targets.survey import UNREAD

_ADDRESS: Final = deferred(r"(?P<host>(?:[\w.-]+@)?(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+))(?::(?P<path>.*))?")
_URL: Final = deferred(r"(?P<host>(?:[\w.-]+@)?(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+))(?::(?P<port>\d{1,5}))?(?P<path>/.*)")
_SNIFFED: Final = 40


def open_target(spec: Spec, environment: Mapping[str, str] | None = None) -> SshTarget:
    """Return the target of `user@host:/path` or `ssh://user@host:port/path`. Raises `TargetError` where nothing can be read."""
    variables = os.environ if environment is None else environment
    found = _URL.fullmatch(spec.rest) if "://" in spec.text else _ADDRESS.fullmatch(spec.rest)
    path = (found["path"] or "") if found else ""
    if found is None or not path or found["host"].startswith("-"):
        raise TargetError(f"{shown(spec.text)}: not an address; give user@host:/path/train.log", USAGE)
    ssh = Ssh(found["host"], found.groupdict().get("port"), variables)
    target = SshTarget(shown(spec.text), path, ssh)
    try:
        target.look()
    except Unanswered as error:
        ssh.close()
        raise TargetError(f"{found['host']}: {error}", NO_ACCESS) from None
    except TargetError:
        ssh.close()
        raise
    return target


class SshTarget:
    """Answers `files` and `file` from what one look at the other machine found."""

    def __init__(self, label: str, path: str, ssh: Ssh) -> None:
        self.label = label
        self._path = path
        self._ssh = ssh
        self._documents: dict[str, tuple[str, Artifact]] = {}
        self._cut: str | None = None

    def look(self) -> None:
        """List what the path names, with the configs that lie beside a single file. Raises `Unanswered`, and `TargetError` for nothing."""
        seen = listing(self._ssh, self._path)
        if not seen.files:
            why = seen.problem or "no such file or folder"
            raise TargetError(f"{self.label}: {why}", seen.code or NOT_FOUND)
        self._cut = seen.cut
        base = posixpath.commonpath([posixpath.dirname(found.path) for found in seen.files]) or "."
        sniffed = 0
        for found in seen.files:
            name = shown(posixpath.relpath(found.path, base))
            kind = kind_of(name)
            if found.companion and kind != "config":
                continue
            packed = found.path.endswith((".gz", ".zst"))
            head = b""
            if (kind is None or packed or found.named) and (found.named or sniffed < _SNIFFED):
                sniffed += 1
                head = self._ssh.output(("head", "-c", "4096", "--", found.path))
            self._keep(found, name, kind, head)
        if not self._documents:
            raise TargetError(f"{self.label}: no log, metrics or record of a run there", NOT_FOUND)

    def _keep(self, found: Found, name: str, kind: str | None, head: bytes) -> None:
        encoding = encoding_told(head)
        if found.named and kind in (None, *UNREAD):
            kind = LOG if encoding else sniff(head).kind
        kind = kind or (sniff(head).kind if head and not encoding else LOG)
        if kind in UNREAD:
            return
        artifact = Artifact(
            path=name, kind=kind, size=found.size, mtime=found.mtime, encoding=encoding, named=found.named
        )
        self._documents[name] = (found.path, artifact)

    def first_requests(self) -> Sequence[Request]:
        """Ask for everything that was found."""
        return [Request(kind="files", reason="what was given")]

    def collect(self, request: Request) -> Outcome:
        """Answer one request; other kinds than `files` and `file` are skipped."""
        if request.kind == "files":
            return Collected(request, tuple(artifact for _, artifact in self._documents.values()), self._cut)
        if request.kind == "file":
            known = self._documents.get(request.args.get("path", ""))
            return Empty(request, "no such file") if known is None else Collected(request, (known[1],))
        return Skipped(request, f"files on another machine cannot answer a {request.kind} request")

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a document unpacked. Raises OSError."""
        known = self._documents.get(artifact.path)
        if known is None:
            raise FileNotFoundError(2, "was not collected", artifact.path)
        stream = RemoteStream(self._ssh, known[0], artifact.size or 0)
        return read_as(stream, artifact.encoding)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._ssh.close()
