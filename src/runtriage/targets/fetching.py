"""A target whose documents are fetched from elsewhere, one kind of request at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Final, NamedTuple, Self

from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Skipped, Unavailable
from runtriage.model.target import ByteStream
from runtriage.targets.fetched import Shelf
from runtriage.targets.http_client import Refused


class Got(NamedTuple):
    """What one request brought; `cut` says why it is not all, `lost` names logs that could not be had."""

    artifacts: Sequence[Artifact]
    cut: str | None = None
    lost: Sequence[str] = ()


Fetch = Callable[[Request], Got]
"""Fetches what a request asks for. Raises `Refused` where it cannot be had."""


_TRIED: Final = 3
"""Pieces that a failing service is asked for before it is left alone."""


class Refusals:
    """Refusals of single pieces of what a request asks for: the other pieces are had all the same."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._held: list[Refused] = []
        self.logs: list[str] = []
        """Logs among the pieces."""

    def add(self, refusal: Refused, log: str | None = None) -> bool:
        """Note one, `log` where it is one, and tell whether asking on is of no use: nobody answers, the login is refused, or the server fails again and again."""
        self._held.append(refusal)
        if log is not None:
            self.logs.append(log)
        failing = sum(each.status == 429 or each.status >= 500 for each in self._held)
        return refusal.unreached or refusal.status == 401 or failing >= _TRIED

    def told(self, kept: object) -> list[str]:
        """Return the line that says so, if any. Raises `Refused` where nothing at all could be had."""
        if self._held and not kept:
            raise self._held[0]
        return [f"{len(self._held)} of {self._what} could not be had: {self._held[0]}"] if self._held else []


class Fetching:
    """Answers each kind of request with its own fetcher; one that is refused leaves the others alone."""

    def __init__(
        self,
        label: str,
        shelf: Shelf,
        fetchers: Mapping[str, Fetch],
        first: Sequence[Request],
        *,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.label = label
        self._shelf = shelf
        self._fetchers = fetchers
        self._first = first
        self._close = close
        self._known: dict[str, Artifact] = {}
        self._filled = False

    def first_requests(self) -> Sequence[Request]:
        """What to fetch."""
        return self._first

    def collect(self, request: Request) -> Outcome:
        """Answer one request."""
        if request.kind == "file":
            return self._again(request)
        fetch = self._fetchers.get(request.kind)
        if fetch is None:
            return Skipped(request, f"this target cannot answer a {request.kind} request")
        try:
            got = fetch(request)
        except Refused as refusal:
            return Unavailable(request, str(refusal))
        self._known.update((artifact.path, artifact) for artifact in got.artifacts)
        if not got.artifacts and got.cut is None:
            return Empty(request, "nothing was recorded")
        return Collected(request, tuple(got.artifacts), got.cut, tuple(got.lost))

    def _again(self, request: Request) -> Outcome:
        """Find a document by its name, fetching everything once where it is not known yet."""
        if request.args.get("path") not in self._known and not self._filled:
            self._filled = True
            for wanted in self._first:
                self.collect(wanted)
        known = self._known.get(request.args.get("path", ""))
        return Empty(request, "no such document") if known is None else Collected(request, (known,))

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a fetched document. Raises FileNotFoundError for one that was never fetched."""
        return self._shelf.open(artifact)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._close()


class Unreachable:
    """A target that could not be opened, among others that could: its one request says why."""

    def __init__(self, label: str, reason: str) -> None:
        self.label = label
        self._reason = reason

    def first_requests(self) -> Sequence[Request]:
        """Ask for the target itself."""
        return [Request(kind="target", args={"path": self.label}, reason="it was named")]

    def collect(self, request: Request) -> Outcome:
        """Say why there is nothing."""
        if request.kind == "target" and request.args.get("path") == self.label:
            return Unavailable(request, self._reason)
        return Skipped(request, "the target could not be opened")

    def open(self, artifact: Artifact) -> ByteStream:
        """Nothing was collected. Raises FileNotFoundError."""
        raise FileNotFoundError(2, "was not collected", artifact.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        return None
