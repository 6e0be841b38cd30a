"""The report as Markdown that reads well in an issue; text of the run cannot become markup."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Iterator

from runtriage.model.place import where
from runtriage.model.report import Report
from runtriage.render import extras
from runtriage.render.block import cause

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|~$])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@\u200b"})
_FENCE = re.compile(r"`{3,}")
_PLAIN = frozenset(string.ascii_letters + string.digits + "-._")


def document(report: Report, picture: str | None = None) -> str:
    """Return the whole report as Markdown with a final newline; `picture` is the name of the file beside it that shows its curves."""
    return "\n".join(_lines(report, picture)) + "\n"


def text(value: str) -> str:
    """Return text in which nothing acts as markup, a mention or a link."""
    return _SPECIAL.sub(r"\\\1", " ".join(value.split()).translate(_ENTITIES))


def code(value: str, language: str = "") -> str:
    """Return a code block that its content cannot close."""
    longest = max((len(found) for found in _FENCE.findall(value)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{value}\n{fence}"


def _address(name: str) -> str:
    """Return a file's name as the address of a picture: all but plain letters, digits and `-._` as %XX."""
    return "".join(chr(byte) if chr(byte) in _PLAIN else f"%{byte:02X}" for byte in os.fsencode(name))


def _lines(report: Report, picture: str | None) -> Iterator[str]:
    yield f"## {text(report.summary)}"
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| Status | **{report.run_status}** |"
    yield f"| Framework | {text(report.framework)} |"
    yield f"| Primary cause | **{text(cause(report))}** |"
    if report.failure_mode:
        yield f"| Failure mode | {text(report.failure_mode)} |"
    if report.workload_category:
        yield f"| Workload category | {text(report.workload_category)} |"
    yield f"| Culprit | {text(extras.culprit(report))} |"
    yield f"| Decision | **{report.decision}** (confidence {report.confidence}) |"
    yield ""
    yield "### Root cause"
    yield ""
    yield text(report.root_cause.root)
    if report.root_cause.contributing:
        yield ""
        yield f"Contributing: {text('; '.join(report.root_cause.contributing))}"
    if picture is not None:
        from runtriage.render import svg_file  # only a report with curves has one

        yield ""
        yield f"![{text(svg_file.describe(report))}]({_address(picture)})"
    yield from _known(report)
    yield from _workload(report)
    yield from _evidence(report)
    yield from _plan(report)
    yield from _rest(report)


def _known(report: Report) -> Iterator[str]:
    """Yield what the platform or a workflow says of the run, and whether the failure was seen before."""
    lines = list(report.platform_lines)
    if report.recurrence and report.recurrence.note:
        lines.append(f"Seen before: {report.recurrence.note}")
    if lines:
        yield ""
        yield from (f"- {text(line)}" for line in lines)


def _workload(report: Report) -> Iterator[str]:
    """Yield the block of a workload of a platform, which says more than the report's own fields."""
    if not report.extension or "workload" not in report.extension:
        return
    from runtriage.render import workload  # few reports have one

    yield ""
    yield "### Workload"
    yield ""
    for line in workload.lines(report, workload.of(report)):
        yield f"- {text(line.removeprefix('- '))}" if line.startswith("- ") else text(line)


def _evidence(report: Report) -> Iterator[str]:
    if not report.evidence:
        return
    yield ""
    yield "### Evidence"
    yield ""
    for item in report.evidence:
        yield f"- {text(item.claim)} ({text(where(item.citation))})"
    shown = next((item for item in report.evidence if item.excerpt), None)
    if shown is not None:
        yield ""
        yield code("\n".join(shown.context) if shown.context else shown.excerpt, "text")


def _plan(report: Report) -> Iterator[str]:
    if report.plan:
        yield ""
        yield "### Plan"
        yield ""
        yield "| # | Step | Risk | Time | Expected impact | Validate |"
        yield "|---|---|---|---|---|---|"
        for number, step in enumerate(report.plan, 1):
            cells = (step.action, step.risk, step.time_to_try, step.expected_impact, step.validate_)
            yield f"| {number} | {' | '.join(text(cell) for cell in cells)} |"
    if report.next_commands:
        yield ""
        yield code("\n".join(report.next_commands), "sh")


def _rest(report: Report) -> Iterator[str]:
    if others := extras.others(report):
        yield ""
        yield "<details><summary>Ruled out</summary>"
        yield ""
        for item in others:
            place = f" ({text(where(item.citation))})" if item.citation else ""
            yield f"- {text(item.cause)}: {text(item.because)}{place}"
        yield ""
        yield "</details>"
    if report.missing:
        yield ""
        yield "Would settle it: " + text("; ".join(item.why or item.what for item in report.missing))
    yield ""
    yield f"Read: {text(extras.coverage(report))}"
