"""Evaluations that print under which settings they ran: one score must not depend on how many samples are evaluated together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from runtriage.model.naming import Meaning, meaning, plain_name
from runtriage.model.pattern import deferred
from runtriage.scan.families import Line, Number
from runtriage.scan.scores import JUDGED, TRAIN

_WORK: Final = deferred(r"(?:(?:eval|val|test|per_device)_)?(?:bs|batch|batch_?size)")
"""The setting that only says how the work is shared. More devices, shards or replicas may as well be more data, parts of an index or members."""
_SCORE: Final = Meaning("metric", "higher")
_EVALUATION: Final = frozenset(("eval", "val", "valid", "validation", "dev", "test", "macro", "micro"))
_MEANT: Final = deferred(
    r"(?<![a-z])(?:calibrat\w*|quanti[sz]\w*|ptq|int[248]|fp8|(?:in-?)?batch negatives?|negatives?|contrastive|info-?nce|clip|retriev\w*|ensembl\w*|ablat\w*|train-mode|adapt\w*|tent|kept|keep\w*|chose\w*|choos\w*|pick\w*|select\w*)(?![a-z])"
)
"""Where a score may depend on the batch: what is fitted to it, what is told apart within it, and a search for the best size."""
_SEARCH = deferred(
    r"(?<![a-z])(?:trial|sweep|grid|config|lr|learning[ _-]rate|epochs?|steps?|seed|hidden|layers|dropout|train\w*|best|optuna|hparams?)(?![a-z])"
)
"""A search among models, each of which was trained by itself."""
_APART: Final = 0.05
"""Part of the better score."""
_DIGITS, _MOST = 2, 100
"""Least digits behind the point, and the most a share is, in percent."""
_Told = tuple[Mapping[str, Number], Mapping[str, Number]]


def regrouped(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the later of two evaluations that differ in how the work is shared and in a score, and in no other whole number."""
    told = [(line, _named(line)) for line in lines if _evaluates(line)]
    if len(told) > 1 and meant(lines):
        return
    for (one, first), (two, second) in combinations(told, 2):
        if one.low[: _begin(one)] == two.low[: _begin(two)] and _only_shared_otherwise(first, second):
            yield "batching", two


def meant(lines: Sequence[Line]) -> bool:
    """Tell whether some line says why a score may depend on how many samples are evaluated together."""
    return any(_MEANT.search(line.low) for line in lines)


def _evaluates(line: Line) -> bool:
    """Tell whether a line says before its first number that it is of an evaluation, and nothing of how a model was trained."""
    front = line.front + line.low[: _begin(line)]
    return (
        bool(line.numbers)
        and JUDGED.search(front, front) is not None
        and not _SEARCH.search(line.low)
        and not TRAIN.found(line.low, line.form)
    )


def _begin(line: Line) -> int:
    return line.low.find(line.numbers[0].printed.lower()) if line.numbers else 0


def _named(line: Line) -> tuple[Mapping[str, Number], Mapping[str, Number]]:
    """Return the whole numbers of a line before its first other one, and that and those behind it, by the last words of their names."""
    whole: dict[str, Number] = {}
    others: dict[str, Number] = {}
    for number in line.numbers:
        name = number.name.split()[-1] if number.name else ""
        if "." in number.printed:
            others.setdefault(name, number)
        elif not others:
            whole.setdefault(name, number)
    return whole, others


def _only_shared_otherwise(first: _Told, second: _Told) -> bool:
    (settings, scores), (other_settings, other_scores) = first, second
    differing = {
        name
        for name, number in settings.items()
        if name in other_settings and number.value != other_settings[name].value
    }
    if settings.keys() != other_settings.keys() or [bool(_WORK.fullmatch(name)) for name in differing] != [True]:
        return False
    return any(_differ(name, number, other_scores[name]) for name, number in scores.items() if name in other_scores)


def _differ(name: str, one: Number, two: Number) -> bool:
    """Tell whether two numbers of one name are scores, each a share, and far apart: times and rates are none."""
    low, high = sorted((one.value, two.value))
    return (
        _is_score(name)
        and low >= 0
        and high <= _MOST
        and high - low >= _APART * high
        and _precise(one)
        and _precise(two)
    )


def _is_score(name: str) -> bool:
    """Tell whether a name is that of a known score, alone or with the part of the data: whatever else is in it may make it another one.

    Rates, use and efficiency of a machine change with the batch in any run.
    """
    words = [word for word in plain_name(name).split("_") if word not in _EVALUATION]
    return "rate" not in words and meaning("_".join(words)) == _SCORE


def _precise(number: Number) -> bool:
    return len(number.printed.partition(".")[2]) >= _DIGITS
