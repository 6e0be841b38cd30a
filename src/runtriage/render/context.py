"""Lines of a log around a piece of evidence, as they stand in the report."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.model.place import last_line_of, line_of, where
from runtriage.model.report import Report
from runtriage.render.unbroken import unbroken


def lines(report: Report) -> Iterator[str]:
    """Yield the context of each piece of evidence that carries some, with line numbers and a mark at the cited lines."""
    return unbroken(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    shown: set[tuple[str, int | None, int | None]] = set()
    for item in report.evidence:
        place = (item.citation.artifact, item.citation.first_line, item.citation.last_line)
        if not item.context or item.context_first_line is None or place in shown:
            continue
        shown.add(place)
        first, last = line_of(item.citation), last_line_of(item.citation)
        yield ""
        yield f"{where(item.citation)}"
        for offset, text in enumerate(item.context):
            number = item.context_first_line + offset
            mark = ">" if first <= number <= last else " "
            yield f"{mark} {number:>7} | {text}"
