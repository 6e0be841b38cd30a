"""Rewrites a pattern so that finding it is cheap; what is found is always confirmed with the pattern itself."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from runtriage.model.pattern import deferred
from runtriage.model.programs import PROGRAMS

_TOKEN: Final = deferred(
    r"(?P<open>\((?:\?(?:P<\w+>|[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]))?)"
    r"|(?P<close>\))"
    r"|(?P<alt>\|)"
    r"|(?P<repeat>(?:[*+?]|\{(?P<least>\d+)(?P<more>,(?P<most>\d*))?\})\??)"
    r"|(?P<atom>\[\^?\]?(?:\\.|[^\]\\])*\]|\\(?:x[0-9A-Fa-f]{2}|.)|.)",
    re.DOTALL,
)
_TIMES: Final = deferred(r"(?<!\\)\{\d+(?:,\d*)?\}")
_A_DIGIT: Final = deferred(r"\d")
_LITERAL: Final = 8
"""Characters in a row from which on what stands before them need not be looked for."""
_ENOUGH: Final = 12
"""Characters in a row that are so rare in any log that nothing else of a pattern need be looked for where finds are confirmed."""
_WIDE: Final = 50
"""Bounded repeats of at least this many are made unbounded: they cost much to compile and to follow. Shorter ones let an engine look
for the rarer end of a pattern first."""
_WIDE_CONFIRMED: Final = 8
"""The same where finds are confirmed: such a pattern has a long literal to be looked for, and a bound would only be checked twice."""


class Token(NamedTuple):
    """One piece of a pattern: `open`, `close`, `alt`, `atom`, or a `repeat` of the piece before it, of which `least` and `most` tell how often."""

    kind: str
    text: str
    least: int = 1
    most: int | None = 1


def loosen(regex: str, *, confirmed: bool = False) -> str:
    """Return a pattern that finds something wherever `regex` does within a line, never ending later.

    Repeats at the end are cut to their least number (they would report a match a byte), long bounded repeats lose their bound, and
    no class matches a line break unless it names it. Of a pattern that is `confirmed`, what stands before its first long literal is
    left out: words and numbers of any length in front of it cost as much as many patterns. Of one with a very long literal nothing else is left.
    """
    tokens = [_within_line(token) for token in tokens_of(regex)]
    while (shorter := _trimmed(tokens)) is not None:
        tokens = shorter
    if confirmed:
        tokens = tokens[_front(tokens) :]
        length = _literal_front(tokens)
        tokens = tokens[:length] if length >= _ENOUGH else tokens
    wide = _WIDE_CONFIRMED if confirmed else _WIDE
    return "".join(_unbounded(token, wide) for token in tokens)


def digits_alike(regex: str) -> str:
    """Return a pattern that finds something in a text whose digits are all zeros wherever `regex` does with some other digits in it.

    A pattern that treats all digits alike is returned as it is: one in which no digit stands, but for how often something is repeated.
    """
    if _A_DIGIT.search(_TIMES.sub("", regex)) is None:
        return regex
    return PROGRAMS.derived("digits", regex, _digits_alike, str)


def _digits_alike(regex: str) -> str:
    return "".join(_any_digit(token.text) if token.kind == "atom" else token.text for token in tokens_of(regex))


@lru_cache(maxsize=4096)
def _any_digit(atom: str) -> str:
    """Return what stands for one character and takes every digit if `atom` takes any."""
    if len(atom) == 1 and not atom.isdigit():
        return atom
    taken = [re.fullmatch(atom, digit) is not None for digit in "0123456789"]
    return rf"(?:{atom}|\d)" if any(taken) and not all(taken) else atom


def tokens_of(regex: str) -> list[Token]:
    """Cut a pattern into its pieces."""
    found: list[Token] = []
    for match in _TOKEN.finditer(regex):
        kind = match.lastgroup if match.lastgroup in ("open", "close", "alt", "atom") else "repeat"
        if kind != "repeat":
            found.append(Token(kind, match.group()))
            continue
        sign = match.group()[0]
        least = int(match["least"]) if sign == "{" else 1 if sign == "+" else 0
        bound = (int(match["most"]) if match["most"] else None) if match["more"] else least
        found.append(Token(kind, match.group(), least, bound if sign == "{" else 1 if sign == "?" else None))
    return found


def _within_line(token: Token) -> Token:
    if token.kind == "atom" and token.text.startswith("[^") and r"\n" not in token.text:
        rest = token.text[2:]
        return token._replace(text=rf"[^\n\{rest}" if rest.startswith("]") else rf"[^\n{rest}")
    return token


def _trimmed(tokens: list[Token]) -> list[Token] | None:
    """Cut the repeat that only closing brackets follow to its least number; None where there is nothing to cut."""
    at = len(tokens) - 1
    while at >= 0 and tokens[at].kind == "close":
        at -= 1
    if at < 1 or tokens[at].kind != "repeat" or tokens[at - 1].kind != "atom" or tokens[at].least == tokens[at].most:
        return None
    if tokens[at].least == 0:
        return tokens[: at - 1] + tokens[at + 1 :]
    count = tokens[at].least
    fixed = [] if count == 1 else [Token("repeat", f"{{{count}}}", count, count)]
    return tokens[:at] + fixed + tokens[at + 1 :]


def _front(tokens: list[Token]) -> int:
    """Return where the first long literal begins that every match holds, or 0 where that or fixed text begins the pattern."""
    depth = 0
    outside: list[bool] = []
    for token in tokens:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "alt" and depth == 0:
            return 0
        outside.append(depth == 0 and is_literal(token))
    fixed = [
        plain and not (after is not None and after.kind == "repeat")
        for plain, after in zip(outside, [*tokens[1:], None], strict=True)
    ]
    return next((at for at in range(len(tokens)) if all(fixed[at : at + _LITERAL]) and len(fixed) - at >= _LITERAL), 0)


def _literal_front(tokens: list[Token]) -> int:
    """Return how many characters at the front every match holds as they are; 0 where a pattern has alternatives outside of brackets."""
    depth = 0
    for token in tokens:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "alt" and depth == 0:
            return 0
    length = next((at for at, token in enumerate(tokens) if not is_literal(token)), len(tokens))
    return length - (length < len(tokens) and tokens[length].kind == "repeat")


def is_literal(token: Token) -> bool:
    """Tell whether a piece stands for one character and no other."""
    text = token.text
    if token.kind != "atom" or text.startswith("["):
        return False
    return text not in ".^$" if len(text) == 1 else len(text) == 2 and not text[1].isalnum()


def _unbounded(token: Token, wide: int) -> str:
    if token.kind != "repeat" or token.most is None or token.most < wide or token.least == token.most:
        return token.text
    return {0: "*", 1: "+"}.get(token.least, f"{{{token.least},}}")
