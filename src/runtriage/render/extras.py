"""What follows the block: who, where, what else was considered, and how much was read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from runtriage.model.place import where
from runtriage.model.report import DataModel, EvidenceModel, Report, RuledOutModel
from runtriage.render.unbroken import unbroken

_KUBERNETES = "k8s:"
_PLACES = 6
_CAUSES = 3
_QUOTED = 140
_RUNS = 3
"""Characters of a cited line that are shown beside its place; `--context` shows it whole."""
_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


def lines(report: Report) -> Iterator[str]:
    """Yield the extras line by line; nothing for what is not known."""
    return unbroken(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield from _named(report)
    for label, place in zip_longest(("Where:  ",), _places(report.evidence[:_PLACES]), fillvalue=" " * 8):
        yield f"{label} {place}"
    rivals = _rivals(report)
    if rivals:
        yield f"Ruled out: {' · '.join(rivals)}"
    if report.abstained:
        yield f"Abstained: {report.abstained}"
    if report.missing:
        yield f"Would settle it: {'; '.join(item.why or item.what for item in report.missing)}"
    if report.recurrence and report.recurrence.note:
        yield f"Seen before: {report.recurrence.note}"
    for table in report.data:
        yield f"Data: {table.artifact}, {table.rows:,} rows: {_data(table)}"
    yield f"Read: {coverage(report)}"


def _named(report: Report) -> Iterator[str]:
    """Yield whose failure it was and what it is called, or the word with which a run is routed out."""
    if report.primary_cause is not None:
        yield f"Culprit: {culprit(report)}"
    if report.workload_category is not None and report.target.startswith(_KUBERNETES):
        yield f"Category: {report.workload_category}"
    if report.failure_mode is not None:
        yield f"Mode:    {report.failure_mode} (what it means: runtriage explain {report.failure_mode})"
    if report.routed is not None and report.routed != report.run_status:
        yield f"Out of scope: {report.routed}"


def culprit(report: Report) -> str:
    """Return `rank 37 on node gpu-09 · attempt 2 of 2 · last step 18,432`."""
    who = report.culprit
    named = [f"rank {who.rank}"] if who.rank is not None else []
    named += [f"pod {who.pod}"] if who.pod else []
    named += [f"GPU {who.gpu}"] if who.gpu else []
    named += [f"on node {who.node}"] if who.node else []
    parts = [" ".join(named) or "not tied to one rank"]
    if report.attempts > 1:
        parts.append(f"{report.attempts} attempts")
    if report.last_progress.step is not None:
        parts.append(f"last step {report.last_progress.step:,}")
    return " · ".join(parts)


def others(report: Report) -> list[RuledOutModel]:
    """Return what was ruled out of other classes than the answer's: a reader takes a class that is named there for none."""
    return [item for item in report.ruled_out if item.cause != report.primary_cause]


def _rivals(report: Report) -> list[str]:
    """Return the first reason against each other class, at most three; the full reasons are in JSON and Markdown."""
    reasons: dict[str, str] = {}
    for item in others(report):
        reasons.setdefault(item.cause, item.because.partition("; ")[0])
    return [f"{cause} ({reason})" for cause, reason in reasons.items()][:_CAUSES]


def _data(table: DataModel) -> str:
    cut = f"; read only in part: {table.cut}" if table.cut else ""
    return ("; ".join(table.findings) or "nothing stands out") + cut


def _places(evidence: Sequence[EvidenceModel]) -> Iterator[str]:
    """Yield each place and what stands there, with the numbers of the lines of evidence that rest on it where there are several."""
    places: dict[str, list[int]] = {}
    for number, item in enumerate(evidence, 1):
        places.setdefault(where(item.citation), []).append(number)
    for place, numbers in places.items():
        front = "" if len(evidence) == 1 else f"({', '.join(map(str, numbers))}) "
        yield f"{front}{place}{_quoted(evidence[numbers[0] - 1])}"


def _quoted(item: EvidenceModel) -> str:
    """Return the first line that is cited, as far as it fits a line, and when it was printed where it does not say so itself."""
    text = next((" ".join(line.split()) for line in item.excerpt.splitlines() if line.strip()), "")
    when = f" {item.time}" if item.time and item.time not in text else ""
    cut = text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
    return f"{when} | {cut}" if cut else when


def coverage(report: Report) -> str:
    """Return how much was read, what was cut, and what could not be seen."""
    seen = report.coverage
    files = f"{seen.files} file{'' if seen.files == 1 else 's'}"
    cuts = _cuts(report)
    whole = "all of it" if seen.complete else f"not all of it ({cuts})" if cuts else "not all of it"
    unseen = f"; not seen: {', '.join(seen.not_seen)}" if seen.not_seen else ""
    broken = f"; rules that failed: {', '.join(seen.rules_broken)}" if seen.rules_broken else ""
    dropped = f"; {seen.dropped_events} events dropped because redaction failed" if seen.dropped_events else ""
    return f"{files}, {size(seen.bytes)}, {whole}{unseen}{broken}{dropped}{_beside(seen.beside)}{_apart(seen.different_runs)}"


def _beside(tables: Sequence[str]) -> str:
    """Return which tables of metrics a reader may want to give, too."""
    return f"; beside it, not read: {', '.join(tables)} (give the folder, or name it as well)" if tables else ""


def _apart(logs: Sequence[str]) -> str:
    """Return a warning where logs look like different runs."""
    if not logs:
        return ""
    named = ", ".join(logs[:_RUNS]) + (f" and {len(logs) - _RUNS} more" if len(logs) > _RUNS else "")
    return f"; these look like {len(logs)} different runs that were read as one: {named} (each begins anew behind one that completed; give them one by one, or to `runtriage fleet`)"


def _cuts(report: Report) -> str:
    cuts = dict.fromkeys(item.cut for item in report.coverage.artifacts if item.cut)
    told = "; ".join(cut for cut in cuts if cut)
    return told if told or report.coverage.not_seen else "a file that is not among those listed was cut"


def size(count: int) -> str:
    """Return bytes in a readable unit (powers of 1,000)."""
    value = float(count)
    for unit in _UNITS:
        if value < 1000 or unit == _UNITS[-1]:
            return f"{value:.0f} {unit}" if unit in ("B", "kB") or value >= 100 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{count} B"
