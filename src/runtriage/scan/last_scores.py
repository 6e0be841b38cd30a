"""Scores near the end that do not go together: one that was not reached again, by the ranks alike, or with samples grouped otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from typing import Final, NamedTuple

from runtriage.model.event import STATEMENT
from runtriage.model.pattern import deferred
from runtriage.scan.draft import Draft
from runtriage.scan.families import FEWEST, Line, climbs, column, families
from runtriage.scan.prepared import prepared
from runtriage.scan.scores import ANEW, BEFORE, ELSEWHERE, JUDGED, NEVER_TRAINED, TRAIN, Score, scores

LINES: Final = 40
"""Lines at the end that are compared."""
APART, MADE_ANEW, WORSE = 0.25, 0.1, 3.0
"""How far below the validation a score on other data must be, one of the same weights elsewhere, and how many times as high a cost."""
GROUPED, REPEATED, RANKS = 0.05, 0.002, 0.2
"""How far scores of one model may be apart that differ in how samples are grouped, in nothing at all, or in whose rank's they are."""
NEXT: Final = 2
"""Lines by which the worse of two scores may stand before the better one."""
_OTHER_COURSE = deferred(
    r"(?<![a-z])(?:baseline|random|chance|majority|per[- ]class|class \w+|folds?|seeds?|zero-?shot|few-?shot|previous|worst|min(?:imum)?|ood|adversarial|corrupt\w*|nois\w+|robust\w*|hard|subset|sub-?group|perturb\w*|\w*attack\w*|pgd|required?|threshold|target|limit|floor|best so far|epoch 0|initial|untrained|pretrained|teacher|student|sota|paper|shift\w*|domain|out[- ]of[- ]domain|cold[- ]?\w*|other|unseen (?:classes|languages|tasks)|rare|minority|tail|per[- ](?:group|site|language|user|domain)|naive|persistence|prior|human|oracle|upper bound|lower bound|without|w/o|no|only|ablat\w*|prun\w*|sparse|distil\w*|cross-\w*|transfer|improve\w*|gain|delta|gap|std|spread|after (?:\d+|fine|pre)|ensemble)(?![a-z])"
)
"""What a score may be far from for a reason that everybody knows."""
_GROUPING = deferred(
    r"(?<![a-z])(?:eval\w*|infer\w*|scor\w*|validat\w*|test\w*)[ (](?:\w+ )?(?:with |on |at |using )?(?:bs|batch(?:[ _-]?size)?|world[ _-]?size|\d+ (?:gpus?|ranks?|process\w*|workers?|devices?))(?![a-z])"
)
_NAMED_MODEL = deferred(
    r"(?<![a-z])(?:ckpt|checkpoint|weights|model|snapshot)[ _:=#-]{0,3}\d|\w\.(?:pt|pth|ckpt|safetensors|h5|keras|onnx)(?![a-z])|(?<![a-z])same (?:weights|model|checkpoint)"
)
"""Which weights were evaluated."""
_REPEAT = deferred(
    r"(?<![a-z])(?:pass|repeat\w*|repetition|again|call|(?:first|second|third|fourth|fifth|#) time|time #|once more)(?![a-z])"
)
_UNCHANGED = deferred(
    r"(?<![a-z])(?:frozen|same|identical|unchanged|fixed) (?:\w+ )?(?:weights|model|checkpoint|parameters|network)|without (?:training|touching)|nothing (?:is )?trained|(?:weights|model) (?:are |is )?(?:frozen|fixed|unchanged)"
)
"""Above lines that only repeat an evaluation."""
_ORDINAL = deferred(r"(?<![a-z])(?:first|second|third|fourth|fifth|1st|2nd|3rd|[45]th)(?![a-z])|\d+(?:\.\d+)?")
_EPOCH = deferred(r"(?<![a-z])(?:epoch|ep|step|iter\w*|it|round|fold|trial|seed|update)\W{0,3}\d+|\d+ ?/ ?\d+")
_CONTRAST = deferred(
    r"(?<![a-z])(?:where(?:as)?|while|but|vs|versus|against|instead of|although|though|yet|rather than|not)(?![a-z])"
)
_SAME_MODEL = deferred(r"(?<![a-z])same (?:checkpoint|weights|model|text|data|file)(?![a-z])")
_COURSE = deferred(
    r"(?<![a-z])(?:before|from|improv\w*|rose|raised|fell|start\w*|since|last (?:week|run|time)|best)(?![a-z])"
)
"""What tells that two scores are those of two times."""
_BY_WHOM = deferred(
    r"(?<![a-z])(?:scripts?|codes?|scorer|implementation|librar(?:y|ies)|tools?|evaluator|runtime|backend|engine|framework|kernel|harness|reference|official|ours?|theirs?|internal|gpu|cpu|tpu|cuda|mps|fp16|bf16|fp32)(?![a-z])"
)
"""Who computed a score."""
_ANOTHER_WAY = deferred(r"(?<![a-z])(?:with|using|taken|read|when|computed)(?![a-z])")
"""How one and the same score was reached this time."""
_OTHER_DATA = deferred(r" on (?!(?:the )?(?:val|valid|dev|test|hold|held|same))")
_STILL, _PRECISE = 6, 4
"""Rows, and digits, of a column of the evaluation that never moves."""
_RANKED = deferred(r"(?<![a-z])(?:rank|gpu|worker|replica|process|device)[ _:#]?\d")


class _Placed(NamedTuple):
    """A score with the word for where it was reached, the kind of mismatch its being worse is (empty: it is what others are held against), and its line."""

    score: Score
    place: str
    kind: str
    at: int


def last_scores(lines: Sequence[Line]) -> Draft | None:
    """Return the later of two lines near the end that do not go together; `name` is of which kind of mismatch it is."""
    last = [line._replace(words=line.words.lower()) for line in lines[-LINES:]]
    found = chain(prepared(last), _by_rank(last), _not_reached(last), _regrouped(last), _by_whom(last), _frozen(last))
    for name, line in found:
        return Draft(kind=STATEMENT, name=f"mismatch/{name}", start=line.start, end=line.end)
    return None


def _not_reached(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield a line with a score far from the last one of the validation, of the trainer, or of the model as it was before."""
    rows, shapes = _rows(lines), [line.shape for line in lines]
    known: list[_Placed] = []
    for at, line in enumerate(lines):
        told = scores(line)
        if not told or _OTHER_COURSE.search(line.words):
            continue
        if line.shape not in rows and _contrasted(told, line):
            yield "rescored", line
        alone = line.shape not in rows and _EPOCH.search(line.words) is None
        for this in _placed(told, at if alone else -LINES, row=line.shape in rows, once=shapes.count(line.shape) == 1):
            for before in known:
                if before.score.metric == this.score.metric and before.place != this.place:
                    if this.kind and alone and _far(this, before):
                        yield this.kind, line
                    elif before.kind and before.at >= at - NEXT and alone and _far(before, this):
                        yield before.kind, line
            known = [each for each in known if (each.score.metric, each.place) != (this.score.metric, this.place)]
            known.append(this)


def _contrasted(told: Sequence[Score], line: Line) -> bool:
    """Tell whether a line sets two scores of one metric against each other, neither of training, that cannot be of the same thing."""
    same = _SAME_MODEL.search(line.words) is not None
    if (
        len(told) < 2
        or not (same or _CONTRAST.search(line.words))
        or _COURSE.search(line.words)
        or TRAIN.search(line.words)
    ):
        return False
    return any(
        one.metric == two.metric and not one.cost and abs(one.value - two.value) >= APART for one, two in pairwise(told)
    )


def _rows(lines: Sequence[Line]) -> frozenset[str]:
    shapes = [line.shape for line in lines]
    return frozenset(shape for shape in shapes if shapes.count(shape) >= FEWEST)


def _placed(told: Iterable[Score], at: int, *, row: bool, once: bool) -> Iterator[_Placed]:
    """Yield scores with where they were reached. One of rows is what others are held against; one that stands alone (`once`) is of other data, or measured again."""
    for score in told:
        anew, other, before = (None if row else each.search(score.words) for each in (ANEW, ELSEWHERE, BEFORE))
        judged = JUDGED.search(score.words)
        if TRAIN.search(score.words) and not (judged or anew or before):
            continue
        named = anew or other or before
        if named is not None:
            gate = other is not None and _OTHER_DATA.search(score.words) is None
            yield _Placed(score, named[0], "rescored" if anew else "gate" if gate else "", at)
        elif row or not once:
            sure = score.metric.partition("@")[0] in NEVER_TRAINED
            yield _Placed(score, judged[0] if judged else "judged" if sure else "", "", at)
        elif judged is not None:
            yield _Placed(score, f"{judged[0]} again", "gate" if _ANOTHER_WAY.search(score.words) else "", at)
        else:
            yield _Placed(score, "alone", "" if _OTHER_DATA.search(score.words) else "gate", at)


def _far(this: _Placed, other: _Placed) -> bool:
    """Tell whether a score is far worse than another one."""
    value, before = this.score.value, other.score.value
    if "" in (this.place, other.place) and "alone" in (this.place, other.place):
        return False  # neither says where it was reached
    if this.score.cost:
        return value >= WORSE * before > 0
    return value <= before - (MADE_ANEW if this.kind == "rescored" else APART)


def _regrouped(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the last of the lines that are equal but for how often or in which groups one model was evaluated, and for the score."""
    above = ""
    for one, two in pairwise(lines):
        if _plain(one.words) != _plain(two.words):
            above = one.words
            continue
        values = [line.numbers[-1].value for line in (one, two) if line.numbers and "." in line.numbers[-1].printed]
        if len(values) < 2 or not max(map(abs, values)) or _OTHER_COURSE.search(two.words):
            continue
        if _EPOCH.findall(one.words) != _EPOCH.findall(two.words):
            continue
        apart = abs(values[0] - values[1]) / max(map(abs, values))
        if _GROUPING.search(two.words) and apart >= GROUPED:
            yield "batching", two
        elif apart >= REPEATED and (_REPEAT.search(two.words) or _UNCHANGED.search(above) or _same_model(one, two)):
            yield "unstable", two


def _plain(words: str) -> str:
    """Return a line without its numbers and ordinals, its spaces and the plural of what it counts."""
    return _ORDINAL.sub("0", words).replace("s", "").replace(" ", "")


def _same_model(one: Line, two: Line) -> bool:
    """Tell whether two lines name the same weights and say the same of them but for the last number."""
    first, second = (line.words.rpartition(line.numbers[-1].printed.lower())[0] for line in (one, two))
    return first == second and _NAMED_MODEL.search(first) is not None and _EPOCH.search(first) is None


def _by_rank(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield a line that tells of several ranks scores of one metric which cannot be those of one model."""
    for line in lines:
        told = [score for score in scores(line) if _RANKED.search(score.words) and not score.cost]
        if any(abs(one.value - two.value) >= RANKS and one.metric == two.metric for one, two in combinations(told, 2)):
            yield "ranks", line


def _by_whom(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the second of two lines that tell one number as two programs compute it, far apart; what it is called does not matter."""
    for one, two in pairwise(lines):
        if len(one.numbers) != 1 or len(two.numbers) != 1 or "." not in one.numbers[0].printed + two.numbers[0].printed:
            continue
        first, second = one.words.split(), two.words.split()
        same = next((at for at, (left, right) in enumerate(zip(first, second, strict=False)) if left != right), 0)
        others = " ".join(first[same:] + second[same:])
        shared = any(word.strip(":=(,").isalpha() for word in first[:same])
        if not shared or not _BY_WHOM.search(others) or _OTHER_COURSE.search(f"{one.words} {two.words}"):
            continue
        low, high = sorted(abs(line.numbers[0].value) for line in (one, two))
        if high > 0 and high - low >= APART * high and not _EPOCH.search(one.words):
            yield "rescored", two


def _frozen(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the last of rows in which a column of the evaluation is always the same, to many digits, while another one halves or doubles."""
    for rows in families(lines):
        if len(rows) < _STILL:
            continue
        columns = [column(rows, index) for index in range(len(rows[0].numbers))]
        moved = any(_moved(values) for values in columns if not climbs(values))
        for number, values in zip(rows[0].numbers, columns, strict=True):
            digits = len(number.printed.replace(".", "").strip("-0"))
            if moved and digits >= _PRECISE and len(set(values)) == 1 and JUDGED.search(number.name):
                yield "frozen", rows[-1]


def _moved(values: Sequence[float]) -> bool:
    return 0 < values[-1] <= 0.5 * values[0] or 0 < 2 * values[0] <= values[-1]
