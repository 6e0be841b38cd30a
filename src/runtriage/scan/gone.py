"""Numbers of any name that left all bounds by the end: a column of rows that became NaN or infinite, or grew without end."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import NUMBERS
from runtriage.model.pattern import deferred
from runtriage.scan.alike import FORMS
from runtriage.scan.draft import Draft
from runtriage.scan.families import FEWEST, Family, Line, Number, climbs, column, counts, families

_STAYS: Final = 2
"""Values at the end that must be no numbers, and share of those since the first one, before a column is lost."""
_ROWS, _GROWN, _BEGUN, _LATE, _LARGE = 8, 300.0, 30.0, 10.0, 1.0
"""Rows of a column that grew without end; its end over its least value, over its begin and over its middle (what grows evenly
only doubles from there), and the least end."""
_NEVER = deferred(
    r"(?<![a-z])(?:eta|remaining|best|min(?:imum)?|max(?:imum)?|psnr|snr|scale|budget|limit|patience|time|speed)(?![a-z])"
)
"""What may print no number in a run that is well."""
_EXPONENT = deferred(r"ppl|perplex")
"""What overflows at the start of many a run that is well."""
_GROWS = deferred(
    r"(?<![a-z])(?:lr|rate|scale|scaler|tokens?|samples?|examples?|images?|seen|steps?|time|elapsed|sec|secs|seconds|ms|s|mem\w*|rss|flops?|tflops?"
    r"|bytes|[kmg]i?b|throughput|size|count|population|temp\w*|beta|alpha|gamma|sigma|weight|coef\w*|momentum|budget|reward|return|score|acc\w*|ppl|frames|rows|n|params?|eta|seed|id|pid|port|timestamp|offset)(?![a-z])"
)
"""What grows because it counts, is scheduled, or is wanted to."""
_UNITS = deferred(
    r" ?(?:[mun\u00b5]s|s|secs?|seconds?|mins?|minutes?|h|hours?|[kmgt]i?b|bytes|%)(?![a-z])|/s(?![a-z])", re.IGNORECASE
)
_COST = deferred(
    r"loss|cost|nll|error|err|mse|mae|grad|norm|energy|objective|elbo|lik|residual|energy|(?<![a-z])(?:ce|j|f)(?![a-z])"
)
_FORGOTTEN = deferred(r"forget|unlearn|(?<![a-z])(?:cum|cumulative|cumulated|accumulated|portfolio)(?![a-z])")
"""What is to become as bad as can be, is added up, or is no cost whatever stands beside it."""
_NO_NUMBER = deferred(
    r"^\W{0,3}(?:at |in )?(?:step|iter\w*|it|epoch|ep|batch|update|round|episode)\W{0,3}\d[^.;]{0,40}?(?P<what>\b(?:loss|cost|objective|gradients?|grad norm|activations?|weights|parameters|logits|energy|reward|likelihood|elbo)\b)[^.;\d]{0,40}?"
    r"\b(?:is|are|was|were|became|becomes?|has become|turned|went|gone|hit|reached|now)\b[^.;\d]{0,24}?(?P<not>\bnot? (?:longer )?a (?:finite )?number\b|\bnot finite\b|\bnon-?finite\b|\bundefined\b|\bnan\b|\binf(?:inite|inity)?\b|\boverflow(?:ed|s)?\b)",
    re.IGNORECASE,
)
_SAYS: Final = frozenset(
    (
        "number",
        "finite",
        "nonfinite",
        "non-finite",
        "undefined",
        "nan",
        "inf",
        "infinite",
        "infinity",
        "overflow",
        "overflows",
        "overflowed",
    )
)
_HEALED = deferred(
    r"\b(?:if|when|unless|whether|in case|would|could|may|might|should|skip\w*|ignor\w*|recover\w*|retry\w*|clipp\w*|replac\w*|no\b)",
    re.IGNORECASE,
)


def gone(lines: Sequence[Line]) -> Iterator[Draft]:
    """Yield the last row of those in which a column became no number, or left its bounds, for good; and sentences that say the same."""
    for rows in families(lines):
        found = (None if _passed_over(rows, lines) else _lost(rows)) or _grown(rows)
        if found is not None:
            yield found
    yield from _sentences(lines)


def _lost(rows: Family) -> Draft | None:
    """Find a column that ends without numbers. One that never had any beside others that have is a score that is not defined."""
    if not any(climbs(column(rows, index)) for index in range(len(rows[0].numbers))):
        return None
    for index, number in enumerate(rows[0].numbers):
        values = column(rows, index)
        if math.isfinite(values[-1]) or len(values) < FEWEST or _NEVER.search(number.name):
            continue
        first = next(at for at, value in enumerate(values) if not math.isfinite(value))
        broken = sum(not math.isfinite(value) for value in values[first:])
        if broken < _STAYS or 2 * broken < len(values) - first or math.isfinite(values[-2]):
            continue
        if first == 0 and _others_are_well(rows):
            continue
        if _EXPONENT.search(number.name) and not _rising(values[:first]):
            continue
        return statement("nonfinite", rows, number, values[first - 1] if first else math.nan, len(values) - first)
    return None


def _passed_over(rows: Family, lines: Sequence[Line]) -> bool:
    """Tell whether rows say that the program leaves out what was no number, and stand singly among others: they are no course."""
    among = sum(line.start >= rows[0].start for line in lines)
    return _HEALED.search(rows[-1].words) is not None and 2 * len(rows) < among


def _rising(values: Sequence[float]) -> bool:
    """Tell whether the last of some values is far above the least."""
    return bool(values) and values[-1] >= _LATE * min(values) > 0


def _others_are_well(rows: Family) -> bool:
    """Tell whether some column that does not count is a number in every row: what never was one beside it is not used, or not defined."""
    every = range(len(rows[0].numbers))
    return any(all(map(math.isfinite, values)) and not counts(values) for values in (column(rows, at) for at in every))


def _grown(rows: Family) -> Draft | None:
    """Find a column that grew by orders of magnitude beside one that counts, the faster the later."""
    columns = [column(rows, index) for index in range(len(rows[0].numbers))]
    if len(rows) < _ROWS or not any(map(counts, columns)):
        return None
    if any(_chosen(values, rows, at) for at, values in enumerate(columns)):
        return None
    for at, (number, values) in enumerate(zip(rows[0].numbers, columns, strict=True)):
        wanted = (
            _FORGOTTEN.search(number.name)
            or (_GROWS.search(number.name) and not _COST.search(number.name))
            or _in_units(rows, at)
        )
        since = 0 if wanted or counts(values) else _since([abs(value) for value in values])
        if since:
            return statement("runaway", rows, number, values[0], since)
    return None


def _in_units(rows: Family, index: int) -> bool:
    """Tell whether a column is of times, rates or amounts of memory by the unit behind its number: what is slow has not left its bounds."""
    last = rows[-1]
    behind = last.words.partition(last.numbers[index].printed)[2]
    return _UNITS.match(behind) is not None


def _since(values: Sequence[float]) -> int:
    """Return for how many values up to the last a column has run away; 0 where it has not."""
    if not all(map(math.isfinite, values)):
        return 0
    early, end = sorted(values[:3])[1], values[-1]
    grown = max(_LARGE, _GROWN * min(values), _BEGUN * early, _LATE * values[len(values) // 2], 0.1 * max(values))
    if early <= 0 or end < grown or values[-2] < _BEGUN * early:
        return 0
    return next(len(values) - at for at in range(len(values)) if min(values[at:]) >= _LATE * early)


def _chosen(values: Sequence[float], rows: Family, index: int) -> bool:
    """Tell whether a column holds what somebody chose: round numbers, each as many times the one before."""
    steps = [later / earlier for earlier, later in pairwise(values) if earlier]
    if len(steps) < len(values) - 1 or max(values) < 100 * min(values) or min(values) <= 0:
        return False
    round_ones = sum(
        len(row.numbers[index].printed.lower().split("e")[0].replace(".", "").strip("-+0")) <= 2 for row in rows
    )
    return max(steps) <= 1.05 * min(steps) and (
        round_ones >= 0.8 * len(rows) or all(math.log2(value) % 1 == 0 for value in values)
    )


def _sentences(lines: Sequence[Line]) -> Iterator[Draft]:
    """Yield the first of the last sentences that say of a quantity at some step that it is no number any more, and not what is done about it."""
    for line in lines:
        found = _NO_NUMBER.search(line.words) if _says(line.form) else None
        if found is not None and not _HEALED.search(line.words):
            yield Draft(
                kind=STATEMENT,
                name=f"{NUMBERS}nonfinite",
                start=line.start,
                end=line.end,
                captures={"what": found["what"].lower()},
            )
            return


@lru_cache(FORMS)
def _says(form: str) -> bool:
    """Tell whether one of the words stands in lines of a form, in small letters, with which such a sentence ends."""
    return not _SAYS.isdisjoint(form.split())


def statement(kind: str, rows: Family, number: Number, before: float, since: int) -> Draft:
    """Return a statement that cites the last row: whatever part of the log is read alone, that row is in it."""
    last = rows[-1]
    numbers = {"rows": float(since), "last": last.numbers[rows[0].numbers.index(number)].value, "before": before}
    return Draft(
        kind=STATEMENT,
        name=f"{NUMBERS}{kind}",
        start=last.start,
        end=last.end,
        captures={"what": number.name or "a column without a name"},
        numbers={name: value for name, value in numbers.items() if math.isfinite(value)},
    )
