"""The library: what `import runtriage` offers to programs and notebooks."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeVar

from msgspec.structs import asdict

from runtriage.api.diagnosis import diagnose as ask
from runtriage.api.prepared import Prepared, prepare
from runtriage.api.watch import StoppedError, Watch
from runtriage.model import report as model
from runtriage.model.options import FRAMEWORKS, TASKS, Options
from runtriage.model.programs import PROGRAMS
from runtriage.model.target import Cache, Progress
from runtriage.store.cache import user_cache
from runtriage.store.memory import MemoryCache

_REDACTION: Final = ("default", "strict")
_HEIGHT: Final = 560
Count = TypeVar("Count", int, int | None)


class Report(model.Report, frozen=True):
    """One diagnosis, with its views. Fields are those of the schema `runtriage.report/1`."""

    @classmethod
    def of(cls, report: model.Report) -> Self:
        """Return the same report with views."""
        return cls(**asdict(report))

    def to_text(self) -> str:
        """Return what the command line prints."""
        from runtriage.render import terminal

        return terminal.plain(self)

    def to_markdown(self) -> str:
        """Return the report for a merge request or an issue."""
        from runtriage.render import markdown

        return markdown.document(self)

    def to_html(self) -> str:
        """Return one page without script or outside request."""
        from runtriage.render import html as page

        return page.document(self)

    def _repr_html_(self) -> str:
        """Show the page in a notebook, shut off from the notebook's own."""
        page = html.escape(self.to_html(), quote=True)
        return f'<iframe sandbox srcdoc="{page}" style="width: 100%; height: {_HEIGHT}px; border: 0"></iframe>'

    def __str__(self) -> str:
        return self.to_text()


def diagnose(
    target: str | Path | Sequence[str | Path],
    *,
    framework: str | None = None,
    task: str | None = None,
    last: int | None = None,
    context: int = 0,
    redact: Literal["default", "strict"] = "default",
    as_of: float | None = None,
    workers: int | None = None,
    signatures: Sequence[str | Path] = (),
    run_id: str | None = None,
    progress: Progress | None = None,
    cache: bool = False,
) -> Report:
    """Diagnose one run: a path, `SCHEME:REST`, or several paths that are one run.

    `last` limits reading to the last lines of each log, `context` adds lines around each piece of evidence, `redact="strict"` also hides
    who and where, `as_of` ends look-backs (seconds since 1970), `workers` bounds the cores. Nothing is written, unless `cache`
    says to use the command line's cache; that is only read otherwise, for compiled rules, which spares the first diagnosis of a process seconds. Raises `TargetError` for a target that does not
    exist or cannot be read, `SignatureError` for a folder that is none, `ValueError` for a wrong option; files of signatures left out: `SignatureWarning`.
    """
    options = Options(
        framework=_one_of("framework", framework, FRAMEWORKS),
        task=_one_of("task", task, TASKS),
        last=_positive("last", last),
        context=_positive("context", context, 0),
        strict_redaction=_one_of("redact", redact, _REDACTION) == "strict",
        as_of=as_of,
        workers=_positive("workers", workers),
    )
    found = ask(
        [str(each) for each in ([target] if isinstance(target, str | Path) else target)],
        options=options,
        run_id=run_id,
        progress=progress,
        cache=user_cache() if cache else None,
        prepared=_prepared([Path(folder) for folder in signatures], user_cache() if cache else _compiled()),
    )
    return Report.of(found)


@lru_cache(maxsize=1)
def _compiled() -> Cache:
    """Return what keeps compiled rules for this process, and finds those that the command line keeps."""
    return MemoryCache(behind=user_cache(touches=False))


def _prepared(signatures: Sequence[Path], kept: Cache) -> Prepared:
    PROGRAMS.recall(kept)
    return prepare(signatures, kept, compile=True)


async def diagnose_async(
    target: str | Path | Sequence[str | Path], *, progress: Progress | None = None, **options: Any
) -> Report:
    """Diagnose in a thread, with the options of `diagnose`; a task that is cancelled stops reading soon after."""
    watch = Watch(further=progress)
    try:
        return await asyncio.to_thread(_unstopped, partial(diagnose, target, progress=watch, **options))
    finally:
        watch.stopped = True


def _unstopped(work: partial[Report]) -> Report:
    try:
        return work()
    except StoppedError:
        raise asyncio.CancelledError from None


def _one_of(name: str, value: str | None, allowed: tuple[str, ...]) -> str | None:
    if value is not None and value not in allowed:
        raise ValueError(f"{name} is {value!r}; it may be {', '.join(allowed)}")
    return value


def _positive(name: str, value: Count, least: int = 1) -> Count:
    if value is not None and value < least:
        raise ValueError(f"{name} is {value}; it may be {least} or more")
    return value
