"""Refits the judge's confidence on the development split: ``python -m zoo.calibrate [--write]``.

A logistic regression held near the coefficients that were set by hand (`prior` in the file), in plain Python. Its quality is measured by cross-validation whose folds never part the cases
of one program; the coefficients that are written are fitted on the whole split.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from zoo.case import handed_over, load_cases
from zoo.measures import calibration_error

FIRST_LOOKS = Path(__file__).with_name("first-looks.json")
COMMAND = "python -m zoo.calibrate --write"
FOLDS, SEED, ROUNDS, RATE = 5, 20_240_601, 1000, 0.5
PENALTY = 0.005
"""Weight of the squared distance from the prior: few causes are wrong, so a feature seen a few times should stay where it was set."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One named cause: the program it came from, its features, whether its class was right."""

    program: str
    values: dict[str, float]
    right: bool
    before: float


def samples(names: tuple[str, ...] = ()) -> list[Sample]:
    """Diagnose the development split and return one sample for every case in which a cause is ranked first."""
    from runtriage.judge.confidence import confidence, features  # pyright: ignore[reportMissingTypeStubs]
    from runtriage.model.options import Options
    from runtriage.pipeline import Pipeline
    from runtriage.redact import DEFAULT
    from runtriage.signatures import load
    from runtriage.store.memory import MemoryCache
    from runtriage.targets import resolve

    cache = MemoryCache()
    catalogue = load((), cache)
    found: list[Sample] = []
    for case in load_cases("dev", names):
        with handed_over(case) as target, resolve([str(target)]) as opened:
            done = Pipeline(opened, catalogue, Options(), policy=DEFAULT, cache=cache).run()
        verdict = done.verdict
        named = verdict.root is not None and verdict.hypotheses and verdict.hypotheses[0].incident is not None
        if not named or verdict.hypotheses[0].incident is None:
            continue
        values = features(verdict.hypotheses, done.facts)
        right = verdict.hypotheses[0].incident.primary_class == case.truth["primary_cause"]
        found.append(Sample(_program(case.name), values, right, confidence(verdict.hypotheses, done.facts)))
    return found


def first_looks() -> list[Sample]:
    """Return what was answered on development programs before any rule was made for them: the only ones that stand for the unseen."""
    if not FIRST_LOOKS.is_file():
        return []
    rows = cast("list[dict[str, Any]]", json.loads(FIRST_LOOKS.read_text(encoding="utf-8")))
    return [Sample(row["program"], row["values"], row["right"], row["before"]) for row in rows]


def keep_first_look(names: tuple[str, ...]) -> int:
    """Add today's answers on the named cases to those kept; how many were added."""
    kept = {sample.program: sample for sample in first_looks()}
    new = [sample for sample in samples(names) if sample.program not in kept]
    rows = [asdict(sample) for sample in sorted([*kept.values(), *new], key=lambda sample: sample.program)]
    FIRST_LOOKS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return len(new)


def _program(name: str) -> str:
    return re.sub(r"(-[a-z]|-\d+)$", "", re.sub(r"^\d+-", "", name))


def fit(items: Sequence[Sample], prior: dict[str, float]) -> dict[str, float]:
    """Return the coefficients that make the right causes most likely and stay near the prior, by gradient descent."""
    weights = dict(prior)
    for _ in range(ROUNDS):
        slope = {name: PENALTY * (weight - prior[name]) for name, weight in weights.items()}
        for item in items:
            miss = (probability(weights, item) - item.right) / len(items)
            slope["intercept"] += miss
            for name, value in item.values.items():
                slope[name] += miss * value
        weights = {name: weight - RATE * slope[name] for name, weight in weights.items()}
    return {name: round(weight, 3) for name, weight in weights.items()}


def probability(weights: dict[str, float], item: Sample) -> float:
    """Return the chance, from 0 to 1, that the sample's cause is right."""
    total = weights["intercept"] + sum(weights.get(name, 0.0) * value for name, value in item.values.items())
    return 1.0 / (1.0 + math.exp(-total))


def cross_validated(items: Sequence[Sample], prior: dict[str, float]) -> list[tuple[float, bool]]:
    """Return (confidence, right) of every sample, given by a fit that saw no case of its program."""
    programs = sorted({item.program for item in items})
    random.Random(SEED).shuffle(programs)
    fold = {program: index % FOLDS for index, program in enumerate(programs)}
    points: list[tuple[float, bool]] = []
    for index in range(FOLDS):
        weights = fit([item for item in items if fold[item.program] != index], prior)
        points += [(probability(weights, item), item.right) for item in items if fold[item.program] == index]
    return points


def main(argv: list[str] | None = None) -> int:
    """Print the calibration error before and after; with ``--write`` replace the judge's coefficients."""
    parser = argparse.ArgumentParser(prog="zoo.calibrate", description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace the coefficients the judge uses")
    parser.add_argument(
        "--keep-first-look",
        nargs="+",
        metavar="NAME",
        help="keep the answers on these new cases; run it before any rule is changed",
    )
    options = parser.parse_args(argv)
    if options.keep_first_look:
        print(f"{keep_first_look(tuple(options.keep_first_look))} answers kept")
        return 0
    looks = first_looks()
    names = {sample.program for sample in looks}
    items = [item for item in samples() if item.program not in names] + looks
    print(f"{len(items)} named causes, {sum(item.right for item in items)} right")
    print(f"before            {calibration_error((item.before, item.right) for item in items):.3f}")
    document = stored()
    prior = document["prior"]
    print(f"cross-validated   {calibration_error(cross_validated(items, prior)):.3f}")
    weights = fit(items, prior)
    print(json.dumps(weights, indent=2))
    if options.write:
        write(weights)
    return 0


def stored() -> dict[str, Any]:
    """Return the file of the judge's coefficients: `prior`, `coefficients` and the command that fits them."""
    return cast("dict[str, Any]", json.loads(_path().read_text(encoding="utf-8")))


def write(weights: dict[str, float]) -> None:
    """Replace the coefficients; the floor stays, which is a choice and not a fit."""
    document = stored()
    document["command"] = COMMAND
    document["coefficients"] = {**weights, "floor": document["coefficients"]["floor"]}
    _path().write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _path() -> Path:
    import runtriage.judge.confidence as module  # pyright: ignore[reportMissingTypeStubs]

    return Path(module.__file__).with_name("confidence.json")


if __name__ == "__main__":
    sys.exit(main())
