"""Sentences in which a program says that its evaluation measures something else than what was trained."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import MISMATCH
from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.model.programs import PROGRAMS
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.mismatch_needs import words_of_needs
from runtriage.scan.dialects.mismatch_terms import COSTS, KINDS, SCORES
from runtriage.scan.dialects.words import SHAPES, said, shape

_LONGEST: Final = 600
_HEDGED = deferred(
    r"(?<![a-z])(?:may|might|could|would|should|can|please|make sure|ensure|check (?:that|if|whether)|whether|if|unless|to avoid|avoid\w*|prevent\w*|will|(?<!start )(?<!starts )(?<!begins )(?<!begin )(?<!lies )(?<!day )before|must|assum\w+|todo|note that|expected to|by design|intentional\w*|on purpose)(?![a-z])",
)
_MENDED = deferred(
    r"re-?mapp?|re-?order|(?<![a-z])mapped|fixed|remov(?:ed|ing)|dropp(?:ed|ing)|exclud(?:ed|ing)|correct(?:ed|ing)|filter(?:ed|ing)|convert(?:ed|ing)|skipping them|ignored|de-?duplicat|adjust(?:ed|ing)|realign|passed|verified|(?<![a-z])ok(?![a-z])|within tolerance",
)
"""What a program adds where it has already put right what it reports, or found it well."""
_DENIED = deferred(
    r"(?<![a-z0-9.])(?:no|0|zero|none|not any|free of|without(?: any)?|nothing)(?:\s\w+){0,3}?\s(?:mis-?match\w*|differ\w*|overlap\w*|leak\w*|contaminat\w*|duplicat\w*|shared|in common|in both|copies|also|occur\w*|among|skew|drift|shift)"
    r"|(?:mis-?match\w*|overlap\w*|leak\w*|contaminat\w*|duplicat\w*|differences?|in common|shared|skew|drift)\b[^\d\n]{0,40}?(?:[:=]|\bis\b) ?(?:0(?![.\d]*[1-9])|none|no\b|false)"
    r"|(?<![a-z0-9])(?:0|no|none|zero) (?:of|out of) "
    r"|(?:drop-?out|batch ?norm\w*|train(?:ing)? mode).{0,24}(?:disabled|(?<![a-z])off(?![a-z])|inactive|not (?:active|enabled|used)|frozen)"
    r"|(?<![a-z])(?:us(?:e|es|ing)|with|have|has|apply\w*|on) (?:two |a |an )?(?:different|separate|inverted|reversed|flipped|permuted|swapped)(?![a-z])",
)
_CODE = deferred(
    r"^\s*(?:raise |assert |print\(|log(?:ger|ging)?\.|warn(?:ings)?[.(]|file \"|#|def |if |self\.)|\bf[\"']|[{(]\s*$|-{2}\w+[= ]"
)
"""What a source line or a command looks like that only quotes such words."""
_BEST = deferred(
    r"(?<![a-z])(?:best(?![._-]\w)|patience|improv\w*|keep\w*|checkpoint kept|so far|early|previous|quantiz\w*|quantis\w*|prun\w*|distil\w*|zero-?shot|baseline|folds?|seeds?|mc|monte|bootstrap\w*)(?![a-z])",
)
"""What compares a score with earlier ones, or with those of another model: an ordinary course of things."""
_POINTS: Final = 2
"""Two numbers with decimals are the least that can be compared."""
_TIMES: Final = 10.0
"""How many times that of training the loss of an evaluation must be, where the program wonders about it."""
_NUMBER = deferred(r"(?<![\w.:/-])(?P<number>\d{1,6}(?:\.\d{1,8})?) ?(?P<percent>%?)(?![\w/-]|[:.]\d)")
_KEY = deferred(r"(?P<key>[a-z]\w*)=$")
_NO_SCORES: Final = frozenset(
    {"lr", "loss", "eval_loss", "loss_part", "grad_norm", "step_time", "throughput", "memory", "step", "epoch"}
)
"""What rows of training print beside scores."""
_PARTS: Final = deferred(r"[;:.,](?=\s)|\s-{1,2}\s|\s\u2013\s|(?<=\s)\(|\)(?=\s|$)")
_NO_NUMBER = deferred(r"(?<![a-z])(?:invalid|nan|non-?finite) loss(?![a-z])")
"""What a loss of training is called that is no number."""
_VETOES: Final = (_CODE, _MENDED, _DENIED, _NO_NUMBER)
_SHARED: Final = Counter(need for kind in (*KINDS, *SCORES) for need in kind[-1])
"""How many kinds of sentences need each expression."""
CUE: Final = (
    r"\bre-?(?:evaluat|scor|load|stor|test)[^\n]{0,120}\d\.\d|\b(?:reported|logged|in memory|during training|training log)[^\n]{0,60}\d\.\d",
    r"\b(?:below|lower than|less than|short of|worse than|behind|required|minimum|threshold|at least)[^\n]{0,60}\d\.\d",
    r"\b(?:batch size|same weights|untouched|without touching|three times|five times|again)[^\n]{0,60}\d\.\d|\d\.\d[^\n]{0,60}\b(?:batch size|world size)",
    r"\b(?:drawn from|(?:from|in|of|on|at) the (?:very )?same|occurs? (?:in|among)|found (?:in|among)|but not|whereas|do not\)|was not\b|were not\b)",
    r"\b(?:recod\w{1,48}|proxy|copy|gives? away|derived from)[^\n]{0,60}(?:target|label|answer|outcome)|\b(?:eval\w{0,48}|validat\w{0,48}|test\w{0,48}|scor\w{0,48}) (?:on|over|with|of) (?:0|no|zero) ",
    r"\b(?:nothing that was trained|(?:equals?|identical to|same as|unchanged since) )",
    r"\b(?:refus|reject|official|independent)[^\n]{0,60}\d\.\d|\d\.\d[^\n]{0,60}(?:refus|reject|official|independent)",
    r"\b(?:online|shadow|production|live traffic|serving)[^\n]{0,60}\d\.\d",
    r"mis-?match",
    r"\bdiffer(?:s|ed|ent|ences?)?\b",
    r"\b(?:overlap|leak(?:age|ed|s)?\b|contaminat|in common|in both\b|mis-?align|verbatim|shared by|shared between|duplicates? )",
    r"(?:\bnot|n't|\bcannot|\bnever) (?:be )?(?:match|line up|agree|correspond|reproduc|the (?:same|ones?)|comparable|representative|meaningful|reliable|determinis|found|loaded|applied|copied|swapped|restored|updated)",
    r"\b(?:instead of|although|rather than|inverted|flipped|permut(?:ed|ing)|swapped|disagree|inconsistent|meaningless|misleading|skew|drift)",
    r"\b(?:valid\w{0,48}|test|dev) [^\n]{0,60}(?:also|both|already|again) [^\n]{0,30}train",
    r"\btrain(?:ing)? mode\b|\bdrop-?out\b[^\n]{0,40}(?:active|enabled|still|left on)|model\.training ?[=:] ?true",
    r"\b(?:valid\w{0,48}|val|test|eval\w{0,48}|dev|hold-?out) [^\n]{0,24}\b(?:is empty|no samples)|\b(?:0|no) (?:valid\w{0,48}|val|test|eval\w{0,48}|dev) (?:batches|samples|examples)",
    r"\bmakes no sense|\bnonsens|\bimplausibl",
    r"\bnon-?deterministic|\bcounted (?:twice|more)|duplicates [^\n]{0,40}counted",
)
"""What wakes the reader. No word in it is of any length: an engine would follow each that begins so from the front of a block on."""


def read_mismatch(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a sentence that holds all that makes it a statement about an evaluation, in whatever order; `name` is of which kind."""
    line = said(rows)
    name = None if line is None else kind_of(line.words)
    return Reading() if line is None or name is None else Reading([line.draft(STATEMENT, name)])


def kind_of(sentence: str) -> str | None:
    """Return the name of what a sentence says of an evaluation; None where it says nothing of one."""
    if len(sentence) > _LONGEST:
        return None
    words = sentence.lower()
    told = _told(shape(words))
    name = told.kind or _by_scores(words, told)
    return None if name is None else MISMATCH + name


class _Told(Struct, frozen=True):
    """What a sentence says whatever its numbers are: its kind, or the kinds and the least distances of two scores that make it one."""

    kind: str | None = None
    scores: tuple[tuple[str, float], ...] = ()
    costs: bool = False


@lru_cache(maxsize=SHAPES)
def _told(words: str) -> _Told:
    sure = _sure(words)
    sentence = _Sentence(sure)
    kind = next((name for name, needs in KINDS if sentence.holds(needs)), None)
    told = _Told(kind)
    if kind is None and words.count(".") >= _POINTS and not _BEST.search(words):
        fits = tuple((name, apart) for name, apart, needs in SCORES if sentence.holds(needs))
        told = _Told(None, fits, sentence.holds(COSTS))
    silent = told == _Told()
    return _Told() if silent or any(veto.search(words) for veto in _VETOES) else told


def _sure(words: str) -> str:
    """Return a sentence without those of its parts that say what should be or may be; what stands beside them is a fact."""
    if _HEDGED.search(words) is None:
        return words
    return ", ".join(part for part in _PARTS.split(words) if _HEDGED.search(part) is None)


class _Sentence(dict[str, bool]):
    """Which expressions are found in the words of a line in lower case; each is looked for once, when it is asked for."""

    __slots__ = ("words",)

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def holds(self, needs: tuple[str, ...]) -> bool:
        """Tell whether all expressions are found."""
        return all(map(self.__getitem__, _rarest_last(needs)))

    def __missing__(self, need: str) -> bool:
        words = words_of_needs()[need]
        may = not words or any(map(self.words.__contains__, words))
        found = self[need] = may and _compiled(need).search(self.words) is not None
        return found


@cache
def _rarest_last(needs: tuple[str, ...]) -> tuple[str, ...]:
    """Return expressions with those first that most kinds need: a sentence without them is asked for no others."""
    return tuple(sorted(needs, key=lambda need: -_SHARED[need]))


@cache
def _compiled(regex: str) -> re.Pattern[str]:
    return PROGRAMS.compiled(regex)


def _by_scores(words: str, told: _Told) -> str | None:
    """Return the kind of a sentence that sets two scores against each other which are further apart than chance makes them."""
    if told.costs:
        values = [float(each["number"]) for each in _NUMBER.finditer(words) if "." in each["number"]]
        if len(values) > 1 and max(values) >= _TIMES * min(values) > 0:
            return "gate"
    if not told.scores:
        return None
    low, high = _range(words)
    return next((name for name, apart in told.scores if high - low >= apart), None)


def _range(words: str) -> tuple[float, float]:
    """Return the lowest and the highest score in a sentence, as shares of one; counts and versions are none."""
    found = [
        (float(each["number"]), each["percent"] or "." in each["number"])
        for each in _NUMBER.finditer(words)
        if (name := _KEY.search(words, 0, each.start())) is None or meaning(name["key"]).role not in _NO_SCORES
    ]
    told = [value for value, precise in found if precise and value <= 100]
    whole = 100.0 if any(value > 1 for value in told) else 1.0
    return (min(told) / whole, max(told) / whole) if len(told) > 1 else (0.0, 0.0)
