"""Two lines near the end that say the same of two places: a score that was not reached again, or inputs prepared in two ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from runtriage.model.event import STATEMENT
from runtriage.model.pattern import deferred
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.quiet import from_end

LINES: Final = 40
"""Lines at the end that are compared."""
APART, MADE_ANEW, WORSE = 0.25, 0.1, 4.0
"""How far below the validation a score on other data must be, one of the same weights elsewhere, and how many times as high a cost."""
GROUPED, REPEATED = 0.05, 0.01
"""How far scores of one model may be apart that differ in how samples are grouped, or in nothing at all."""
NEXT: Final = 2
"""Lines by which the worse of two scores may stand before the better one."""
_LONGEST: Final = 300
_SHARES: Final = r"acc(?:uracy)?|top-?1|f1|auc|auroc|map|miou|iou|dice|exact[ _]match|em|recall|precision|uas|las|r2|mcc|kappa|ndcg|hit@\d+|pass@\d+|ap|bleu|chrf|rouge-?[l12]?"
_COSTS: Final = r"rmse|mae|mse|ppl|perplexity|nll|loss|logloss|bpb|fid|wer|cer"
_MENTION = deferred(
    rf"(?<![a-z])(?P<metric>{_SHARES}|{_COSTS})(?![a-z])(?:@\d{{1,3}})?(?P<between>[^\d\n]{{0,24}}?(?:\([^()\n]{{1,40}}\)[^\d\n]{{0,4}}?)?)(?<![\d.])(?P<value>-?\d{{1,6}}(?:\.\d{{1,8}})?)(?P<percent> ?%)?(?![\w/])"
)
_COST = deferred(_COSTS)
_SAME: Final = {"accuracy": "acc", "top1": "acc", "top-1": "acc", "perplexity": "ppl", "auroc": "auc", "miou": "iou"}
_KNOWN = deferred(
    r"(?<![a-z])(?:val|valid\w*|dev|cv|cross-?valid\w*|oof|in training|during training|trainer|reported|logged|expected|in[- ]memory|before (?:saving|export\w*)|torch|pytorch|keras|jax|fp32|bf16|fp16|eager|tokeni[sz]ed|local|single|in the notebook|one gpu|1 gpu|cpu)(?![a-z])"
)
_ELSEWHERE = deferred(
    r"(?<![a-z])(?:tests?|hold[ -]?out|held[ -]?out|private|fresh|new data|unseen|live|production|prod|deploy\w*|serving|back-?test|out-of-(?:time|sample)|leaderboard|harness|external|clean|official|submission|shadow|online)(?![a-z])"
)
_ANEW = deferred(
    r"(?<![a-z])(?:(?:after |from )?re-?load\w*|read (?:back|again)|restor\w*|loaded|export\w*|onnx|tflite|fp8|int8|int4|quanti[sz]ed|compiled|served|server|sacrebleu|detok\w*|sklearn|official|reference|distributed|ddp|multi-gpu|torch-?script|tensorrt|trt|core-?ml|standalone|offline|from disk|re-?evaluat\w*|re-?scor\w*|(?:score|eval|evaluate|predict)\.py)(?![a-z])"
)
_OTHER_COURSE = deferred(
    r"(?<![a-z])(?:baseline|random|chance|majority|per[- ]class|class \w+|folds?|seeds?|zero-?shot|few-?shot|previous|worst|min(?:imum)?|ood|adversarial|corrupt\w*|noisy|robust\w*|hard|subset|perturb\w*|attack\w*|pgd|required?|threshold|target|limit|floor|best so far|epoch 0|initial|untrained|pretrained|teacher|sota|paper)(?![a-z])"
)
"""What a score may be far from for a reason that everybody knows."""
_GROUPING = deferred(
    r"(?<![a-z])(?:eval\w*|infer\w*|scor\w*|validat\w*|test\w*) (?:\w+ )?(?:with |on |at |using )?(?:bs|batch(?:[ _-]?size)?|world[ _-]?size|\d+ (?:gpus?|ranks?|process\w*|workers?|devices?))(?![a-z])"
)
_NAMED_MODEL = deferred(
    r"(?<![a-z])(?:ckpt|checkpoint|weights|model|snapshot)[ _:=#-]{0,3}\d|\w\.(?:pt|pth|ckpt|safetensors|h5|keras|onnx)(?![a-z])|(?<![a-z])same (?:weights|model|checkpoint)"
)
"""Which weights were evaluated."""
_REPEAT = deferred(
    r"(?<![a-z])(?:eval\w*|infer\w*|scor\w*|validat\w*|test\w*)\W{1,3}(?:\w+ ){0,2}\(?(?:pass|repeat\w*|repetition|again|call|attempt|time)(?![a-z])"
)
_MEASURES: Final = ("eval", "infer", "scor", "validat", "test")
"""What stands in each line that says how a model was evaluated."""
_TRAINS: Final = ("train", "fit")
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
_EPOCH = deferred(r"(?<![a-z])(?:epoch|ep|step|iter\w*|it|round|fold|trial)\W{0,3}\d")


class _Line(NamedTuple):
    """The words of a line in lower case, and where it stands."""

    words: str
    start: int
    end: int


class _Score(NamedTuple):
    """A score: what is measured, how much as a share of one where it is a share, and the words it is called by."""

    metric: str
    value: float
    words: str


class _Placed(NamedTuple):
    """A score with the word for where it was reached, the kind of mismatch its being worse is (empty: it is what others are held against), and its line."""

    score: _Score
    place: str
    kind: str
    at: int


def last_scores(block: Block, reader: LineReader) -> Draft | None:
    """Return the later of two lines near the end that do not go together; `name` is of which kind of mismatch it is."""
    lines = list(_lines(block, reader))[::-1]
    for name, line in (*_prepared(lines), *_not_reached(lines), *_regrouped(lines)):
        return Draft(kind=STATEMENT, name=f"mismatch/{name}", start=line.start, end=line.end)
    return None


def _lines(block: Block, reader: LineReader) -> Iterator[_Line]:
    for (start, line), _ in zip(from_end(block), range(LINES), strict=False):
        if len(line) <= _LONGEST:
            text = line[reader.speaker(line)[0] :].decode("utf-8", "replace")
            yield _Line(text[message_start(text) :].lower(), start, start + len(line))


def _scores(line: _Line) -> list[_Score]:
    found: list[_Score] = []
    begin = 0
    for each in _MENTION.finditer(line.words):
        value, words = float(each["value"]), line.words[begin : each.start("value")]
        begin = each.end()
        metric = _SAME.get(each["metric"], each["metric"])
        cost = _COST.fullmatch(metric) is not None
        if not cost and not each["percent"] and value > 1 and "." not in each["value"]:
            continue
        share = value / 100 if not cost and (each["percent"] or 1 < value <= 100) else value
        if cost or -10 <= share <= 1:
            found.append(_Score(metric, share, words if len(found) else line.words[: each.start("value")]))
    return found


def _not_reached(lines: Sequence[_Line]) -> Iterator[tuple[str, _Line]]:
    """Yield a line with a score far from the last one of the validation, of the trainer, or of the model as it was before."""
    known: list[_Placed] = []
    for at, line in enumerate(lines):
        scores = _scores(line)
        if not scores or _OTHER_COURSE.search(line.words):
            continue
        alone = _EPOCH.search(line.words) is None
        for score in scores:
            anew, other = _ANEW.search(score.words), _ELSEWHERE.search(score.words)
            place = anew or other or _KNOWN.search(score.words)
            if place is None:
                continue
            this = _Placed(score, place[0], "rescored" if anew else "gate" if other else "", at if alone else -LINES)
            for before in known:
                if before.score.metric == score.metric and before.place != this.place:
                    if this.kind and alone and _far(this, before):
                        yield this.kind, line
                    elif before.kind and before.at >= at - NEXT and alone and _far(before, this):
                        yield before.kind, line
            known = [each for each in known if (each.score.metric, each.place) != (score.metric, this.place)]
            known.append(this)


def _far(this: _Placed, other: _Placed) -> bool:
    """Tell whether a score is far worse than another one."""
    value, before = this.score.value, other.score.value
    if _COST.fullmatch(this.score.metric):
        return value >= WORSE * before > 0
    return value <= before - (MADE_ANEW if this.kind == "rescored" else APART)


def _regrouped(lines: Sequence[_Line]) -> Iterator[tuple[str, _Line]]:
    """Yield the last of the lines that are equal but for how often or in which groups one model was evaluated, and for the score."""
    for one, two in pairwise(lines):
        if not any(map(two.words.__contains__, _MEASURES)):
            continue
        if _shape(one.words) != _shape(two.words):
            continue
        first, second = _scores(one), _scores(two)
        if len(first) != 1 or len(second) != 1 or _EPOCH.search(two.words) or _COST.fullmatch(first[0].metric):
            continue
        apart = abs(first[0].value - second[0].value)
        if _GROUPING.search(two.words) and apart >= GROUPED:
            yield "batching", two
        elif apart >= REPEATED and (
            _REPEAT.search(two.words) or _same_model(one.words, two.words, first[0], second[0])
        ):
            yield "unstable", two


def _shape(words: str) -> str:
    """Return a line without its numbers, its spaces and the plural of what it counts."""
    return _NUMBERS.sub("0", words).replace("s", "").replace(" ", "")


def _same_model(one: str, two: str, first: _Score, second: _Score) -> bool:
    """Tell whether two lines name the same weights and say the same of them but for the score."""
    return first.words == second.words and _NAMED_MODEL.search(first.words) is not None and len(one) == len(two)


def _prepared(lines: Sequence[_Line]) -> Iterator[tuple[str, _Line]]:
    """Yield the second of two statements, one of training and one of evaluation, that name the same property with two values."""
    said = [(part, line) for line in lines for part in re.split(r"\s[;|]\s|;\s", line.words)]
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
