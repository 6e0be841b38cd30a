"""Learns how one file prints its metrics, from lines of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.scan.contract import MetricLine
from runtriage.scan.dialects.counted import Counted, find_counted
from runtriage.scan.dialects.lines import Said, metric_line, read_line
from runtriage.scan.dialects.pairs import Pair
from runtriage.scan.dialects.rowed import SMALL, Rowed, find_rows
from runtriage.scan.dialects.table import Table, find_tables
from runtriage.scan.prefix import read_prefix
from runtriage.scan.shape import PER_SHAPE, shape_of

_DIALECTS: Final = 32
_TABLES: Final = 4
_SHORTEST: Final = 4
_INSIDE: Final = ("setting", "rank", "step", "epoch", "batch", "best")
"""Roles that only matter for reading a line."""
_SCORES: Final = ("metric", "eval_metric", "reward", "grad_norm", "lr")
_MANY: Final = 10
_LOSS = deferred(r"loss", re.IGNORECASE)
_DIGITS = deferred(r"\d")
_A_DIGIT = deferred(rb"\d")
_RATE = deferred(r"[ ,?](?:[\d.]+|\?)(?:(?P<unit>[A-Za-z_]{2,20})/s|s/(?P<per>[A-Za-z_]{2,20}))")


class Learnt(Struct, frozen=True):
    """One way in which a file prints metrics."""

    name: str
    anchors: tuple[bytes, ...]
    fields: tuple[tuple[bytes, str], ...]

    def parse(self, line: bytes, /) -> MetricLine | None:
        """Read one whole line; None when it holds no metrics."""
        return parse(line)


@lru_cache(maxsize=8)
def parse(line: bytes) -> MetricLine | None:
    """Read one whole line of any dialect that names its numbers; None when it holds no metrics."""
    said = read_line(_words(line))
    return metric_line(said) if said is not None else None


def _words(line: bytes) -> str:
    return line[read_prefix(line).end :].decode("utf-8", "replace")


class FileMetrics:
    """How metrics are found in one artifact."""

    def __init__(self, size: int | None = None) -> None:
        """`size` is that of the artifact in bytes, where it is known."""
        self._small = size is not None and size <= SMALL
        self._settled: set[bytes] = set()
        """Shapes of lines that have taught all they can: none of the few that were read was a metric line, or they said what any of them says."""
        self._placed = False
        """Whether a line was met that says where it stands."""

    def learn(
        self, lines: Sequence[bytes], all_lines: Sequence[bytes] = (), /
    ) -> Sequence[Learnt | Table | Counted | Rowed]:
        """Return the dialects in these lines that were not learnt before, most frequent first, tables before all.

        Where no line says where it stands, those of `all_lines` that count by a word of their own are the next.
        """
        counted: Counter[tuple[bytes, ...]] = Counter()
        first: dict[tuple[bytes, ...], Learnt] = {}
        for shape, alike in self._unsettled(lines).items():
            read = [_read(line) for line in alike]
            self._placed = self._placed or any(placed for _, placed in read)
            found = [learnt for learnt, _ in read if learnt is not None]
            for learnt in found:
                counted[learnt.anchors] += 1
                first.setdefault(learnt.anchors, learnt)
            anchors = {anchor for learnt in found for anchor in learnt.anchors}
            if len(alike) >= PER_SHAPE and len(found) in (0, len(alike)) and not any(map(_A_DIGIT.search, anchors)):
                self._settled.add(shape)
        tables = list(dict.fromkeys(find_tables(lines)))[:_TABLES]
        own = () if self._placed or tables else list(find_counted(all_lines))
        rows = find_rows(all_lines, placed=self._placed or bool(tables or own)) if self._small else ()
        return [*tables, *own, *rows, *(first[anchors] for anchors, _ in counted.most_common(_DIALECTS))]

    def _unsettled(self, lines: Sequence[bytes]) -> dict[bytes, list[bytes]]:
        found: dict[bytes, list[bytes]] = {}
        for line in lines:
            shape = shape_of(line)
            if shape not in self._settled:
                found.setdefault(shape, []).append(line)
        return found

    def role(self, name: str, /) -> str | None:
        """Return what the metric with this name means."""
        evaluating = name.startswith("eval ")
        role = meaning(name.removeprefix("eval "), evaluating).role
        return None if role in _INSIDE else role


def _read(line: bytes) -> tuple[Learnt | None, bool]:
    """Return how one line prints its metrics, or None where it prints none, and whether it says where it stands."""
    text = _words(line)
    said = read_line(text)
    if said is None:
        return None, False
    return _learn(text[said.start :], said), (said.position.step, said.position.epoch) != (None, None)


def _learn(words: str, said: Said) -> Learnt | None:
    fields = [(literal, pair.name) for pair in said.pairs if (literal := _literal(words, pair))]
    anchors = _anchors(words, said)
    return Learnt(_name(words, said), anchors, tuple(fields)) if anchors else None


def _literal(words: str, pair: Pair) -> bytes:
    """The text directly before a number: what separates it from its name, the name behind its last digit, one character before it."""
    literal = words[max(pair.at - 1, 0) : pair.start].rstrip(" '\"\t")
    return b"" if pair.at >= pair.start else _DIGITS.split(literal)[-1].encode()


def _anchors(words: str, said: Said) -> tuple[bytes, ...]:
    """Literals of which every line like this one holds at least one; the fewer different ones, the faster they are found."""
    for pair in said.pairs:
        if (found := _LOSS.search(pair.name)) is not None:
            return (found.group().encode(),)
    if said.position.kind in ("bar", "side-bar") and (rate := _RATE.search(words)):
        unit = (rate["per"] or rate["unit"]).encode()
        return (unit + b"/s", b"s/" + unit) if len(unit) >= 2 else ()
    if said.position.kind == "bracket" and said.position.total and not said.pairs:
        return (f"/{said.position.total}]".encode(),) if said.position.total >= _MANY else ()
    known = [pair for pair in said.pairs if pair.role is not None]
    scores = [pair for pair in known if pair.role in _SCORES]
    for pairs in (scores, known, said.places, said.pairs):
        literals = [literal for pair in pairs if len(literal := _literal(words, pair)) >= _SHORTEST]
        if literals:
            return (max(literals, key=len),)
    return next(((short,) for pair in said.places if len(short := _literal(words, pair)) == _SHORTEST - 1), ())


def _name(words: str, said: Said) -> str:
    kind = said.position.kind
    if kind == "side-bar":
        return "bar"
    if kind:
        return kind
    if words.startswith("{'"):
        return "hf-dict"
    if words.startswith("{"):
        return "json"
    if words.count("|") >= 3:
        return "megatron"
    return "key-value"
