"""What two places near the end say of how labels and inputs are prepared for training and for evaluation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.scan.alike import FORMS
from runtriage.scan.families import Line

_TRAINS: Final = ("train", "fit")
_PARTS: Final = deferred(r"\s[;|]\s|;\s")
_TRAINING = deferred(r"(?<![a-z])(?:training|trainer|trained|train|fitting|fit)(?![a-z])")
_EVALUATION = deferred(
    r"(?<![a-z])(?:scored|evaluated|tested|validated|served|validation|valid|val|evaluation|eval|testing|test|inference|serving|deployment|deployed|deploy|prediction|predict|export|hold-?out|production|prod|live)(?![a-z])"
)
_PREPARED: Final = (
    (
        "labels",
        deferred(
            r"class(?:es)? (?:order|names|list)|label (?:map\w*|order|names|list|ids)|(?:label2id|id2label|class_to_idx)|encoder|id map"
        ),
    ),
    (
        "inputs",
        deferred(
            r"tokeni[sz]er|vocab(?:ulary)?(?: hash| sha| file)?|pre-?processing|normali[sz]\w+|standardi[sz]\w+|mean|(?:column|feature|channel) order|sampl(?:e|ing) rate|text case|prompt|template|units?|k?hz|kelvin|celsius"
        ),
    ),
)
_DRAWN = deferred(r"random|flip|crop|aug\w*|jitter|mixup|shuffle|drop|noise|mask")
"""What only training does to its inputs, on purpose."""
_UNIT: Final = deferred(r"(?!(?<![a-z])(?:k?hz|kelvin|celsius)(?![a-z]))\b[a-z]+")
"""Every word of a value but its unit."""
_VALUE: Final = deferred(r"\s?[:=]\s|\s(?=-?\d)")
_NUMBERS: Final = deferred(r"-?\d+(?:\.\d+)?")
_NUMBERED = deferred(r"(?<![\w.])(\d{1,4})\s?[=:]\s?['\"]?([a-z][\w-]{0,40})")
_NAMED = deferred(r"['\"]?(?<![\w.-])([a-z][\w-]{0,40})['\"]?\s?[=:]\s?(\d{1,4})(?![\w.])")
_CLASSES: Final = 3
_MENDED = deferred(r"re-?map|re-?order|realign|permut|converted|count|samples|support")
"""What accounts for another numbering, or shows that the numbers number nothing."""


def prepared(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the second of two statements, one of training and one of evaluation, that name the same property with two values."""
    yield from _renumbered(lines)
    if not any(word in line.low for line in lines for word in _TRAINS):
        return
    said = [(part, line) for line in lines for part in _PARTS.split(line.low)]
    for (one, _), (two, line) in pairwise(said):
        for first, second in ((one, two), (two, one)):
            trained = _property(_TRAINING, first) if any(map(first.__contains__, _TRAINS)) else None
            judged = _property(_EVALUATION, second) if trained is not None else None
            if trained is None or judged is None or trained[0] != judged[0]:
                continue
            kind = next(
                (name for name, shape in _PREPARED if shape.search(f"{trained[0]} {_UNIT.sub('', trained[1])}")), None
            )
            if kind is not None and _contradict(trained[1], judged[1]):
                yield kind, line


def _property(place: re.Pattern[str], words: str) -> tuple[str, str] | None:
    """Return what a part of a line says of a property of one place: its name without the place, and its value."""
    found = place.search(words)
    if found is None:
        return None
    plain = f"{words[: found.start()]}#{words[found.end() :]}"
    split = _VALUE.search(plain, found.start() + 1)
    if split is None:
        return None
    name, value = plain[: split.start()].strip(), plain[split.end() :].strip()
    inner = re.match(r"[a-z_]{4,24}(?=[(\[])", value)  # `train: normalise(...)` names its property in the value
    return f"{name} {inner[0] if inner else ''}".strip(), value


def _contradict(one: str, two: str) -> bool:
    """Tell whether two values are no versions of one: other words, another order, or numbers of another size."""
    if not one or not two or one == two or _DRAWN.search(f"{one} {two}"):
        return False
    plain = _NUMBERS.sub("0", one) == _NUMBERS.sub("0", two)
    if not plain or re.search(r"[\[{]|\bsha|\bv?\d+\.\d+\.\d+\b", one):
        return True
    first, second = (list(map(float, _NUMBERS.findall(value))) for value in (one, two))
    return any(
        abs(left - right) > max(0.5, 2 * min(abs(left), abs(right))) for left, right in zip(first, second, strict=True)
    )


def _renumbered(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the second of two lines that number the same names differently."""
    maps = [(line, names) for line in lines if (names := _numbering(line.low, line.form))]
    for (one, first), (two, second) in combinations(maps, 2):
        if first.keys() == second.keys() and first != second and not _MENDED.search(one.low + two.low):
            yield "labels", two


def _numbering(words: str, form: str) -> Mapping[str, str]:
    """Return names with their numbers where a line gives to each name one of its own, from zero or one on; none where it does not."""
    for places in _pairs(form):
        names = {words[name]: words[number] for name, number in places}
        if len(names) < len(places):
            continue
        numbers = sorted(int(number) for number in names.values())
        if numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(names))):
            return names
    return {}


@lru_cache(FORMS)
def _pairs(form: str) -> tuple[tuple[tuple[slice, slice], ...], ...]:
    """Return where the names and their numbers stand in lines of a form, numbers first or names first, where there are enough."""
    found = (
        tuple((slice(*each.span(2)), slice(*each.span(1))) for each in _NUMBERED.finditer(form)),
        tuple((slice(*each.span(1)), slice(*each.span(2))) for each in _NAMED.finditer(form)),
    )
    return tuple(places for places in found if len(places) >= _CLASSES)
