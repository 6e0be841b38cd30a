"""The diagnosis of a run by the run itself: what it raised, with the metrics it has logged."""

from __future__ import annotations

import json
import traceback
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from runtriage.model.artifact import Artifact, Collected, Outcome, Request, Skipped
from runtriage.model.target import ByteStream
from runtriage.targets.fetched import Shelf

if TYPE_CHECKING:
    from runtriage.model.report import Report

_KIND: Final = "inside"
_KEPT: Final = 5000
"""Lines of metrics that are remembered, the newest."""
_LONGEST: Final = 1 << 20


class Metrics:
    """The metrics that a run has logged, newest last."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=_KEPT)

    def add(self, step: int, values: Mapping[str, object]) -> None:
        """Remember the numbers of one step."""
        numbers = {key: value for key, value in values.items() if isinstance(value, int | float)}
        if numbers:
            self._lines.append(json.dumps({"step": step, **numbers}))

    def content(self) -> bytes:
        """Return what is remembered, one JSON object a line."""
        return "".join(f"{line}\n" for line in self._lines).encode()


class Inside:
    """A target that holds what this very process knows."""

    label = "this run"

    def __init__(self, error: BaseException, metrics: bytes) -> None:
        text = "".join(traceback.format_exception(error))[-_LONGEST:]
        self._shelf = Shelf()
        content = metrics + text.encode("utf-8", "replace")
        self._kept = self._shelf.keep("this-run.log", content, kind="log", source=_KIND)

    def first_requests(self) -> Sequence[Request]:
        """Ask for everything at once."""
        return [Request(kind=_KIND, reason="what was raised")]

    def collect(self, request: Request) -> Outcome:
        """Answer the only request there is."""
        if request.kind != _KIND:
            return Skipped(request, f"a process cannot answer a {request.kind} request about itself")
        return Collected(request, (self._kept,))

    def open(self, artifact: Artifact) -> ByteStream:
        """Open what is kept. Raises OSError."""
        return self._shelf.open(artifact)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Nothing is held open."""


def report_of(error: BaseException, metrics: Metrics | None = None) -> Report:
    """Return the diagnosis of an exception that ends this process."""
    from runtriage.api.diagnosis import diagnose_opened
    from runtriage.store.cache import user_cache

    return diagnose_opened(Inside(error, metrics.content() if metrics is not None else b""), cache=user_cache())


def write(error: BaseException, metrics: Metrics, folder: Path, rank: int) -> None:
    """Write `check-failed-run.json`, or `check-failed-run.rank3.json` beside it; whatever fails, the exception goes on."""
    with suppress(Exception):
        from runtriage.render import skill

        name = skill.FILE_NAME if rank == 0 else skill.FILE_NAME.replace(".json", f".rank{rank}.json")
        document = skill.document(report_of(error, metrics))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(document, encoding="utf-8")
