"""Scores as lines print them: what is measured, how much of it, and the words that say where."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, pairwise, zip_longest
from typing import Final

from msgspec import Struct

from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.scan.alike import FORMS, Alike
from runtriage.scan.families import Line

_NUMBER = deferred(
    r"(?<![\w.@-])(?P<value>-?\d{1,6}(?:\.\d{1,8})?)(?P<percent> ?%)?(?![\w/]|\.\d|-\d| ?(?:s|ms|secs?|seconds?|mins?|minutes?|\u79d2)(?![a-z]))"
)
_WORD = deferred(r"[A-Za-z][\w@+^-]*(?:@[\w.]+)?|mAP@[\d.:]+")
_MEASURES: Final = ("loss", "metric", "eval_loss", "eval_metric")
_NEAR: Final = 8
"""Words before a number among which its metric stands."""
_LITTLE: Final = frozenset(
    ("a", "an", "the", "of", "on", "in", "at", "to", "for", "from", "with", "and", "same", "its", "is", "was")
)
"""Words between a metric and its number that tell nothing."""
_INNER: Final = 60
"""Characters between two scores of one metric that is named once."""
_CUT = deferred(r"[._]?\d+k?$")
_SAME: Final = {
    "accuracy": "acc",
    "top1": "acc",
    "top-1": "acc",
    "perplexity": "ppl",
    "auroc": "auc",
    "roc_auc": "auc",
    "miou": "iou",
    "map50": "map",
    "exact_match": "em",
}
_NO_METRIC: Final = frozenset(("test", "learn", "objective"))
"""What names a part of the data, or nothing in particular, as often as a measure."""
NEVER_TRAINED: Final = frozenset(
    ("bleu", "chrf", "rougel", "rouge", "wer", "cer", "fid", "map", "ndcg", "mrr", "eer", "em")
)
"""What is only ever computed in an evaluation."""
_ERRORS: Final = frozenset(("wer", "cer", "eer", "ter", "mer"))
_MOST_ERRORS: Final = 3.0
"""Rates of errors, and from where on one is a percentage, with its sign or without."""
_UNBOUNDED: Final = frozenset(("fid", "psnr"))


TRAIN = Alike(r"(?<![a-z])(?:re-?)?(?:training|trained|train|trn|tr|fitted|fit)(?![a-z])")
JUDGED = Alike(
    r"(?<![a-z])(?:val|va|valid\w*|dev|cv|cross-?valid\w*|oof|hold[ -]?out|held[ -]?out|tests?|eval\w*)(?![a-z])"
)
_BEFORE: Final = r"in[- ](?:training|process|memory)|during training|trainer|reported|logged|expected|original|before (?:saving|export\w*|conver\w*)|torch|pytorch|keras|jax|fp32|bf16|fp16|eager|tokeni[sz]ed|local|single|offline|notebook|one gpu|1 gpu|cpu|internal"
_ELSEWHERE: Final = r"tests?|hold[ -]?out|held[ -]?out|private|fresh|new data|unseen|live|production|prod|deploy\w*|back-?test|out-of-(?:time|sample)|leaderboard|harness|external|clean|submission|shadow|online|replay|server|future|later|walk[- _]forward|hidden|published|benchmark|standard"
_ANEW: Final = r"(?:after |from )?re-?load\w*|read (?:back|again)|restor\w*|loaded|export\w*|onnx|tflite|fp8|int8|int4|quanti[sz]ed|compiled|serv(?:ed|ing|ice)|endpoint|rest|api|sacrebleu|detok\w*|sklearn|official|reference|distributed|ddp|multi-gpu|torch-?script|tensorrt|trt|core-?ml|standalone|from disk|re-?evaluat\w*|re-?scor\w*|(?:score|eval|evaluate|predict)\.py|engine|converted|very same|same (?:data|set|rows|images|split|holdout|weights|model)"
BEFORE = Alike(rf"(?<![a-z])(?:{_BEFORE})(?![a-z])")
ELSEWHERE = Alike(rf"(?<![a-z])(?:{_ELSEWHERE})(?![a-z])")
ANEW = Alike(rf"(?<![a-z])(?:{_ANEW})(?![a-z])")
PLACE = Alike(
    rf"(?<![a-z])(?:{_BEFORE}|{_ELSEWHERE}|{_ANEW}|training|train|trn|tr|val|va|valid\w*|dev|cv|(?:rank|gpu|worker|replica)[ _]?\d?)(?![a-z])|rank|gpu|worker|replica"
)
"""Where a score was reached: in training, on what was held out, elsewhere, or with the same weights once more."""


class Score(Struct, frozen=True):
    """A score: its metric, its value (a share of one where it is a share), whether less is better, and the words it is called by with their form."""

    metric: str
    value: float
    cost: bool
    words: str
    form: str


def worse(one: Score, other: Score) -> bool:
    """Tell whether the first of two scores of one metric is the worse one."""
    return one.value > other.value if one.cost else one.value < other.value


def scores(line: Line) -> list[Score]:
    """Return the scores of a line. A metric that is named once counts for a number that follows soon, too."""
    found: list[Score] = []
    named: tuple[str, bool] | None = None
    begin = at = 0
    text, form = line.low, line.form
    for start, end, value, percent in _numbers(form):
        gap = text[at:start]
        own = _metric(tuple([word for word in _WORD.findall(gap) if word not in _LITTLE][-_NEAR:]))
        named = own or (named if found and len(gap) <= _INNER and PLACE.found(gap, form[at:start]) else None)
        printed = text[value]
        if "." not in printed and not percent:
            continue  # a count, which may stand between a metric and its value
        at = end
        if named is None:
            continue
        share = _share(named, float(printed), percent=percent)
        if share is not None:
            found.append(Score(named[0], share, named[1], text[begin:start], form[begin:start]))
            begin = at
    return found


@lru_cache(FORMS)
def _numbers(form: str) -> tuple[tuple[int, int, slice, bool], ...]:
    """Return where the numbers of lines of a form begin and end, their digits, and whether they are percentages; nothing where all are counts."""
    found = [
        (each.start(), each.end(), slice(*each.span("value")), bool(each["percent"])) for each in _NUMBER.finditer(form)
    ]
    return tuple(found) if any(percent or "." in form[value] for _, _, value, percent in found) else ()


@lru_cache(FORMS)
def _metric(words: tuple[str, ...]) -> tuple[str, bool] | None:
    """Return the last of the words before a number that names a metric, in its plain form, and whether less of it is better."""
    pairs = [f"{first}_{second}" for first, second in pairwise(words)]
    for word in chain.from_iterable(zip_longest(reversed(words), reversed(pairs), fillvalue="")):
        plain = word.strip("-_:")
        parts = plain.replace("-", "_").split("_")
        for part in (plain,) if plain in _SAME or "@" in plain else (*reversed(parts), plain):
            told = meaning(part)
            if told.role in _MEASURES and told.better is not None and part not in _NO_METRIC:
                base = part.rpartition("/")[2]
                base = _CUT.sub("", base.partition("@")[0]) if told.better == "lower" else base
                return _SAME.get(base, base), told.better == "lower"
    return None


def _share(named: tuple[str, bool], value: float, *, percent: bool) -> float | None:
    """Return a score as a share of one where it is one; None for what cannot be the score that its name says."""
    metric, cost = named
    if metric in _ERRORS and value > _MOST_ERRORS:
        return value / 100
    if cost or metric in _UNBOUNDED:
        return value / 100 if percent else value
    share = value / 100 if percent or 1 < value <= 100 else value
    return share if -10 <= share <= 1 else None
