"""What the tools do, without the protocol: every method takes admitted targets and returns an answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, cast

from msgspec.structs import replace

from runtriage.api.config import Config
from runtriage.api.diagnosis import Look, diagnose
from runtriage.api.orders import orders
from runtriage.api.orders_search import Orders, search, words
from runtriage.api.prepared import Prepared, prepare
from runtriage.mcp import answers
from runtriage.mcp.paging import offset_of, page
from runtriage.mcp.policy import REGISTRY, Policy, RefusedError, there
from runtriage.mcp.quote import CLOSE, OPEN, Quotes, one_line, quotes
from runtriage.mcp.remembered import failures
from runtriage.mcp.shelf import Kept, Shelf
from runtriage.mcp.short import cite, short
from runtriage.model.facts import Facts
from runtriage.model.options import Options
from runtriage.model.page import Page
from runtriage.model.report import EvidenceModel, Report
from runtriage.model.target import Cache, Progress, Target

_CONTEXT: Final = 60
_EVIDENCE: Final = 5
_TEXT: Final = 2500
"""Characters of one piece of evidence with its surroundings."""
_CHECKPOINTS: Final = 20
_DIFFERENCES: Final = 30
_MARKDOWN: Final = 4000
_LONG: Final = 300


class UnknownError(Exception):
    """Nothing is known by the name that was given; one line."""


class Reading:
    """Everything a server reads, within its policy and with the user's config."""

    def __init__(self, policy: Policy, config: Config, store: Cache | None) -> None:
        self.policy = policy
        self.shelf = Shelf()
        self._config = config
        self._store = store

    @cached_property
    def _prepared(self) -> Prepared:
        return prepare(self._config.signatures.folders, self._store, compile=True)

    def diagnose(self, target: str, last: int | None, progress: Progress | None) -> answers.Diagnosis:
        """Diagnose a run. Raises `RefusedError` and `TargetError`."""
        admitted = self.policy.admit(target)
        given = Orders()

        def look(opened: Target, facts: Facts) -> None:
            nonlocal given
            given = search(opened, facts, cache=self._store, progress=progress)

        report = self._report(admitted, last, 0, progress, look)
        return short(report, self.shelf.put(report, admitted, last), given)

    def evidence(
        self,
        report_id: str,
        evidence_id: str | None,
        context: int,
        cursor: str | None,
        progress: Progress | None = None,
    ) -> answers.EvidencePage:
        """Return cited lines with `context` lines around them, read again. Raises `UnknownError`, `RefusedError`, `TargetError`."""
        kept = self.kept(report_id)
        around = min(max(context, 0), _CONTEXT)
        items = [item for item in kept.report.evidence if evidence_id in (None, item.id)]
        if not items:
            raise UnknownError(f"report {report_id} has no evidence {evidence_id!r}")
        report = kept.report
        if around:
            report = self._report(self.policy.admit(kept.target), kept.last, around, progress)
            items = _with_lines(items, report)
        shown, following = page(items, cursor, _EVIDENCE)
        quote = quotes(kept.report, report)
        return answers.EvidencePage(
            report_id=report_id, items=[_text(item, quote) for item in shown], next_cursor=following
        )

    def kept(self, report_id: str) -> Kept:
        """Return a report that this server made. Raises `UnknownError`."""
        kept = self.shelf.get(report_id)
        if kept is None:
            raise UnknownError(f"no report {report_id[:20]!r} is kept; call diagnose first")
        return kept

    def failures(self, query: dict[str, str | None], cursor: str | None) -> answers.FailurePage:
        """Return remembered diagnoses of runs that may be read. Raises `RefusedError`, `FilterError` and `CursorError`."""
        return failures(self.policy, self._config, query, cursor)

    def compare(self, a: str, b: str, progress: Progress | None = None) -> answers.Comparison:
        """Return what differs between two runs. Raises `RefusedError` and `TargetError`."""
        from runtriage.api.compare import compare
        from runtriage.api.compare_sides import read

        sides = [
            read(
                self.policy.admit(each),
                signatures=self._config.signatures.folders,
                cache=self._store,
                progress=progress,
            )
            for each in (a, b)
        ]
        found = compare(*sides, strict_redaction=self._config.redact.level == "strict")
        kinds = ("outcome", "settings", "environment", "timing")
        differences = [
            answers.Difference(kind=kind, name=one_line(item.name, _LONG), a=_quoted(item.a), b=_quoted(item.b))
            for kind in kinds
            for item in getattr(found, kind)
        ]
        first = found.first
        return answers.Comparison(
            a=one_line(found.a, _LONG),
            b=one_line(found.b, _LONG),
            first_divergence=None if first is None else f"{one_line(first.name, _LONG)} at step {first.parts_at:g}",
            differences=differences[:_DIFFERENCES],
            left_out=max(len(differences) - _DIFFERENCES, 0),
            same_settings=found.same_settings,
        )

    def explain(self, mode: str, cursor: str | None) -> answers.ModePage:
        """Return the page of a failure mode. Raises `UnknownError`."""
        text = mode_page(mode, self._config.signatures.folders)
        if text is None:
            raise UnknownError(f"{mode[:60]!r} is no failure mode; a diagnosis names its own as failure_mode")
        start = offset_of(cursor)
        end = start + _MARKDOWN
        return answers.ModePage(id=mode, markdown=text[start:end], next_cursor=str(end) if end < len(text) else None)

    def checkpoints(self, target: str, cursor: str | None) -> answers.CheckpointPage:
        """Return the checkpoints of a run. Raises `RefusedError` and `TargetError`."""
        from runtriage.api.checkpoints import checkpoints

        found = checkpoints(self.policy.admit(target))
        shown, following = page(found.checkpoints, cursor, _CHECKPOINTS)
        good = found.last_good
        return answers.CheckpointPage(
            checkpoints=[
                answers.CheckpointLine(
                    path=one_line(item.path, _LONG),
                    step=item.step,
                    valid=item.valid,
                    problem=_cut(item.problem),
                    last_good=item.last_good,
                )
                for item in shown
            ],
            total=len(found.checkpoints),
            last_good=None if good is None else one_line(good.path, _LONG),
            next_cursor=following,
        )

    def workflow(self, run: str, *, cached: bool) -> answers.WorkflowState:
        """Return the state of a workflow run. Raises `RefusedError` and `TargetError`."""
        from runtriage.api.workflow import access_for, status

        if "workflow" not in self.policy.remote or there(run) or run.startswith(("/", ".")):
            run, cached = self.policy.admit(run), True
        found: dict[str, Any] = dict(status(run, access_for(run, self._config.projects), cached=cached))
        return answers.WorkflowState(document=_bounded(found))

    def image(self, image: str) -> answers.ImageState:
        """Return whether an image can be pulled. Raises `RefusedError` and `TargetError`."""
        from runtriage.api.registry import check

        if REGISTRY not in self.policy.remote:
            raise RefusedError(
                f"registries are not asked here; --allow-remote {REGISTRY} would allow it when the server starts"
            )
        return answers.ImageState(document=_bounded(check(image)))

    def _report(
        self, admitted: str, last: int | None, context: int, progress: Progress | None, look: Look | None = None
    ) -> Report:
        options = Options(last=last, context=context, strict_redaction=self._config.redact.level == "strict", workers=1)
        return diagnose(
            admitted, options=options, cache=self._store, progress=progress, prepared=self._prepared, look=look
        )


def mode_page(mode: str, folders: Sequence[Path] = ()) -> str | None:
    """Return the page of a failure mode as Markdown, None for a mode nobody knows."""
    from runtriage.model.taxonomy import modes
    from runtriage.render.page import markdown

    known = modes().get(mode) or modes().get(mode.partition(".")[0])
    return None if known is None else markdown(_pages(tuple(folders))[known.id])


@cache
def _pages(folders: tuple[Path, ...]) -> dict[str, Page]:
    from runtriage.api.pages import pages

    return pages(folders)


def _with_lines(items: Sequence[EvidenceModel], again: Report) -> list[EvidenceModel]:
    """Return the evidence with the lines around it as they are now; what is no longer there, or says something else, stays as it was cited."""
    lines = {(item.citation, item.excerpt): item.context for item in again.evidence}
    return [replace(item, context=lines.get((item.citation, item.excerpt), [])) for item in items]


def _text(item: EvidenceModel, quote: Quotes) -> answers.EvidenceText:
    text = "\n".join(item.context) if item.context else item.excerpt
    return answers.EvidenceText(
        id=item.id,
        claim=quote.told(item.claim, _LONG),
        cite=cite(item.citation, quote),
        role=item.role,
        untrusted_text=text if len(text) <= _TEXT else f"{text[:_TEXT]}…",
        orders=len(orders(text)),
    )


def _quoted(text: str | None) -> str | None:
    """Return what a run says of itself: between marks where it is more than a word."""
    line = _cut(text)
    return f"{OPEN}{line}{CLOSE}" if line is not None and (" " in line or orders(words(line))) else line


def _cut(text: str | None) -> str | None:
    return None if text is None else one_line(text, _LONG)


def _bounded(value: Any, depth: int = 6) -> Any:
    """Return a document with its lists, texts and depth cut, and without orders."""
    if isinstance(value, str):
        return one_line(value, _LONG)
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        return (
            {one_line(name, 80): _bounded(each, depth - 1) for name, each in list(entries.items())[:60]}
            if depth
            else "…"
        )
    if isinstance(value, list | tuple):
        items = cast("Sequence[Any]", value)
        return [_bounded(each, depth - 1) for each in items[:20]] if depth else "…"
    return value
