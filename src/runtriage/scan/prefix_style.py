"""What a bare number or name at the start of lines means in one file, learnt from a sample of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from runtriage.model.pattern import deferred

_LINES: Final = 2000
_SHARE: Final = 0.3
_SHORT: Final = 60
"""In a paste of so many lines at most, what a few of them say tells whose they are."""
_WORDS: Final = 6
_TRACEBACK: Final = b"Traceback (most recent call last)"
_NUMBER = deferred(rb"(?P<open>\[?) {0,5}(?P<rank>\d{1,6})(?P<close>\]: |\] |: )(?P<next>.{0,80})")
_COLLECTED = deferred(
    rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?:\d{7,9}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?|\d{1,9}(?:Z|[+-]\d\d:\d\d) std(?:out|err) [FP] )"
)
_NAME = deferred(rb"(?P<node>[A-Za-z][\w.-]{0,62}\d[\w.-]{0,30}): ")
_NOT_A_HOST = deferred(rb"(?i)(?:epoch|step|iter|batch|rank|line|fold|trial|test|train|layer|round|episode)[-_]?\d")


class Style(Struct, frozen=True):
    """`bare` is the shape of bare rank numbers in this file (`[]:`, `[]`, `:`), or empty; `hosts` are names used as prefix;
    `timed` tells that a log collector put its own time before every line.
    """

    bare: str = ""
    hosts: frozenset[bytes] = frozenset()
    timed: bool = False


PLAIN: Final = Style()


def _shape(opened: bool, rest: bytes) -> str:
    return ("[]" if opened else "") + (":" if b":" in rest else "")


def learn_style(sample: bytes) -> Style:
    """Learn from the first kilobytes of a file whether its lines start with rank numbers or host names.

    Numbers are ranks when they repeat all over the file; a number that only grows is a step or a boosting round.
    """
    lines = [line for line in sample.split(b"\n", _LINES)[:_LINES] if line.strip()]
    if not lines:
        return PLAIN
    timed = sum(_COLLECTED.match(line) is not None for line in lines) >= 0.95 * len(lines)
    if timed:
        lines = [_COLLECTED.sub(b"", line, count=1) for line in lines]
    style = Style(_bare(lines), _hosts(lines), timed)
    return PLAIN if style == PLAIN else style


def _bare(lines: list[bytes]) -> str:
    seen: dict[str, list[tuple[int, bytes]]] = {}
    for line in lines:
        found = _NUMBER.match(line)
        if found is None or bool(found["open"]) != found["close"].startswith(b"]"):
            continue
        seen.setdefault(_shape(bool(found["open"]), found["close"]), []).append((int(found["rank"]), found["next"]))
    for shape, said in sorted(seen.items()):
        numbers = [number for number, _ in said]
        if len(said) >= max(3, _SHARE * len(lines)) and (
            _are_ranks(numbers) or (len(said) <= _SHORT and (_raises(said) or _alike(said)))
        ):
            return shape
    return ""


def _raises(said: Sequence[tuple[object, bytes]]) -> bool:
    """Tell whether one speaker prints the head of a traceback and the line below it."""
    pairs = pairwise(said)
    return any(
        text.startswith(_TRACEBACK) and below.startswith(b"  ") and one == other
        for (one, text), (other, below) in pairs
    )


def _alike(said: Sequence[tuple[int, bytes]]) -> bool:
    """Tell whether most numbers print the same words and one speaks again: ranks do, rounds only grow."""
    speakers: dict[bytes, set[int]] = {}
    for number, text in said:
        if len(text) >= _WORDS:
            speakers.setdefault(text, set()).add(number)
    most, distinct = max(map(len, speakers.values()), default=0), len({number for number, _ in said})
    return len(said) > distinct and most >= max(2, (distinct + 1) // 2)


def _are_ranks(numbers: list[int]) -> bool:
    distinct = len(set(numbers))
    repeated = len(numbers) >= 3 * distinct or (distinct > 1 and numbers != sorted(numbers) and len(numbers) > distinct)
    return repeated and max(numbers) < max(8 * distinct, 8)


def _hosts(lines: list[bytes]) -> frozenset[bytes]:
    said = [(found["node"], line[found.end() :]) for line in lines if (found := _NAME.match(line))]
    names = Counter(node for node, _ in said)
    sure = len(said) <= _SHORT and (_raises(said) or any(line.startswith(b"pdsh@") for line in lines))
    kept = {name for name, count in names.items() if count >= (2 if sure else 3) and not _NOT_A_HOST.match(name)}
    covered = sum(names[name] for name in kept)
    return frozenset(kept) if covered >= max(2 if sure else 3, (_SHARE if sure else 0.6) * len(lines)) else frozenset()
