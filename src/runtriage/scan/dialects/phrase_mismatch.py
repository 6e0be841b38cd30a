"""Sentences in which a program says that its evaluation measures something else than what was trained."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from runtriage.model.event import STATEMENT
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import SHAPES, said, shape

PREFIX: Final = "mismatch/"
_LONGEST: Final = 600
_EVAL: Final = (
    r"(?<![a-z])(?:eval\w*|valid\w*|val|tests?|tested|testing|dev|hold-?out|held-?out|inference|predict\w*|serving|served|production"
    r"|deploy\w*|scor(?:ed|ing|er)|benchmark\w*|submission|online|leaderboard)(?![a-z])"
)
_TRAIN: Final = r"(?<![a-z])(?:(?:re|pre-?)?train\w*|fit(?:ted)?|learnt|learned|(?:fine-?)tun\w*)(?![a-z])"
_BE_NOT: Final = r"(?:(?:do|does|did|is|are|was|were|can|could)(?: not|n't)|cannot|not|never) (?:be |been )?"
_DIFFERS: Final = (
    r"(?<![a-z])(?:mis-?match\w*|mis-?align\w*|out of order|differ(?:s|ed|ent|ently|ing|ences?)?|disagree\w*|inconsistent\w*|incompatible|wrong|other than|out of sync"
    rf"|{_BE_NOT}(?:match\w*|line up|agree\w*|correspond\w*|equal|reproduc\w*|identical|the (?:same|ones?)|aligned|compatible|comparable)"
    r"|invert\w*|flipped|permut(?:ed|ation)|swapped|reversed|shifted|off by one|instead of|although|rather than|diverges? from|unlike)(?![a-z])"
)
_ABSENT: Final = rf"{_BE_NOT}(?:found|applied|loaded|available|used|saved|restored|copied|swapped|set)|(?<![a-z])(?:missing|skipped|without)(?![a-z])"
_SHARED: Final = r"(?<![a-z])(?:overlap\w*|leak\w*|contaminat\w*|in common|shared?(?: by| between| with| across)?|duplicat\w*|verbatim|both|also|already|(?<!not )(?:appear|occur|contain|includ|found|present|seen|part)\w* (?:again|twice|in|among|of)|drawn from)(?![a-z])"
_COUNT: Final = r"(?<![\d.:/-])[1-9]\d{0,8}(?:[.,]\d+)? ?%?(?![\d:]|[./-]\d)|(?<![a-z])(?:several|some|many|every|all|most|found|detected)(?![a-z])"
_THINGS: Final = r"(?<![a-z])(?:samples?|rows?|ids?|items?|documents?|docs?|examples?|images?|users?|patients?|groups?|files?|speakers?|scenes?|records?|sentences?|questions?|prompts?|urls?|hashes|sequences?|subjects?|entries|duplicates?|keys?|videos?|clips?|frames?|pairs?|molecules?|indices|cases?|points?|episodes?|customers?|texts?|pages?|articles?|problems?|tasks?|recordings?|utterances?|sites?|slides?|dialogues?|leak\w*)(?![a-z])"
_SAME: Final = r"(?<![a-z])(?:from|in|of|on|at) the (?:very )?same (?!distribution|source|domain|format|file|pipeline|way|script|seed|set ?up|model|range|scale|scheme|kind|type|split)\w+"
_CONTRAST: Final = r"(?<![a-z])(?:(?:is|are|was|were|do|did|does|had|have|has)(?: not|n't)(?=\s*(?:[:;,.)]|$))|but not|whereas|only in)(?![a-z])"
_GIVEN: Final = r"(?<![a-z])(?:recod\w+|proxy|(?:exact |near-?)?copy|derived from|gives? away|giv(?:es|ing) it away|leaks?|identical to|same as|function of|(?:perfectly |fully )(?:predicts?|determines?|separates?)|computed from)(?![a-z])"
_LABELS: Final = (
    r"(?<![a-z])(?:(?:class|label|categor(?:y|ies)|intent|tag|target)(?:es|s)?[ _-]?(?:to[ _-]?)?(?:order\w*|ind(?:ex|ices)|idx|ids?|map\w*|names?|lists?|encod\w+|numbers|numbering|sets?|permut\w*)?"
    r"|label2id|id2label|class_to_idx)(?![a-z])"
)
_INPUTS: Final = (
    r"(?<![a-z])(?:normali[sz]\w*|standardi[sz]\w*|pre-?process\w*|transforms?|tokeni[sz]\w*|detokeni[sz]\w*|vocab\w*|resolution|image sizes?|resiz\w*|crop\w*|scal(?:er|ing)"
    r"|means? and stds?|statistics|features?|channel order|rgb|bgr|sampl(?:e|ing) rates?|prompts?|(?:chat )?templates?|column order|truncat\w*|max(?:imum)? length|context length|casing|capitals?|punctuation|lower-?cased?|upper-?cased?|units?|imput\w*)(?![a-z])"
)
_WEIGHTS: Final = r"(?<![a-z])(?:weights?|checkpoints?|ckpt|parameters|ema|moving average|averaged model|model(?:\.pth?)?|state[ _]dict|adapters?|snapshot)(?![a-z])"
_STALE: Final = (
    rf"{_BE_NOT}(?:the (?:ones?|same|trained|best|latest|final|last)|copied|loaded|swapped|applied|updated|restored|(?:just )?trained)"
    r"|(?<![a-z])(?:(?:random(?:ly)?|freshly)[ -]initiali[sz]ed|untrained|initial (?:weights|parameters|values)|stale|outdated|instead of|rather than|other than|from before training|nothing that was trained|(?:equals?|identical to|same as|unchanged since) (?:the )?(?:\w+ )?(?:before|at|of|since) (?:step 0|init\w*|the start|training))(?![a-z])"
)
_MODE: Final = r"(?<![a-z])(?:drop-?out|(?:model\.)?train(?:ing)?(?:\(\)| mode|[ =:]{1,3}true)|batch ?norm\w*|(?:model\.)?eval\(\)|batch statistics)(?![a-z])"
_ON: Final = r"(?<![a-z])(?:active|on|enabled|still|during|while|used|using|left|forgot\w*|never called|not called|without|true|in train\w*)(?![a-z])"
_AGAIN: Final = r"(?<![a-z])(?:repeat\w*|twice|two (?:runs|passes|evaluations)|same (?:weights|model|checkpoint|inputs?)|between (?:runs|passes|calls)|consecutive|identical (?:weights|inputs?)|re-?run\w*|(?:is|are) not (?:reproducible|deterministic|repeatable)|non-?deterministic)(?![a-z])"
_VARIES: Final = r"(?<![a-z])(?:differ\w*|var(?:y|ies|ied)|spread|chang(?:es?|ed|ing)|not (?:equal|identical|the same|reproducible|deterministic|repeatable)|non-?deterministic|inconsistent)(?![a-z])"
_TWICE: Final = r"(?<![a-z])(?:padd(?:ed|ing)|duplicat\w*|repeated|twice|double|more than once)(?![a-z])"
_COUNTED: Final = r"(?<![a-z])(?:(?:double-?)?counted|averaged over|enter(?:s|ed)? the|included? in|contribut\w+|predictions for)(?![a-z])"
_EMPTY: Final = (
    r"(?<![a-z])(?:(?:validation|valid|val|test|eval(?:uation)?|dev|hold-?out) (?:data)?(?:set|split|data|loader|fold|frame) (?:is|was|has|had|contains?|holds?|yield(?:s|ed)) (?:empty|no|0|zero|nothing)"
    r"|(?<![a-z])(?:eval\w*|validat\w*|test\w*|scor\w*) (?:on|over|with|of) (?:0|no|zero) (?:batches|samples|examples|rows|images|items|documents)"
    r"|(?<![\d.])(?:0|no|zero) (?:validation|valid|val|test|eval(?:uation)?|dev|hold-?out) (?:batches|samples|examples|rows|images|items|documents))(?![a-z])"
)
_WORTHLESS: Final = r"(?<![a-z])(?:(?:not|isn't|aren't|hardly|never) (?:be )?(?:representative|comparable|meaningful|reliable|valid|trustworthy|trusted)|meaningless|misleading|invalid|inflated|too (?:good|optimistic)|over-?optimistic|suspicious\w*|implausibl\w+|unreliable)(?![a-z])"
_METRIC: Final = r"(?<![a-z])(?:acc(?:uracy)?|top-?[15]|f1|auc|auroc|m?ap|bleu|rouge\w*|wer|cer|perplexity|ppl|scores?|metrics?|results?|recall|precision|r2|rmse|mae|mse|fid|iou|dice|loss|error rate)(?![a-z])"
_SKEW: Final = r"(?<![a-z])(?:skew\w*|drift\w*|(?:distribution|covariate|domain) shift\w*)(?![a-z])"

_KINDS: Final = (
    ("mode", (_MODE, _ON, _EVAL, rf"{_EVAL}.{{0,80}}{_MODE}|{_MODE}.{{0,80}}{_EVAL}")),
    ("unstable", (_AGAIN, _VARIES, rf"{_EVAL}|{_METRIC}")),
    (
        "rescored",
        (
            r"(?<![a-z])same (?:checkpoint|weights|model)(?![a-z])",
            r"(?<![a-z])(?:report\w*|logged|log|said|says|trainer|trained|training)(?![a-z])",
            _DIFFERS,
        ),
    ),
    ("counted", (_TWICE, _COUNTED, rf"{_EVAL}|{_METRIC}", r"\d")),
    ("leak", (_SHARED, _THINGS, _EVAL, _TRAIN, _COUNT)),
    ("leak", (_EVAL, _TRAIN, _SAME, _THINGS)),
    (
        "leak",
        (
            r"(?<![a-z])(?:target|labels?|answers?|outcome|ground truth)(?![a-z])",
            _GIVEN,
            r"(?<![a-z])(?:features?|columns?|inputs?|predictors?|variables?|field)(?![a-z])",
        ),
    ),
    (
        "leak",
        (
            r"(?<!memory )(?<![a-z])(?:leakage|contaminat(?:ed|ion))(?![a-z])",
            r"(?<![a-z])(?:detected|found|suspected|confirmed|present)(?![a-z])|[1-9]",
            rf"{_EVAL}|{_TRAIN}|(?<![a-z])(?:target|label|split|fold|data ?set|data)(?![a-z])",
        ),
    ),
    (
        "split",
        (
            _DIFFERS,
            r"(?<![a-z])(?:split|subset|fold|loader|dataset|set|partition)(?![a-z])",
            r"although|instead of|rather than|wrong",
            _TRAIN,
            rf"{_EVAL}.{{0,60}}(?:split|set|data\w*|loader|fold|part)?.{{0,24}}{_TRAIN}",
        ),
    ),
    (
        "labels",
        (_LABELS, _DIFFERS, rf"{_EVAL}|predict\w*", rf"{_TRAIN}|{_METRIC}|checkpoint|model|order|look|seem|appear"),
    ),
    (
        "labels",
        (
            r"label2id|id2label|class_to_idx|(?<![a-z])(?:class|label) (?:maps?|mappings?|orders?|index|indices|ids)(?![a-z])",
            _DIFFERS,
        ),
    ),
    (
        "inputs",
        (
            _INPUTS,
            _DIFFERS,
            _EVAL,
            rf"{_TRAIN}|(?<![a-z])(?:references?|(?:checkpoint|model|network) expects)(?![a-z])",
        ),
    ),
    (
        "inputs",
        (_INPUTS, _CONTRAST, rf"{_EVAL}|hypothes[ie]s|predict\w*", rf"{_TRAIN}|(?<![a-z])references?(?![a-z])"),
    ),
    ("inputs", (_INPUTS, _ABSENT, rf"{_EVAL}", rf"{_TRAIN}|(?<![a-z])(?:raw|un\w+ed|statistics|stats)(?![a-z])")),
    ("weights", (_WEIGHTS, _STALE, _EVAL)),
    ("empty", (_EMPTY,)),
    (
        "skew",
        (
            _SKEW,
            rf"{_EVAL}",
            rf"{_TRAIN}|offline|feature",
            r"[1-9]\d* (?:of|out of|features?|columns?)|(?<![a-z])(?:detected|found|exceeds?|above|severe|strong|significant)(?![a-z])",
        ),
    ),
    ("worthless", (_METRIC, _WORTHLESS, rf"{_EVAL}|{_METRIC}.{{0,40}}{_WORTHLESS}")),
)
_HEDGED = deferred(
    r"(?<![a-z])(?:may|might|could|would|should|can|please|make sure|ensure|check (?:that|if|whether)|whether|if|unless|to avoid|avoid\w*|prevent\w*|will|before|must|assum\w+|todo|note that|expected to|by design|intentional\w*|on purpose)(?![a-z])",
)
_MENDED = deferred(
    r"re-?mapp?|re-?order|(?<![a-z])mapped|fixed|remov(?:ed|ing)|dropp(?:ed|ing)|exclud(?:ed|ing)|correct(?:ed|ing)|filter(?:ed|ing)|convert(?:ed|ing)|skipping them|ignored|de-?duplicat|adjust(?:ed|ing)|realign|passed|verified|(?<![a-z])ok(?![a-z])|within tolerance",
)
"""What a program adds where it has already put right what it reports, or found it well."""
_DENIED = deferred(
    r"(?<![a-z0-9.])(?:no|0|zero|none|not any|free of|without(?: any)?|nothing)(?:\s\w+){0,3}?\s(?:mis-?match\w*|differ\w*|overlap\w*|leak\w*|contaminat\w*|duplicat\w*|shared|in common|in both|also|occur\w*|among|skew|drift|shift)"
    r"|(?:mis-?match\w*|overlap\w*|leak\w*|contaminat\w*|duplicat\w*|differences?|in common|shared|skew|drift)\b[^\d\n]{0,40}?(?:[:=]|\bis\b) ?(?:0(?![.\d]*[1-9])|none|no\b|false)"
    r"|(?<![a-z0-9])(?:0|no|none|zero) (?:of|out of) "
    r"|(?:drop-?out|batch ?norm\w*|train(?:ing)? mode).{0,24}(?:disabled|(?<![a-z])off(?![a-z])|inactive|not (?:active|enabled|used)|frozen)"
    r"|(?<![a-z])(?:us(?:e|es|ing)|with|have|has|apply\w*|on) (?:two |a |an )?(?:different|separate|inverted|reversed|flipped|permuted|swapped)(?![a-z])",
)
_CODE = deferred(
    r"^\s*(?:raise |assert |print\(|log(?:ger|ging)?\.|warn(?:ings)?[.(]|file \"|#|def |if |self\.)|\bf[\"']|[{(]\s*$|-{2}\w+[= ]"
)
"""What a source line or a command looks like that only quotes such words."""
_AFRESH: Final = r"(?<![a-z])(?:re-?(?:evaluat|scor|load|stor|test|calculat|comput)\w*|export\w*|standalone|saved|loaded|converted|offline|same (?:checkpoint|weights|model)|from disk|eval\.py|second evaluation|official|independent|reference (?:implementation|evaluator|scorer)|another evaluator|evaluated again)(?![a-z])"
_BEFORE: Final = r"(?<![a-z])(?:reported|during training|in memory|logged|log (?:says|said)|says?|gives|reports?|training (?:log|run|said|reported)|originally|claimed|trainer|before (?:saving|export\w*)|at save time|was|had|versus|vs|expected)(?![a-z])"
_BELOW: Final = r"(?<![a-z])(?:below|lower than|less than|under|short of|worse than|behind|expected|required?|needs?|needed|minimum|threshold|target|at least|floor|bar|refus\w+|reject\w*)(?![a-z])|<"
_OFFLINE: Final = r"(?<![a-z])(?:offline|validation|backtest\w*|train\w*|hold-?out)(?![a-z])"
_ONLINE: Final = r"(?<![a-z])(?:online|shadow|production|live|serving|canary|deployed)(?![a-z])"
_BEST = deferred(
    r"(?<![a-z])(?:best(?![._-]\w)|patience|improv\w*|keep\w*|checkpoint kept|so far|early|previous|quantiz\w*|quantis\w*|prun\w*|distil\w*|zero-?shot|baseline|folds?|seeds?|mc|monte|bootstrap\w*)(?![a-z])",
)
"""What compares a score with earlier ones, or with those of another model: an ordinary course of things."""
_SCORES: Final = (
    ("rescored", 0.1, (_AFRESH, _BEFORE, _METRIC)),
    (
        "batching",
        0.1,
        (
            r"(?<![a-z])(?:batch[ _-]?size|world[ _-]?size|gpus|ranks|workers|shards)(?![a-z])",
            _METRIC,
            r"(?<![a-z])(?:same|consisten\w*|but|versus|vs|against|while|and)(?![a-z])",
            _EVAL + "|check|consisten|images|samples|examples",
        ),
    ),
    (
        "unstable",
        0.003,
        (
            rf"{_AGAIN}|(?<![a-z])(?:(?:three|four|five|ten|several|\d{{1,2}}) (?:times|passes|evaluations|runs)|without touching|same weights)(?![a-z])",
            rf"{_EVAL}",
            r"(?<![a-z])(?:same|identical|without touching|untouched|frozen|again|repeat\w*)(?![a-z])",
        ),
    ),
    ("gate", 0.3, (_EVAL, _BELOW, _METRIC)),
    ("skew", 0.15, (_OFFLINE, _ONLINE, _METRIC)),
)
_COSTS: Final = (
    rf"{_EVAL} (?:set )?(?:loss|perplexity|ppl|mse|rmse|mae|error|nll|bpb)",
    rf"{_TRAIN} (?:set )?(?:loss|perplexity|ppl|mse|rmse|mae|error|nll|bpb)",
    r"(?<![a-z])(?:no sense|nonsens\w+|implausibl\w+|far|much|way|diverge\w*|unexpected\w*|exceeds?|too (?:high|large)|times)(?![a-z])",
)
_POINTS: Final = 2
"""Two numbers with decimals are the least that can be compared."""
_TIMES: Final = 10.0
"""How many times that of training the loss of an evaluation must be, where the program wonders about it."""
_NUMBER = deferred(r"(?<![\w.:/-])(?P<number>\d{1,6}(?:\.\d{1,8})?) ?(?P<percent>%?)(?![\w/-]|[:.]\d)")
_VETOES: Final = (_CODE, _HEDGED, _MENDED, _DENIED)
CUE: Final = (
    r"\bre-?(?:evaluat|scor|load|stor|test)[^\n]{0,120}\d\.\d|\b(?:reported|logged|in memory|during training|training log)[^\n]{0,60}\d\.\d",
    r"\b(?:below|lower than|less than|short of|worse than|behind|required|minimum|threshold|at least)[^\n]{0,60}\d\.\d",
    r"\b(?:batch size|same weights|untouched|without touching|three times|five times|again)[^\n]{0,60}\d\.\d|\d\.\d[^\n]{0,60}\b(?:batch size|world size)",
    r"\b(?:drawn from|(?:from|in|of|on|at) the (?:very )?same|occurs? (?:in|among)|found (?:in|among)|but not|whereas|do not\)|was not\b|were not\b)",
    r"\b(?:recod\w+|proxy|copy|gives? away|derived from)[^\n]{0,60}(?:target|label|answer|outcome)|\b(?:eval\w*|validat\w*|test\w*|scor\w*) (?:on|over|with|of) (?:0|no|zero) ",
    r"\b(?:nothing that was trained|(?:equals?|identical to|same as|unchanged since) )",
    r"\b(?:refus|reject|official|independent)[^\n]{0,60}\d\.\d|\d\.\d[^\n]{0,60}(?:refus|reject|official|independent)",
    r"\b(?:online|shadow|production|live traffic|serving)[^\n]{0,60}\d\.\d",
    r"mis-?match",
    r"\bdiffer(?:s|ed|ent|ences?)?\b",
    r"\b(?:overlap|leak(?:age|ed|s)?\b|contaminat|in common|in both\b|mis-?align|verbatim|shared by|shared between|duplicates? )",
    r"(?:\bnot|n't|\bcannot|\bnever) (?:be )?(?:match|line up|agree|correspond|reproduc|the (?:same|ones?)|comparable|representative|meaningful|reliable|determinis|found|loaded|applied|copied|swapped|restored|updated)",
    r"\b(?:instead of|although|rather than|inverted|flipped|permut(?:ed|ing)|swapped|disagree|inconsistent|meaningless|misleading|skew|drift)",
    r"\b(?:valid\w*|test|dev) [^\n]{0,60}(?:also|both|already|again) [^\n]{0,30}train",
    r"\btrain(?:ing)? mode\b|\bdrop-?out\b[^\n]{0,40}(?:active|enabled|still|left on)|model\.training ?[=:] ?true",
    r"\b(?:valid\w*|val|test|eval\w*|dev|hold-?out) [^\n]{0,24}\b(?:is empty|no samples)|\b(?:0|no) (?:valid\w*|val|test|eval\w*|dev) (?:batches|samples|examples)",
    r"\bmakes no sense|\bnonsens|\bimplausibl",
    r"\bnon-?deterministic|\bcounted (?:twice|more)|duplicates [^\n]{0,40}counted",
)


def read_mismatch(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a sentence that holds all that makes it a statement about an evaluation, in whatever order; `name` is of which kind."""
    line = said(rows)
    if line is None or len(line.words) > _LONGEST:
        return Reading()
    words = line.words.lower()
    told = _told(shape(words))
    name = told.kind or _by_scores(words, told)
    return Reading() if name is None else Reading([line.draft(STATEMENT, PREFIX + name)])


class _Told(NamedTuple):
    """What a sentence says whatever its numbers are: its kind, or the kinds and the least distances of two scores that make it one."""

    kind: str | None = None
    scores: tuple[tuple[str, float], ...] = ()
    costs: bool = False


@lru_cache(maxsize=SHAPES)
def _told(words: str) -> _Told:
    sentence = _Sentence(words)
    kind = next((name for name, needs in _KINDS if sentence.holds(*needs)), None)
    told = _Told(kind)
    if kind is None and words.count(".") >= _POINTS and not _BEST.search(words):
        fits = tuple((name, apart) for name, apart, needs in _SCORES if sentence.holds(*needs))
        told = _Told(None, fits, sentence.holds(*_COSTS))
    silent = told == _Told()
    return _Told() if silent or any(veto.search(words) for veto in _VETOES) else told


class _Sentence:
    """The words of a line in lower case, and which expressions were looked for in them."""

    __slots__ = ("_known", "words")

    def __init__(self, words: str) -> None:
        self.words = words
        self._known: dict[str, bool] = {}

    def holds(self, *needs: str) -> bool:
        """Tell whether all expressions are found."""
        return all(self._holds(need) for need in needs)

    def _holds(self, need: str) -> bool:
        found = self._known.get(need)
        if found is None:
            found = self._known[need] = _compiled(need).search(self.words) is not None
        return found


@cache
def _compiled(regex: str) -> re.Pattern[str]:
    return re.compile(regex)


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
    found = [(float(each["number"]), each["percent"] or "." in each["number"]) for each in _NUMBER.finditer(words)]
    told = [value for value, precise in found if precise and value <= 100]
    whole = 100.0 if any(value > 1 for value in told) else 1.0
    return (min(told) / whole, max(told) / whole) if len(told) > 1 else (0.0, 0.0)
