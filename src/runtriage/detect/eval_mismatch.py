"""An evaluation that disagrees with training from its first value on: two sets, labels or preprocessings that do not match."""

from __future__ import annotations

from collections.abc import Iterator

from runtriage.detect.curve import cite, finite, fired, first_of, of_role
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Evidence, Match
from runtriage.model.series import Series

WORSE = 1.5
"""First evaluation loss over the loss of the untrained model."""
LEARNT = 0.2
FEWEST = 3
"""Evaluations, before their never coming near training says anything."""
GOOD, POOR, FLAT = 0.95, 0.6, 0.1
STILL, DIGITS = 0.7, 3
"""Training has learnt when its loss fell this far; fewer digits than this may stay the same by chance."""
PERFECT, GAP = 0.9995, 0.03
"""A validation this good from its first value on is suspicious where training stays this far below it to the end."""
_SHARES = ("acc", "f1", "auc", "precision", "recall")
_WEIGHT_FIXES = ("evaluate-trained-weights",)
_LEAK_FIXES = ("split-by-group",)
_FIXES = ("compare-label-maps", "evaluate-on-training-batch")


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match when evaluation was never better than chance while training was nearly perfect."""
    match = _by_loss(facts) or _by_share(facts) or _frozen(facts) or _too_good(facts)
    if match is not None:
        yield match


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
    scores = (series for series in of_role(facts, "eval_metric") if _is_share(series))
    return any(max(point.value for point in finite(series)) > POOR for series in scores)


def _by_share(facts: Facts) -> Match | None:
    trains = [series for series in of_role(facts, "metric") if _is_share(series)]
    for evaluation in of_role(facts, "eval_metric"):
        judged = finite(evaluation)
        if not _is_share(evaluation) or len(judged) < FEWEST:
            continue
        values = [point.value for point in judged]
        good = [series for series in trains if min(p.value for p in finite(series)[-3:]) >= GOOD]
        if max(values) <= POOR and max(values) - min(values) <= FLAT and good:
            train = good[0]
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
            )
    return None


def _frozen(facts: Facts) -> Match | None:
    """Find an evaluation loss that is the same to the last digit every time while training learns: it looks at other weights."""
    train = first_of(facts, "loss")
    learnt = finite(train) if train is not None else []
    if len(learnt) < FEWEST or learnt[0].value <= 0 or learnt[-1].value > STILL * learnt[0].value:
        return None
    for evaluation in of_role(facts, "eval_loss"):
        judged = finite(evaluation)
        if len(judged) > FEWEST and len({point.value for point in judged}) == 1 and _precise(judged[0].value):
            claim = f"{evaluation.name} is {judged[0].value:g} in all {len(judged)} evaluations while training learns"
            return fired(
                "eval-frozen",
                "eval/wrong-checkpoint",
                evaluation,
                judged[0],
                claim,
                fixes=_WEIGHT_FIXES,
                numbers={"evaluations": float(len(judged)), "value": judged[0].value},
                title="Evaluation never sees what training learns",
            )
    return None


def _precise(value: float) -> bool:
    """Tell whether a value is printed so precisely that it cannot stay the same by chance."""
    digits = f"{value:.6g}".replace(".", "").strip("0")
    return len(digits) >= DIGITS


def _too_good(facts: Facts) -> Match | None:
    """Find a validation that is perfect from the first time on while the model never knows its own training data as well."""
    trains = [finite(series) for series in of_role(facts, "metric") if _is_share(series)]
    for evaluation in of_role(facts, "eval_metric"):
        judged = finite(evaluation)
        if not _is_share(evaluation) or len(judged) < FEWEST or min(point.value for point in judged) < PERFECT:
            continue
        beaten = [points for points in trains if max(point.value for point in points) <= PERFECT - GAP]
        if not beaten or len(beaten) < len(trains):
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


def _is_share(series: Series) -> bool:
    points = finite(series)
    name = series.name.lower()
    return bool(points) and any(word in name for word in _SHARES) and all(0 <= point.value <= 1 for point in points)


DETECTORS = (
    Detector(
        id="eval-mismatch",
        modes=("eval/label-mapping", "eval/data-leakage-split", "eval/wrong-checkpoint"),
        find=find,
        remedies=lambda: {
            "eval/label-mapping": _FIXES,
            "eval/data-leakage-split": _LEAK_FIXES,
            "eval/wrong-checkpoint": _WEIGHT_FIXES,
        },
        needs=lambda facts: () if any(of_role(facts, "eval_loss", "eval_metric")) else ("an evaluation series",),
    ),
)
