"""Long lists of alternatives that hardly any line holds: each is looked for only where a word stands that it cannot do without."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from runtriage.model.programs import PROGRAMS
from runtriage.scan.loosen import Token, is_literal, tokens_of

_SHORTEST: Final = 2


class WordsFirst:
    """A pattern that ignores case; only whether it is found can be asked."""

    def __init__(self, regex: str) -> None:
        self._regex = regex
        self._branches: list[tuple[tuple[str, ...], str, re.Pattern[str] | None]] = []

    def found(self, text: str) -> bool:
        """Tell whether the pattern occurs in a text."""
        if not self._branches:
            branches = PROGRAMS.derived("words", self._regex, _branches, list[tuple[tuple[str, ...], str]])
            self._branches = [(words, regex, None) for words, regex in branches]
        plain = text.lower() if text.isascii() else None
        for at, (words, regex, pattern) in enumerate(self._branches):
            if words and plain is not None and not any(map(plain.__contains__, words)):
                continue
            if pattern is None:
                pattern = PROGRAMS.compiled(regex, re.IGNORECASE)
                self._branches[at] = (words, regex, pattern)
            if pattern.search(text) is not None:
                return True
        return False


def _branches(regex: str) -> list[tuple[tuple[str, ...], str]]:
    """Return the alternatives of a pattern, each behind words one of which every match of it holds."""
    return [(needed(each), "".join(token.text for token in each)) for each in _alternatives(tokens_of(regex))]


def needed_by_all(regex: str) -> tuple[str, ...]:
    """Return words in small letters one of which every match of a pattern holds; none where that is not known."""
    return tuple(dict.fromkeys(_of_group(tokens_of(regex))))


def needed(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return words in small letters one of which every match of a branch holds, the longest there are; none where that is not known."""
    best: tuple[str, ...] = ()
    run, at = "", 0
    while at < len(tokens):
        token = tokens[at]
        stop = _closing(tokens, at) if token.kind == "open" else at + 1
        repeat = tokens[stop] if stop < len(tokens) and tokens[stop].kind == "repeat" else None
        if is_literal(token) and (repeat is None or repeat.least):
            run += token.text[-1].lower()
        words: tuple[str, ...] = ()
        if token.kind == "open" and (repeat is None or repeat.least):
            words = _of_group(tokens[at + 1 : stop - 1])
        if repeat is not None or not is_literal(token):
            best, run = _better(best, (run,)), ""
        best = _better(best, words)
        at = stop + (repeat is not None)
    return _better(best, (run,))


def _of_group(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the same of what stands in brackets; of what is only looked at ahead or behind, nothing."""
    if tokens and tokens[0].kind == "repeat":
        return ()
    found = [needed(branch) for branch in _alternatives(tokens)]
    return tuple(word for words in found for word in words) if all(found) else ()


def _better(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    least = min(map(len, other), default=0)
    return other if least >= _SHORTEST and least > min(map(len, one), default=0) else one


def _closing(tokens: Sequence[Token], at: int) -> int:
    """Return the place behind the bracket that closes the one at a place."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].kind == "open") - (tokens[place].kind == "close")
        if depth == 0:
            return place + 1
    return len(tokens)


def _alternatives(tokens: Sequence[Token]) -> list[list[Token]]:
    """Cut a pattern at the bars that stand in no brackets."""
    branches: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "alt" and depth == 0:
            branches.append([])
        else:
            branches[-1].append(token)
    return branches
