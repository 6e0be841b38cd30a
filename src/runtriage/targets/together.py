"""Several targets that are one run: each answers what it can."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Protocol, Self

from runtriage.model.artifact import Artifact, Collected, Outcome, Request, Skipped
from runtriage.model.target import ByteStream, Target


class OpenTarget(Target, Protocol):
    """A target that is let go of at the end of a `with`."""

    def __enter__(self) -> Self:
        """Return the target itself."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Let go of connections and of what was kept."""
        ...


class Together:
    """Answers a request with the first member that does not skip it."""

    def __init__(self, label: str, members: Sequence[OpenTarget]) -> None:
        self.label = label
        self._members = members
        self._owners: dict[str, OpenTarget] = {}
        self._askers: list[tuple[Request, OpenTarget]] = []
        self._stack = ExitStack()

    def first_requests(self) -> Sequence[Request]:
        """What each member wants read first."""
        self._askers = [(request, member) for member in self._members for request in member.first_requests()]
        return [request for request, _ in self._askers]

    def collect(self, request: Request) -> Outcome:
        """Answer one request."""
        askers = [member for asked, member in self._askers if asked == request]
        skipped: Outcome | None = None
        for member in dict.fromkeys([*askers, *self._members]):
            outcome = member.collect(request)
            if isinstance(outcome, Collected):
                self._owners.update((artifact.path, member) for artifact in outcome.artifacts)
            if not isinstance(outcome, Skipped):
                return outcome
            skipped = skipped or outcome  # whoever wants it read knows best why it cannot be
        return skipped or Skipped(request, f"nothing that was given can answer a {request.kind} request")

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a document with the member that collected it. Raises OSError."""
        owner = self._owners.get(artifact.path)
        if owner is None:
            raise FileNotFoundError(2, "was not collected", artifact.path)
        return owner.open(artifact)

    def __enter__(self) -> Self:
        for member in self._members:
            self._stack.enter_context(member)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._stack.close()
