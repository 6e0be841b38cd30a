"""Words of the run inside sentences of the tool, between marks that the run cannot write itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from runtriage.api.orders import orders, withheld
from runtriage.api.orders_search import words
from runtriage.model.report import Report

OPEN: Final = "⟦"
CLOSE: Final = "⟧"
_FEW: Final = 3
"""So many words in a row that stand in the run's own text are a quotation."""
_LONG_WORD: Final = 40
_ENDS: Final = ";,.:)]}'\""
_PLAIN: Final = str.maketrans({OPEN: "[", CLOSE: "]"})


class Quotes:
    """The run's own text, as far as a report carries it; marks what sentences take from it."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = f" {' '.join(' '.join(texts).translate(_PLAIN).split())} "

    def told(self, text: str, length: int) -> str:
        """Return a text of the tool that may quote the run: without orders, on one line, cut, its quotations between marks."""
        line = one_line(text, length)
        pieces = line.split(" ")
        found: list[str] = []
        at = 0
        while at < len(pieces):
            end, loose = self._quoted(pieces, at)
            long = end - at >= _FEW or (end > at and len(pieces[at]) > _LONG_WORD)
            if not long:
                found.append(pieces[at])
                at += 1
                continue
            quoted = " ".join(pieces[at:end])
            found.append(f"{OPEN}{quoted[: len(quoted) - loose]}{CLOSE}{quoted[len(quoted) - loose :]}")
            at = end
        return " ".join(found)

    def name(self, text: str, length: int) -> str:
        """Return the name of a file or a place in one; one that gives orders stands between marks."""
        line = one_line(text, length)
        return f"{OPEN}{line}{CLOSE}" if orders(words(line)) else line

    def _quoted(self, pieces: list[str], at: int) -> tuple[int, int]:
        """Return where the longest quotation that starts at a word ends, and how many signs at its end are the tool's own."""
        end = at
        while end < len(pieces) and f" {' '.join(pieces[at : end + 1])} " in self._text:
            end += 1
        if end < len(pieces):
            last = pieces[end].rstrip(_ENDS)
            if last and f" {' '.join([*pieces[at:end], last])}" in self._text:
                return end + 1, len(pieces[end]) - len(last)
        return end, 0


def quotes(*reports: Report) -> Quotes:
    """Return what reports carry of the run's own text."""
    return Quotes(text for report in reports for item in report.evidence for text in (item.excerpt, *item.context))


def one_line(text: str, length: int) -> str:
    """Return a text without orders and without marks of quotation, on one line, cut."""
    line = " ".join(withheld(text).translate(_PLAIN).split())
    return line if len(line) <= length else line[: length - 1] + "…"
