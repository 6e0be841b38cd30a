"""The numbers of one line of text, each with the name printed for it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from runtriage.model.naming import bare, meaning, plain_name
from runtriage.model.pattern import deferred

LONGEST: Final = 8192
"""No more of a line is looked at, in characters."""
_MOST: Final = 400
_GAP: Final = 120
"""So far before a number its name may start, in characters."""

NUMBER: Final = r"[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|(?i:nan|inf(?:inity)?)(?![\w]))"
_UNITS: Final = r"(?:ms|us|s|sec|secs|h|m|[KMGT]i?B?|k|[kKMGT]b?/s|%|x|B|TFLOPs?)"
_TOKEN = deferred(
    rf"(?<![\w.@])(?<!\b[Tt]op-)(?P<number>{NUMBER})(?:(?<=[nNfF])\.0(?![\w.]))?(?P<of>\s{{0,2}}/\s{{0,12}}(?P<total>\d+)(?![\w./:]))?"
    rf"(?:(?P<unit>\s?(?:it|s|iters?|steps?|sec|tok(?:en)?s?|samples?|im(?:a)?gs?|images?|examples?|batch(?:es)?|ms|us)/(?:s|sec|second|it|iter|step|batch)(?![\w/]|\s?[=:]))|{_UNITS}(?!\w))?"
    rf"(?![\w]|\.\w|:\d|/\d)"
)
_VALUE_BEHIND = deferred(
    rf"\s{{1,3}}(?:{NUMBER})(?![\w.]*/|\s?(?:it|s|iters?|steps?|sec|tok(?:en)?s?|samples?|im(?:a)?gs?|images?|examples?|batch(?:es)?|ms|us)/)"
)
"""Behind a rate that stands in front of its own value: a number that has no rate of its own."""
_SEPARATED = deferred(r"(?P<mark>[=:]|->|~|≈)?[\s'\"\[({]*$")
_BORDER = deferred(
    r"[,;|│┃║{}\[\]\t<>]|\s-\s|\s{2,}|:\s|[(](?!\w{1,12}(?:/\w{1,12}){0,3}[)])|[)](?=.)|^-+\s|[•·━╸╺█]|\"|'(?!s )|->|=>|\.\s"
)
_TIMES = deferred(
    r"\d{4}[-/]\d\d[-/]\d\d(?:[T _]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?|(?<![\d:])\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,6})?(?![\d:])"
)
_NO_NAMES: Final = deferred(
    r"(?:a|an|and|are|at|be|been|best|by|for|from|got|has|have|in|is|it's|of|on|or|over|per|reducing|than|that|the|this|to|was|were|with"
    r"|worker|pid|line|version|v|gpu|node)",
    re.IGNORECASE,
)
_WORD = deferred(r"(?!\d)[\w%@#µ][\w./@%#:µ()'-]*")
_QUALIFIED: Final = 4


class Pair(NamedTuple):
    """A number with its name. `start` and `end` bound the number in the text, `at` is where its name starts; `role` what it means, `total` is what follows `/`."""

    name: str
    value: float
    start: int
    end: int
    at: int
    strong: bool
    role: str | None
    total: int | None = None


class _Name(Struct, frozen=True):
    """What the text before a number names it: `back` is how far before the number the name starts."""

    text: str
    back: int
    strong: bool
    role: str | None


def read_pairs(text: str) -> list[Pair]:
    """Read every number of the line that has a name: `name=1`, `name: 1`, `name 1`, `'name': '1'`, `1 it/s`."""
    pairs: list[Pair] = []
    before = 0
    text = _TIMES.sub(_blank, bare(text[:LONGEST]))
    for token in _TOKEN.finditer(text):
        printed, start = token["number"], token.start()
        gap = text[max(before, start - _GAP) : start]
        leads = token["unit"] is not None and _leads(token, gap, text)
        pair = _pair(token, printed, start, gap, of_unit=not leads)
        if pair is not None or printed[-1].isdigit():
            before = start + len(printed) if leads else token.end()
        if pair is not None:
            pairs.append(pair)
            if len(pairs) >= _MOST:
                break
    return pairs


def _blank(found: re.Match[str]) -> str:
    return "\0" * len(found.group())


def _leads(token: re.Match[str], gap: str, text: str) -> bool:
    """Tell whether a rate behind a number is the name of the next one: the number has another name, and one follows that has none."""
    unit = token["unit"]
    if not unit[0].isspace() or _VALUE_BEHIND.match(text, token.end()) is None:
        return False
    name = _named(gap)
    return name is not None and name.role not in (None, meaning(unit.strip()).role)


def _pair(token: re.Match[str], printed: str, start: int, gap: str, *, of_unit: bool = True) -> Pair | None:
    value = float(printed.replace(",", "") if "," in printed else printed)
    end = start + len(printed)
    if of_unit and (unit := token["unit"]) is not None:
        unit = unit.strip()
        return Pair(unit, value, start, end, start, False, meaning(unit).role)
    name = _named(gap)
    if name is None or not (name.strong or name.role or printed[-1].isdigit()):
        return None
    total = token["total"]
    return Pair(name.text, value, start, end, start - name.back, name.strong, name.role, int(total) if total else None)


@lru_cache(maxsize=8192)
def _named(gap: str) -> _Name | None:
    """Find the name in the text between the number before and this one."""
    separated = _SEPARATED.search(gap)
    assert separated is not None
    tail = gap[: separated.start()]
    table = tail.rstrip()[-1:] in tuple("|│┃║")
    tail = tail.rstrip(" |│┃║'\"")
    strong = separated["mark"] is not None or table
    name, at = _name(tail, strong)
    if not name or name.endswith((".py", ".cc", ".cpp", ".cu")) or "\\" in name or "\0" in name:
        return None
    if not strong and _NO_NAMES.fullmatch(name):
        return None
    return _Name(name, len(gap) - at, strong, meaning(name).role)


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
