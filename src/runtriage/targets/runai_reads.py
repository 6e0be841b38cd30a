"""The six reads of a Run:ai control plane, however they travel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from runtriage.model.runai import NOT_FOUND

Arguments = Mapping[str, object]


@dataclass
class ReadError(Exception):
    """An answer that could not be had, in one line without credentials."""

    reason: str


class RunAiReads(Protocol):
    """Something that answers a read tool with one JSON document."""

    def call(self, tool: str, arguments: Arguments) -> bytes:
        """Return the answer. Raises `ReadError`; a tool that is not on the list raises ValueError."""
        ...

    def __enter__(self) -> Self:
        """Connect."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Disconnect."""
        ...


def absent(detail: str) -> ReadError:
    """Return the error for a workload that the platform does not know."""
    return ReadError(f"{NOT_FOUND} ({detail})" if detail else NOT_FOUND)
