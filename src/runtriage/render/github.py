"""The report for GitHub Actions: annotations for the log and a summary for the job."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from runtriage.model.report import CitationModel, Report
from runtriage.render import markdown
from runtriage.render.block import cause
from runtriage.render.shorten import Limits, shortened

SUMMARY_BYTES: Final = 1_000_000
"""GitHub drops a summary of more than 1 MiB; this leaves room for what other commands of the step add."""
_ANNOTATIONS: Final = 10
"""GitHub shows ten annotations of a kind and step."""
_SHORT: Final = Limits(characters=800, entries=_ANNOTATIONS, lines=1, points=2)
_LIMITS: Final = (
    Limits(characters=20_000, entries=100, lines=60),
    Limits(characters=2_000, entries=40, lines=40),
    Limits(characters=200, entries=20, lines=10),
)
_FAILED: Final = frozenset({"crashed", "hung", "diverged"})
_DATA: Final = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), ("##[", "## ["))
_PROPERTY: Final = (*_DATA, (":", "%3A"), (",", "%2C"))
"""A workflow command ends at a line break, its properties at `::` and `,`; `##[` starts one of the older form."""


def commands(report: Report, file: Callable[[str], str] = str) -> str:
    """Return workflow commands, one a line: the verdict, then the evidence as notices.

    `file` turns the path of an artifact into that of a file in the checked-out repository, by which GitHub finds the line.
    """
    return "".join(f"{line}\n" for line in _commands(shortened(report, _SHORT), file))


def summary(report: Report) -> str:
    """Return Markdown for the summary of a job, below GitHub's limit of its size."""
    text = ""
    for limits in _LIMITS:
        text = markdown.document(shortened(report, limits))
        if len(text.encode()) <= SUMMARY_BYTES:
            break
    return text


def _commands(report: Report, file: Callable[[str], str]) -> Iterator[str]:
    parts = [report.summary, report.root_cause.root]
    parts += [f"Abstained: {report.abstained}"] if report.abstained else []
    if report.plan:
        step = report.plan[0]
        parts.append(f"First step ({step.risk}): {step.action}")
    parts.append(f"Decision: {report.decision}, confidence: {report.confidence}")
    title = f"runtriage: {report.run_status}, {cause(report)}"
    yield _command(
        _level(report), _in(report.root_evidence, file), title, "\n".join(dict.fromkeys(filter(None, parts)))
    )
    others = [item for item in report.evidence if item.citation != report.root_evidence]
    for item in others[: _ANNOTATIONS - 1]:
        yield _command("notice", _in(item.citation, file), f"runtriage: {item.role}", item.claim)


def _in(place: CitationModel | None, file: Callable[[str], str]) -> CitationModel | None:
    return None if place is None else replace(place, artifact=file(place.artifact))


def _level(report: Report) -> str:
    if report.run_status in _FAILED:
        return "error"
    return "warning" if report.primary_cause is not None or report.abstained is not None else "notice"


def _command(level: str, place: CitationModel | None, title: str, message: str) -> str:
    properties = {} if place is None else {"file": place.artifact}
    if place is not None and place.first_line is not None:
        properties |= {"line": str(place.first_line), "endLine": str(place.last_line or place.first_line)}
    properties["title"] = title
    listed = ",".join(f"{name}={_escaped(value, _PROPERTY)}" for name, value in properties.items())
    return f"::{level} {listed}::{_escaped(message, _DATA)}"


def _escaped(text: str, table: tuple[tuple[str, str], ...]) -> str:
    for plain, written in table:
        text = text.replace(plain, written)
    return text
