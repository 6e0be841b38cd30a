"""The summary of a fleet as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.fleet.summary import UNKNOWN, Summary
from runtriage.fleet.tally import Tally
from runtriage.redact import clean

_TITLES: Final = {
    "cause": "Primary cause",
    "failure_mode": "Failure mode",
    "node": "Node of the culprit",
    "signature": "Signature",
    "owner": "Owner",
}
_TOP: Final = 10
_WIDTH: Final = 40


def text(summary: Summary) -> str:
    """Return the page."""
    return clean("\n".join(_lines(summary))) + "\n"


def _lines(summary: Summary) -> Iterator[str]:
    outcomes = ", ".join(f"{count:,} {name}" for name, count in summary.outcomes.most_common())
    yield f"Runs: {summary.runs:,} ({outcomes or 'none'})"
    yield f"Failed: {summary.failed:,}"
    yield f"Run-hours lost: {_hours(summary)}"
    yield f"Read: {summary.bytes / 1e9:,.3f} GB in {summary.seconds:,.1f} s of diagnosis"
    for name, tally in summary.groups.items():
        if set(tally.lines) - {UNKNOWN}:
            yield from _table(_TITLES[name], tally, summary.failed)
    yield from _repeated("The same failure again and again", summary.fingerprints)
    yield from _repeated("The same kind of failure, which only curves show, in one program or in many", summary.kinds)
    if summary.unread:
        yield ""
        yield f"Not read: {summary.outcomes['unreadable']:,}"
        yield from _named(summary.unread, summary.outcomes["unreadable"])
    if summary.faults:
        count = summary.outcomes["tool-failure"]
        yield ""
        yield f"Not diagnosed because the tool itself failed: {count:,}; --resume tries them again"
        yield from _named(summary.faults, count)
    if summary.failed:
        yield ""
        yield "The report of one run: runtriage TARGET; a line for each run: --out DIR, with --reports every report whole"


def _named(kept: Sequence[tuple[str, str]], count: int) -> Iterator[str]:
    """Name the first targets with the reason, and say how many more there are."""
    for target, error in kept:
        yield f"  {error if target in error else f'{target}: {error}'}"
    if count > len(kept):
        yield f"  ({count - len(kept):,} more)"


def _hours(summary: Summary) -> str:
    if not summary.failed:
        return "0.0"
    unknown = f"; {summary.without_hours:,} failed runs tell no times" if summary.without_hours else ""
    return f"{summary.hours_failed:,.1f} of {summary.hours:,.1f}{unknown}"


def _table(title: str, tally: Tally, failed: int) -> Iterator[str]:
    yield ""
    yield f"{title:<{_WIDTH}} {'runs':>8} {'share':>7} {'run-hours':>11}"
    for name, line in tally.top(_TOP):
        yield f"{_cut(name):<{_WIDTH}} {line.runs:>8,} {line.runs / failed:>7.1%} {line.hours:>11,.1f}"
    rest = len(tally.lines) - _TOP
    if rest > 0:
        yield f"({rest:,} more)"
    if tally.forgotten:
        yield f"({tally.forgotten:,} runs with rare names are not in this table)"


def _repeated(title: str, tally: Tally) -> Iterator[str]:
    again = [(name, line) for name, line in tally.top(_TOP) if line.runs > 1]
    if again:
        yield ""
        yield title
        for name, line in again:
            yield f"{line.runs:>8,} x  {line.example}  ({name[:8]})"


def _cut(name: str) -> str:
    return name if len(name) <= _WIDTH else name[: _WIDTH - 1] + "…"
