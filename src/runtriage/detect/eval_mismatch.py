"""An evaluation that disagrees with training from its first value on: two sets, labels or preprocessings that do not match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.detect.curve import cite, finite, fired, first_of, middle, of_role, shares, untrained_at_first
from runtriage.detect.engine import Detector
from runtriage.detect.eval_copy import quantity
from runtriage.detect.eval_mode import of_training_rows
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.naming import meaning, measure
from runtriage.model.series import Point, Series

WORSE = 1.5
"""First evaluation loss over the loss of the untrained model."""
LEARNT = 0.2
FEWEST = 3
"""Evaluations, before their never coming near training says anything."""
HALVED, ONLY_WORSE = 0.5, 1.2
"""How far training must have come, and how far above the evaluation of the untrained model every later one must stay."""
APART = 1.1
"""Least evaluation loss over that of the untrained model, of a score at chance beside a training loss that nearly vanished."""
GOOD, POOR, FLAT = 0.95, 0.6, 0.1
NOWHERE = 0.25
"""Best value of a score that may move and still says nothing, where it ends no better than it began."""
OTHER_UNITS, UNMOVED = 100.0, 0.01
"""First evaluation error over the first of training, and by how much it may move, where no model but other units explain it."""
UNRELATED, EXPLAINS = -1.0, 0.9
"""An R2 that no model of these targets has, however overfitted, and one of a model that knows its own."""
_EXPLAINED = frozenset({"r2", "r2 train", "r2 test", "r2 val", "r2 valid", "r2_score", "r^2"})
ALIKE, CHANCE, ROSE = 0.7, 0.15, 0.25
"""The same of training where the score of several evaluations is near nothing, and by how much training must have risen meanwhile."""
LEARNING, STEADY = 1.3, 0.03
"""Late scores over early ones from which a model that is poor so far counts as learning, and by how much where no late one is as low as any early one."""
PERFECT, GAP = 0.9995, 0.03
"""A validation this good from its first value on is suspicious where training stays this far below it to the end."""
SURE, WIDE = 0.98, 0.2
"""The same of a validation that is nearly perfect at once: no dropout and no augmentation keeps training so far below it to the end."""
CERTAIN = 0.02
"""Loss of the first evaluation; what is only easy takes training to become this sure (dropout and few samples explain the rest)."""
_LEAK_FIXES = ("split-by-group",)
_FIXES = ("compare-label-maps", "evaluate-on-training-batch")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match when evaluation was never better than chance while training was nearly perfect; not where training rows show that it runs another model."""
    if of_training_rows(facts) is not None:
        return
    match = (
        (_by_loss(facts) or _only_worse(facts) or _other_units(facts) if _began_untrained(facts) else None)
        or _by_share(facts)
        or _useless(facts)
        or _too_good(facts)
    )
    if match is not None:
        yield match


def _began_untrained(facts: Facts) -> bool:
    train = first_of(facts, "loss")
    return train is None or untrained_at_first(finite(train))


def _by_loss(facts: Facts) -> Match | None:
    train, evaluation = first_of(facts, "loss"), first_of(facts, "eval_loss")
    if train is None or evaluation is None:
        return None
    learnt, judged = finite(train), finite(evaluation)
    if len(learnt) < 3 or not judged or learnt[0].value <= 0:
        return None
    first = judged[0]
    then = [point.value for point in learnt if point.step <= first.step]
    untrained = learnt[0].value
    if min(point.value for point in judged) < WORSE * untrained or _scores_well(facts):
        return None
    if len(judged) >= FEWEST and judged[-1].value <= HALVED * first.value:
        return None  # what falls with training is judged by another scale, not by other labels
    late = len(judged) >= FEWEST and learnt[-1].value <= LEARNT * untrained
    if not late and (not then or then[-1] > LEARNT * untrained):
        return None
    if not then or then[-1] > LEARNT * untrained:
        then = [learnt[-1].value]
    claim = (
        f"{evaluation.name} is {first.value:g} at its first evaluation (step {first.step:g}), above the {untrained:g} of the "
        f"untrained model, while {train.name} is down to {then[-1]:g}"
    )
    return fired(
        "eval-worse-than-untrained",
        "eval/label-mapping",
        evaluation,
        first,
        claim,
        fixes=_FIXES,
        numbers={"first_eval": first.value, "untrained": untrained, "train_then": then[-1]},
        title="Evaluation is worse than an untrained model while training succeeds",
    )


def _scores_well(facts: Facts) -> bool:
    """Tell whether some score of the evaluation is far above chance: its inputs and labels fit, whatever its loss does."""
    scores = (shares(series) for series in of_role(facts, "eval_metric"))
    return any(max(point.value for point in points) > POOR for points in scores if points)


def _only_worse(facts: Facts) -> Match | None:
    """Find an evaluation that began with the untrained model and was worse ever after, while training succeeded."""
    train, evaluation = first_of(facts, "loss"), first_of(facts, "eval_loss")
    learnt, judged = finite(train) if train else [], finite(evaluation) if evaluation else []
    if train is None or evaluation is None or len(learnt) < FEWEST or len(judged) <= FEWEST or _scores_well(facts):
        return None
    untrained, later = judged[0], judged[1:]
    same = untrained.step <= learnt[0].step and abs(untrained.value - learnt[0].value) <= 0.2 * abs(learnt[0].value)
    worse = min(point.value for point in later) >= ONLY_WORSE * untrained.value > 0
    if not same or not worse or learnt[-1].value > HALVED * learnt[0].value:
        return None
    claim = (
        f"{evaluation.name} was {untrained.value:g} before the first step and {later[0].value:g} or more in every evaluation "
        f"since, while {train.name} came down to {learnt[-1].value:g}"
    )
    return fired(
        "eval-only-worse",
        "eval/label-mapping",
        evaluation,
        later[0],
        claim,
        fixes=_FIXES,
        numbers={"untrained": untrained.value, "best_since": min(p.value for p in later), "train": learnt[-1].value},
        title="Training makes the evaluation worse from the start",
        inferred=True,
    )


def _by_share(facts: Facts) -> Match | None:
    trains = [series for series in of_role(facts, "metric") if shares(series)]
    for evaluation in of_role(facts, "eval_metric"):
        judged = shares(evaluation)
        if len(judged) < FEWEST:
            continue
        values = [point.value for point in judged]
        least = ALIKE if len(judged) > FEWEST and max(values) <= CHANCE else GOOD
        least = ALIKE if values[-1] <= values[0] and max(values) <= NOWHERE else least
        good = [series for series in trains if min(p.value for p in shares(series)[-3:]) >= least and _rose(series)]
        known = good[0] if good else _only_training_learns(facts)
        if max(values) <= POOR and _nowhere(values) and known and not _learns(judged):
            train = known
            claim = f"{evaluation.name} stays between {min(values):g} and {max(values):g} from the first evaluation on"
            also = [
                Evidence(claim=f"{train.name} is {finite(train)[-1].value:g}", citation=cite(train, train.points[-1]))
            ]
            return fired(
                "eval-at-chance",
                "eval/label-mapping",
                evaluation,
                judged[0],
                claim,
                fixes=_FIXES,
                numbers={"best_eval": max(values)},
                also=also,
                title="Evaluation never leaves chance while training is nearly perfect",
                inferred=True,
            )
    return None


def _useless(facts: Facts) -> Match | None:
    """Find an R2 that is far below nothing in every evaluation, as if the mean of other targets were predicted, while training explains nearly all."""
    trains = [series for series in of_role(facts, "metric") if quantity(series.name) in _EXPLAINED and series.points]
    for evaluation in of_role(facts, "eval_metric"):
        judged = finite(evaluation)
        if (
            quantity(evaluation.name) not in _EXPLAINED
            or len(judged) < FEWEST
            or max(p.value for p in judged) > UNRELATED
        ):
            continue
        for train in trains:
            learnt = finite(train)
            if len(learnt) < FEWEST or min(point.value for point in learnt[-3:]) < EXPLAINS:
                continue
            best = max(point.value for point in judged)
            claim = f"{evaluation.name} is {best:g} or less in all {len(judged)} evaluations while {train.name} comes to {learnt[-1].value:g}"
            return fired(
                "eval-unrelated",
                "eval/label-mapping",
                evaluation,
                judged[0],
                claim,
                fixes=_FIXES,
                numbers={"best_eval": best, "train": learnt[-1].value},
                title="Evaluation is worse than a constant while training explains its targets",
            )
    return None


def _other_units(facts: Facts) -> Match | None:
    """Find an error that is orders of magnitude above that of training from the first evaluation on and does not move while training learns."""
    for evaluation in of_role(facts, "eval_metric", "eval_loss"):
        judged = finite(evaluation)
        if len(judged) < FEWEST or meaning(evaluation.name).better != "lower" or judged[0].value <= 0:
            continue
        still = abs(judged[-1].value - judged[0].value) <= UNMOVED * judged[0].value
        for train in of_role(facts, "metric", "loss") if still else ():
            learnt = finite(train)
            if len(learnt) < FEWEST or measure(train.name) != measure(evaluation.name):
                continue
            if 0 < learnt[-1].value <= HALVED * learnt[0].value and judged[0].value >= OTHER_UNITS * learnt[0].value:
                claim = (
                    f"{evaluation.name} is {judged[0].value:g} at its first evaluation, where {train.name} began with "
                    f"{learnt[0].value:g}, and still {judged[-1].value:g} when that came down to {learnt[-1].value:g}"
                )
                return fired(
                    "eval-other-units",
                    "eval/preprocess-drift",
                    evaluation,
                    judged[0],
                    claim,
                    fixes=_FIXES[1:],
                    numbers={"first_eval": judged[0].value, "first_train": learnt[0].value},
                    title="Evaluation is measured in other units than training",
                )
    return None


def _nowhere(values: Sequence[float]) -> bool:
    """Tell whether a score stayed where it was, or moved about so low that it ends no better than it began."""
    return max(values) - min(values) <= FLAT or (max(values) <= NOWHERE and values[-1] <= values[0])


def _rose(series: Series) -> bool:
    """Tell whether a score of training is well above what it began with, or began as good as it is."""
    points = shares(series)
    return points[-1].value >= GOOD or points[-1].value >= points[0].value + ROSE


def _only_training_learns(facts: Facts) -> Series | None:
    """Return the training loss where it went down to nearly nothing while that of the evaluation was never even the untrained model's.

    A model that memorises noise begins its evaluations near the untrained loss; other labels cost more from the first one on.
    """
    train, evaluation = first_of(facts, "loss"), first_of(facts, "eval_loss")
    learnt, judged = finite(train) if train else [], finite(evaluation) if evaluation else []
    if len(learnt) < FEWEST or len(judged) < FEWEST or not 0 < learnt[-1].value <= LEARNT * learnt[0].value:
        return None
    least = min(point.value for point in judged)
    return train if least >= APART * learnt[0].value and judged[0].value >= ONLY_WORSE * learnt[0].value else None


def _certain(facts: Facts) -> bool:
    """Tell whether the first evaluation was sure of being right, as far as its loss is printed: a few easy samples are got right by chance."""
    firsts = [points[0].value for series in of_role(facts, "eval_loss") if (points := finite(series))]
    return not firsts or max(firsts) <= CERTAIN


def _learns(judged: Sequence[Point]) -> bool:
    third = max(len(judged) // 3, 1)
    early, late = judged[:third], judged[-third:]
    apart = min(point.value for point in late) > max(point.value for point in early)
    return middle(late) > LEARNING * middle(early) + 0.005 or (apart and middle(late) >= middle(early) + STEADY)


def _stays_below(points: Sequence[Point], validation: float) -> bool:
    """Tell whether training never came near a validation that was as good from its first value on."""
    best = max(point.value for point in points)
    return best <= PERFECT - GAP if validation >= PERFECT else best <= validation - WIDE


def _too_good(facts: Facts) -> Match | None:
    """Find a validation that is perfect from the first time on while the model never knows its own training data as well."""
    trains = [points for series in of_role(facts, "metric") if (points := shares(series))]
    for evaluation in of_role(facts, "eval_metric"):
        judged = shares(evaluation)
        least = min((point.value for point in judged), default=0.0)
        if len(judged) < FEWEST or least < SURE:
            continue
        beaten = [points for points in trains if _stays_below(points, least)]
        if not beaten or len(beaten) < len(trains) or not (_certain(facts) or least < PERFECT):
            continue
        best = max(point.value for point in beaten[0])
        claim = f"{evaluation.name} is {judged[0].value:g} from its first value on, and training itself never gets above {best:g}"
        return fired(
            "eval-too-good",
            "eval/data-leakage-split",
            evaluation,
            judged[0],
            claim,
            fixes=_LEAK_FIXES,
            numbers={"first_eval": judged[0].value, "best_train": best},
            title="Validation is perfect from the start, which its data being known from elsewhere would explain",
        )
    return None


DETECTORS = (
    Detector(
        id="eval-mismatch",
        modes=("eval/label-mapping", "eval/data-leakage-split"),
        find=find,
        remedies=lambda: {
            "eval/label-mapping": _FIXES,
            "eval/data-leakage-split": _LEAK_FIXES,
        },
        needs=lambda facts: () if any(of_role(facts, "eval_loss", "eval_metric")) else ("an evaluation series",),
    ),
)
