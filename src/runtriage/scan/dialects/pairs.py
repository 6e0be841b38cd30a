"""The numbers of one line of text, each with the name printed for it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from runtriage.scan.dialects.names import meaning, plain_name

LONGEST: Final = 8192
"""No more of a line is looked at, in characters."""
_MOST: Final = 400

NUMBER: Final = r"[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|(?i:nan|inf(?:inity)?)(?![\w]))"
_UNITS: Final = r"(?:ms|us|s|sec|secs|h|m|[KMGT]i?B?|k|[kKMGT]b?/s|%|x|B|TFLOPs?)"
_TOKEN = re.compile(
    rf"(?<![\w.@])(?P<number>{NUMBER})(?P<of>\s{{0,2}}/\s{{0,12}}(?P<total>\d+)(?![\w./:]))?"
    rf"(?:(?P<unit>\s?(?:it|s|iters?|steps?|sec|tok(?:en)?s?|samples?|im(?:a)?gs?|images?|examples?|batch(?:es)?|ms|us)/(?:s|sec|second|it|iter|step|batch)(?![\w/]|\s?[=:]))|{_UNITS}(?!\w))?"
    rf"(?![\w]|\.\w|:\d|/\d)"
)
_SEPARATED = re.compile(r"(?P<mark>[=:]|->|~|≈)?[\s'\"\[({]*$")
_BORDER = re.compile(
    r"[,;|│┃{}\[\]\t<>]|\s-\s|\s{2,}|:\s|[(](?!\w{1,12}(?:/\w{1,12}){0,3}[)])|[)](?=.)|^-+\s|[•·━╸╺█]|\"|'(?!s )|->|=>|\.\s"
)
_TIMES = re.compile(
    r"\d{4}[-/]\d\d[-/]\d\d(?:[T _]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?|(?<![\d:])\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,6})?(?![\d:])"
)
_NO_NAMES: Final = re.compile(
    r"(?:a|an|and|are|at|be|been|best|by|for|from|got|has|have|in|is|it's|of|on|or|over|per|reducing|than|that|the|this|to|was|were|with"
    r"|worker|pid|line|version|v|gpu|node)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z_%@#µ][\w./@%#:µ()'-]*")
_QUALIFIED: Final = 4


class Pair(NamedTuple):
    """A number with its name. `start` and `end` bound the number in the text, `at` is where its name starts; `total` is what follows `/`."""

    name: str
    value: float
    start: int
    end: int
    at: int
    strong: bool
    total: int | None = None


def read_pairs(text: str) -> list[Pair]:
    """Read every number of the line that has a name: `name=1`, `name: 1`, `name 1`, `'name': '1'`, `1 it/s`."""
    pairs: list[Pair] = []
    before = 0
    text = _TIMES.sub(_blank, text[:LONGEST])
    for token in _TOKEN.finditer(text):
        pair = _with_unit(token) or _named(text, before, token)
        if pair is not None or token["number"][-1].isdigit():
            before = token.end()
        if pair is not None:
            pairs.append(pair)
            if len(pairs) >= _MOST:
                break
    return pairs


def _blank(found: re.Match[str]) -> str:
    return "\0" * len(found.group())


def number(printed: str) -> float:
    """The value of a printed number; thousands may be grouped by commas."""
    return float(printed.replace(",", ""))


def _with_unit(token: re.Match[str]) -> Pair | None:
    unit = token["unit"]
    if unit is None:
        return None
    start, end = token.span("number")
    return Pair(unit.strip(), number(token["number"]), start, end, start, strong=False)


def _named(text: str, before: int, token: re.Match[str]) -> Pair | None:
    start, end = token.span("number")
    gap = text[max(before, start - 120) : start]
    separated = _SEPARATED.search(gap)
    assert separated is not None
    tail = gap[: separated.start()]
    if not tail.strip(" |│┃"):
        return None
    table = tail.rstrip()[-1:] in "|│┃"
    tail = tail.rstrip(" |│┃'\"")
    strong = separated["mark"] is not None or table
    name, at = _name(tail, strong)
    if not name or _is_no_name(name, strong, token["number"]):
        return None
    offset = start - len(gap)
    return Pair(
        name, number(token["number"]), start, end, offset + at, strong, int(token["total"]) if token["total"] else None
    )


def _is_no_name(name: str, strong: bool, printed: str) -> bool:
    if name.endswith((".py", ".cc", ".cpp", ".cu")) or "\\" in name or "\0" in name:
        return True
    if strong:
        return False
    return _NO_NAMES.fullmatch(name) is not None or (not printed[-1].isdigit() and meaning(name).role is None)


def _name(tail: str, strong: bool) -> tuple[str, int]:
    """Choose how many of the words before a number are its name."""
    borders = list(_BORDER.finditer(tail))
    first = borders[-1].end() if borders else 0
    words = [(found.group(), first + found.start()) for found in _WORD.finditer(tail[first:])]
    if not words:
        return "", 0
    for count in range(min(len(words), _QUALIFIED + 1), 0, -1):
        at = words[-count][1]
        phrase = tail[at:].strip()
        if (strong or count <= _QUALIFIED) and meaning(phrase).role is not None and _whole(phrase, count):
            return phrase, at
    if strong and len(words) <= _QUALIFIED:
        return tail[words[0][1] :].strip(), words[0][1]
    return words[-1][0], words[-1][1]


def _whole(phrase: str, count: int) -> bool:
    """A phrase of several words is a name only if each word belongs to it (`train loss`, not `for loss`)."""
    return count == 1 or len(plain_name(phrase).split("_")) >= count - phrase.endswith(")")
