"""Source lines of a piece of evidence, the cited ones marked."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from runtriage.model.report import CheckpointModel, EvidenceModel, Report
from runtriage.render.extras import size, where


class SourceLine(Struct, frozen=True):
    """One line of a file; `number` is None when it is not known."""

    number: int | None
    text: str
    cited: bool


class Proof(Struct, frozen=True):
    """One claim with its place and the lines that say it."""

    item: EvidenceModel
    place: str
    lines: list[SourceLine]
    facts: list[str]


def proofs(report: Report) -> list[Proof]:
    """Return the evidence, each with its lines and what else is known of it."""
    return [Proof(item, where(item.citation), lines(item), _facts(item)) for item in report.evidence]


def lines(item: EvidenceModel) -> list[SourceLine]:
    """Return the context where the report carries it, else the excerpt."""
    first = item.citation.first_line
    if item.context and item.context_first_line is not None:
        last = item.citation.last_line or first or 0
        found = [
            SourceLine(number, text, first is not None and first <= number <= last)
            for number, text in enumerate(item.context, item.context_first_line)
        ]
        while found and not found[-1].text and not found[-1].cited:
            found.pop()
        return found
    if not item.excerpt:
        return []
    return [
        SourceLine(None if first is None else first + offset, text, True)
        for offset, text in enumerate(item.excerpt.split("\n"))
    ]


def _facts(item: EvidenceModel) -> list[str]:
    known = [f"rank {item.rank}"] if item.rank is not None else []
    known += [item.time] if item.time else []
    known += [item.quantity] if item.quantity else []
    return known


def checkpoint_state(item: CheckpointModel) -> tuple[str, str]:
    """Return a word for the state of a checkpoint and the tone it is shown in."""
    if item.last_good:
        return "last good", "good"
    if item.valid is False or item.problem:
        return "broken", "bad"
    return ("valid", "good") if item.valid else ("not checked", "quiet")


def checkpoints(report: Report) -> list[tuple[CheckpointModel, str, str, str, str]]:
    """Return each checkpoint with its size, when it was written, its state and tone."""
    return [
        (item, "" if item.size is None else size(item.size), _minute(item.time or ""), *checkpoint_state(item))
        for item in report.checkpoints
    ]


def _minute(time: str) -> str:
    """Return a time of ours to the minute as people write it, any other as it is."""
    return f"{time[:10]} {time[11:16]} UTC" if time[10:11] == "T" and time.endswith("+00:00") else time


def left_out(whole: Sequence[object], shown: Sequence[object]) -> int:
    """Return how many entries the page does not show."""
    return len(whole) - len(shown)
