"""Scores near the end that do not go together: one that was not reached again, by the ranks alike, or with samples grouped otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise
from typing import Final

from msgspec import Struct

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import MISMATCH
from runtriage.model.pattern import deferred
from runtriage.scan.alike import FORMS, Alike, form_of_text
from runtriage.scan.confusion import renamed
from runtriage.scan.contrast import contrasts
from runtriage.scan.draft import Draft
from runtriage.scan.families import FEWEST, Line, climbs, column, families
from runtriage.scan.grouping import meant, regrouped
from runtriage.scan.later_scores import later_scores
from runtriage.scan.no_better import no_better
from runtriage.scan.prepared import prepared
from runtriage.scan.scores import ANEW, BEFORE, ELSEWHERE, JUDGED, NEVER_TRAINED, TRAIN, Score, scores
from runtriage.scan.tally import shared

LINES: Final = 40
"""Lines at the end that are compared."""
APART, MADE_ANEW, WORSE = 0.25, 0.1, 3.0
"""How far below the validation a score on other data must be, one of the same weights elsewhere, and how many times as high a cost."""
UNLIKE: Final = 0.5
"""Part of a score above one by which another one is lower at least: decibels and the like have no fixed range."""
GROUPED, REPEATED, RANKS = 0.05, 0.002, 0.2
"""How far scores of one model may be apart that differ in how samples are grouped, in nothing at all, or in whose rank's they are."""
NEXT: Final = 2
"""Lines by which the worse of two scores may stand before the better one."""
_OTHER_COURSE = Alike(
    r"(?<![a-z])(?:baseline|random|chance|majority|per[- ]class|class \w+|folds?|seeds?|zero-?shot|few-?shot|previous|worst|min(?:imum)?|ood|adversarial|corrupt\w*|nois\w+|robust\w*|hard|subset|sub-?group|perturb\w*|\w*attack\w*|pgd|required?|threshold|target|limit|floor|best so far|epoch 0|initial|untrained|pretrained|teacher|student|sota|paper|shift\w*|domain|out[- ]of[- ]domain|cold[- ]?\w*|other|unseen (?:classes|languages|tasks)|rare|minority|tail|(?<!s )per[- ](?:group|site|language|user|domain)|naive|persistence|prior|human|oracle|upper bound|lower bound|without|w/o|no|only|ablat\w*|prun\w*|sparse|distil\w*|cross-\w*|transfer|improve\w*|gain|delta|gap|std|spread|after (?:\d+|fine|pre)|ensemble|permut\w*|shuffl\w*|dummy\w*|leave[- ]one\w*|snr|int2|[12]-?bit)(?![a-z])"
)
"""What a score may be far from for a reason that everybody knows."""
_GROUPING = Alike(
    r"(?<![a-z])(?:eval\w*|infer\w*|scor\w*|validat\w*|test\w*)[ (-]{1,4}(?:\w+ )?(?:with |on |at |using )?(?:bs|batch(?:[ _-]?size)?|world[ _-]?size|\d+ (?:gpus?|ranks?|process\w*|workers?|devices?))(?![a-z])"
)
_NAMED_MODEL = Alike(
    r"(?<![a-z])(?:ckpt|checkpoint|weights|model|snapshot)[ _:=#-]{0,3}\d|\w\.(?:pt|pth|ckpt|safetensors|h5|keras|onnx)(?![a-z])|(?<![a-z])same (?:weights|model|checkpoint)"
)
"""Which weights were evaluated."""
_REPEAT = Alike(
    r"(?<![a-z])(?:pass|repeat\w*|repetition|again|call|(?:first|second|third|fourth|fifth|#) time|time #|once more)(?![a-z])"
)
_UNCHANGED = Alike(
    r"(?<![a-z])(?:frozen|same|identical|unchanged|fixed) (?:\w+ )?(?:weights|model|checkpoint|parameters|network)|without (?:training|touching)|(?:two|three|four|five|ten) times(?![a-z])|nothing (?:is )?trained|(?:weights|model) (?:are |is )?(?:frozen|fixed|unchanged)"
)
"""Above lines that only repeat an evaluation."""
_ORDINAL = deferred(
    r"(?<=run )[a-h](?![a-z])|(?<=pass )[a-h](?![a-z])|(?<![a-z])(?:first|second|third|fourth|fifth|1st|2nd|3rd|[45]th)(?![a-z])|\d+(?:\.\d+)?"
)
_PLURAL = deferred(r"(?<=s)es(?![a-z])")
_EPOCH = Alike(r"(?<![a-z])(?:epoch|ep|step|iter\w*|it|round|fold|trial|seed|update)\W{0,3}\d+|\d+ ?/ ?\d+")
_CONTRAST = Alike(
    r"(?<![a-z])(?:where(?:as)?|while|but|vs|versus|against|instead of|although|though|yet|rather than|not)(?![a-z])"
)
_SAME_MODEL = Alike(r"(?<![a-z])same (?:checkpoint|weights|model|text|data|file)(?![a-z])")
_COURSE = Alike(
    r"(?<![a-z])(?:before|from|improv\w*|rose|raised|fell|start\w*|since|last (?:week|run|time)|best)(?![a-z])"
)
"""What tells that two scores are those of two times."""
_BY_WHOM = deferred(
    r"(?<![a-z])(?:scripts?|codes?|scorer|implementation|librar(?:y|ies)|tools?|evaluator|runtime|backend|engine|framework|kernel|harness|reference|official|ours?|theirs?|internal|gpu|cpu|tpu|cuda|mps|fp16|bf16|fp32)(?![a-z])"
)
"""Who computed a score."""
_ANOTHER_WAY = deferred(r"(?<![a-z])(?:with|using|taken|read|when|computed)(?![a-z])")
"""How one and the same score was reached this time."""
_OTHER_DATA = Alike(r" on (?!(?:the )?(?:val|valid|dev|test|hold|held|same))")
_STILL, _PRECISE = 6, 4
"""Rows, and digits, of a column of the evaluation that never moves."""
_GROUPED_ROW = deferred(
    r"\W{0,4}(?:(?:bs|batch(?:[ _-]?size)?|world[ _-]?size)[ :=]{1,3}\d|\d+ (?:gpus?|ranks?|process(?:es)?|workers?|devices?)(?![a-z]))"
)
_HEADING: Final = 2
_ASKED = Alike(r"(?<![a-z])(?:infer\w*|predict\w*|generat\w*|scor(?:ed|ing)|decod\w*) ")
"""Heads rows of an evaluation as well."""
_RANKED = Alike(r"(?<![a-z])(?:rank|gpu|worker|replica|process|device)[ _:#]?\d")


class _Placed(Struct, frozen=True):
    """A score with the word for where it was reached, the kind of mismatch its being worse is (empty: it is what others are held against), and its line."""

    score: Score
    place: str
    kind: str
    at: int


def last_scores(lines: Sequence[Line]) -> Draft | None:
    """Return the later of two lines near the end that do not go together; `name` is of which kind of mismatch it is."""
    last = lines[-LINES:]
    other = [_OTHER_COURSE.found(*said) or _EPOCH.found(*said) for said in ((line.low, line.form) for line in last)]
    found = chain(
        prepared(last),
        contrasts(last, other),
        shared(last),
        renamed(last),
        _by_rank(last),
        _not_reached(last),
        _regrouped(last),
        regrouped(last),
        _by_whom(last),
        _frozen(last),
        no_better(last),
        later_scores(lines),
    )
    for name, line in found:
        return Draft(kind=STATEMENT, name=f"{MISMATCH}{name}", start=line.start, end=line.end)
    return None


def _not_reached(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield a line with a score far from the last one of the validation, of the trainer, or of the model as it was before."""
    shapes = Counter(line.shape for line in lines)
    if not any(shapes[line.shape] < FEWEST and _reports(line) for line in lines):
        return  # rows are only what others are held against
    known: list[_Placed] = []
    for at, line in enumerate(lines):
        row = shapes[line.shape] >= FEWEST
        told = scores(line)
        if not told or _OTHER_COURSE.found(line.low, line.form) or _headed_otherwise(lines, at):
            continue
        if not row and _contrasted(told, line):
            yield "rescored", line
        alone = not row and not _EPOCH.found(line.low, line.form)
        for this in _placed(told, at if alone else -LINES, row=row, once=shapes[line.shape] == 1):
            for before in known:
                if before.score.metric == this.score.metric and before.place != this.place:
                    if this.kind and alone and _far(this, before):
                        yield this.kind, line
                    elif before.kind and before.at >= at - NEXT and alone and _far(before, this):
                        yield before.kind, line
            known = [each for each in known if (each.score.metric, each.place) != (this.score.metric, this.place)]
            known.append(this)


def _reports(line: Line) -> bool:
    """Tell whether a line prints scores that others can be held against."""
    return bool(scores(line)) and not _OTHER_COURSE.found(line.low, line.form)


def _headed_otherwise(lines: Sequence[Line], at: int) -> bool:
    """Tell whether a line stands in a list whose heading says why its scores are others."""
    heading = next((line for line in reversed(lines[:at]) if not scores(line)), None)
    return heading is not None and heading.low.endswith((":", ")")) and _OTHER_COURSE.found(heading.low, heading.form)


def _contrasted(told: Sequence[Score], line: Line) -> bool:
    """Tell whether a line sets two scores of one metric against each other, neither of training, that cannot be of the same thing."""
    said = line.low, line.form
    if len(told) < 2 or not (_SAME_MODEL.found(*said) or _CONTRAST.found(*said)):
        return False
    if _COURSE.found(*said) or TRAIN.found(*said):
        return False
    return any(
        one.metric == two.metric and not one.cost and abs(one.value - two.value) >= APART for one, two in pairwise(told)
    )


def _placed(told: Iterable[Score], at: int, *, row: bool, once: bool) -> Iterator[_Placed]:
    """Yield scores with where they were reached. One of rows is what others are held against; one that stands alone (`once`) is of other data, or measured again."""
    for score in told:
        said = score.words, score.form
        anew, other, before = (None if row else each.search(*said) for each in (ANEW, ELSEWHERE, BEFORE))
        judged = JUDGED.search(*said)
        if TRAIN.found(*said) and not (judged or anew or before):
            continue
        named = anew or other or before
        if named is not None:
            gate = other is not None and not _OTHER_DATA.found(*said)
            yield _Placed(score, named[0], "rescored" if anew else "gate" if gate else "", at)
        elif row or not once:
            sure = score.metric.partition("@")[0] in NEVER_TRAINED
            yield _Placed(score, judged[0] if judged else "judged" if sure else "", "", at)
        elif judged is not None:
            yield _Placed(score, f"{judged[0]} again", "gate" if _ANOTHER_WAY.search(score.words) else "", at)
        else:
            yield _Placed(score, "alone", "" if _OTHER_DATA.found(*said) else "gate", at)


def _far(this: _Placed, other: _Placed) -> bool:
    """Tell whether a score is far worse than another one."""
    value, before = this.score.value, other.score.value
    if "" in (this.place, other.place) and "alone" in (this.place, other.place):
        return False  # neither says where it was reached
    if this.score.cost:
        return value >= WORSE * before > 0
    apart = MADE_ANEW if this.kind == "rescored" else APART
    return value <= before - max(apart, UNLIKE * before if before > 1 else 0.0)


def _regrouped(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the last of the lines that are equal but for how often or in which groups one model was evaluated, and for the score."""
    for at, (one, two) in enumerate(pairwise(lines)):
        values = [line.numbers[-1].value for line in (one, two) if line.numbers and "." in line.numbers[-1].printed]
        if len(values) < 2 or not max(map(abs, values)):
            continue
        apart = abs(values[0] - values[1]) / max(map(abs, values))
        if not apart >= REPEATED or _epochs(one) != _epochs(two) or _plain(one.low) != _plain(two.low):
            continue
        if _OTHER_COURSE.found(two.low, two.form):
            continue
        if (_GROUPING.found(two.low, two.form) or _grouped(lines, at)) and apart >= GROUPED:
            if not meant(lines):
                yield "batching", two
        elif not _trains(two, lines) and (
            _REPEAT.found(two.low, two.form) or _unchanged(lines, at) or _same_model(one, two)
        ):
            yield "unstable", two


def _epochs(line: Line) -> list[str]:
    return _EPOCH.findall(line.low, line.form)


def _grouped(lines: Sequence[Line], at: int) -> bool:
    """Tell whether the line at a place begins with the size of a batch, below a line that tells of an evaluation."""
    if not _GROUPED_ROW.match(lines[at].low):
        return False
    above = [line for line in lines[:at] if _plain(line.low) != _plain(lines[at].low)][-_HEADING:]
    return any(JUDGED.found(line.low, line.form) or _ASKED.found(line.low, line.form) for line in above)


def _trains(line: Line, lines: Sequence[Line]) -> bool:
    """Tell whether a line reports training too, or is one of rows whose last number goes one way: work goes on between them, nothing is repeated."""
    if TRAIN.found(line.low, line.form):
        return True
    like = [each.numbers[-1].value for each in lines if each.shape == line.shape and each.numbers]
    ways = {later > earlier for earlier, later in pairwise(like)}
    return len(like) > FEWEST and len(ways) == 1


def _unchanged(lines: Sequence[Line], at: int) -> bool:
    """Tell whether the line above or below those that are like the one at a place says that the model stays the same."""
    begin = end = at
    while begin > 0 and _plain(lines[begin - 1].low) == _plain(lines[at].low):
        begin -= 1
    while end < len(lines) - 1 and _plain(lines[end].low) == _plain(lines[at].low):
        end += 1
    beside = (lines[begin - 1] if begin else None, lines[end])
    return any(line is not None and _UNCHANGED.found(line.low, line.form) for line in beside)


@lru_cache(2 * LINES)
def _plain(words: str) -> str:
    """Return a line without its numbers and ordinals, its spaces and the plural of what it counts."""
    return _PLURAL.sub("", _ORDINAL.sub("0", words)).replace("s", "").replace(" ", "")


def _same_model(one: Line, two: Line) -> bool:
    """Tell whether two lines name the same weights and say the same of them but for the last number."""
    first, second = (line.low.rpartition(line.numbers[-1].printed.lower())[0] for line in (one, two))
    if first != second:
        return False
    said = first, form_of_text(first)
    return _NAMED_MODEL.found(*said) and not _EPOCH.found(*said)


def _by_rank(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield a line that tells of several ranks scores of one metric which cannot be those of one model."""
    for line in lines:
        if not _names_ranks(line.form):
            continue
        told = [score for score in scores(line) if _RANKED.found(score.words, score.form) and not score.cost]
        if any(abs(one.value - two.value) >= RANKS and one.metric == two.metric for one, two in combinations(told, 2)):
            yield "ranks", line


@lru_cache(FORMS)
def _names_ranks(form: str) -> bool:
    """Tell whether lines of a form name two ranks at least."""
    return len(_RANKED.pattern.findall(form)) > 1


def _by_whom(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the second of two lines that tell one number as two programs compute it, far apart; what it is called does not matter."""
    for one, two in pairwise(lines):
        if len(one.numbers) != 1 or len(two.numbers) != 1 or "." not in one.numbers[0].printed + two.numbers[0].printed:
            continue
        first, second = one.low.split(), two.low.split()
        same = next((at for at, (left, right) in enumerate(zip(first, second, strict=False)) if left != right), 0)
        others = " ".join(first[same:] + second[same:])
        shared = any(word.strip(":=(,").isalpha() for word in first[:same])
        if not shared or not _BY_WHOM.search(others):
            continue
        both = f"{one.low} {two.low}"
        if _OTHER_COURSE.found(both, form_of_text(both)):
            continue
        low, high = sorted(abs(line.numbers[0].value) for line in (one, two))
        if high > 0 and high - low >= APART * high and not _EPOCH.found(one.low, one.form):
            yield "rescored", two


def _frozen(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the last of rows in which a column of the evaluation is always the same, to many digits, while another one halves or doubles."""
    for rows in families(lines):
        judged = [JUDGED.found(number.name, form_of_text(number.name)) for number in rows[0].numbers]
        if len(rows) < _STILL or not any(judged):
            continue
        columns = [column(rows, index) for index in range(len(rows[0].numbers))]
        moved = any(_moved(values) for values in columns if not climbs(values))
        for number, values, told in zip(rows[0].numbers, columns, judged, strict=True):
            digits = len(number.printed.replace(".", "").strip("-0"))
            if moved and digits >= _PRECISE and len(set(values)) == 1 and told:
                yield "frozen", rows[-1]


def _moved(values: Sequence[float]) -> bool:
    return 0 < values[-1] <= 0.5 * values[0] or 0 < 2 * values[0] <= values[-1]
