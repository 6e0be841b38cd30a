"""Lines that stand where a run ends without saying so: the last results, the time it took, what was made of the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from runtriage.model.event import CLOSING
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import said

_LONGEST: Final = 400
_MEASURED: Final = r"[ _-]?(?:set[ _-])?(?:acc\w*|loss|scores?|auc|f1|rmse|mae|mse|error|perplexity|ppl|bleu|wer|results?|metrics?|reward|return)\b"
_SHAPES: Final = tuple(
    (name, deferred(regex, re.IGNORECASE))
    for name, regex in (
        ("test", rf"(?<![a-z])(?:test|held-?out|final)(?:ing)?{_MEASURED}.{{0,24}}?\d"),
        (
            "best",
            r"(?<![a-z])best (?:epoch|step|iter\w*|trial|run|val\w*|dev|score|loss|acc\w*|model|checkpoint|param\w*|result)\b.{0,60}?\d",
        ),
        (
            "time",
            r"(?<![a-z])(?:total|wall|overall)(?:[ -]clock)?[ _](?:training )?(?:run ?)?time\b.{0,12}?\d|(?<![a-z])elapsed(?: time)?[:= ]{1,3}\d",
        ),
        (
            "mean",
            r"(?<![a-z])(?:cv|cross-?validation|mean|average|overall|over \d{1,3} (?:folds|seeds|runs))\b.{0,48}\d.{0,4}(?:\+/-|±|\(std)",
        ),
        ("spread", r"^\W{0,4}(?:[\w%-]+[ :=]{1,3}){1,5}\d[\d.]{0,12} ?%? ?(?:\+/?-|±) ?\d[\d.]{0,12} ?%?\s*$"),
        ("farewell", r"^\W{0,4}(?:(?:saved|done|finished|ok)\W{1,3})?(?:good)?bye(?: bye)?[.! ]{0,3}$"),
        ("table", r"(?<![a-z])(?:confusion matrix|classification report)"),
        (
            "made",
            (
                r"(?<![a-z])(?:(?:model|weights|checkpoint|adapters?|results?|metrics|predictions|report|plots?|history|artifacts?|embeddings|submission|policy|version)"
                r"(?: \S{1,80})? (?:was |were |is )?(?:saved|written|exported|published|uploaded|registered|stored|pushed|copied)"
                r"|(?:saved|wrote|written|exported|published|uploaded|registered|stored|pushed|copied)"
                r" (?!every)(?:[\w.-]{1,30} ){0,4}?(?:to|as|in|into|under|at|model|weights|adapters?|predictions|results|version)\b)"
            ),
        ),
    )
)
_TRACKER = deferred(r"\bwandb:\s{1,3}Run summary:")
"""What a tracker prints when the program leaves; after a failure it stands below the traceback."""
_EPOCH = deferred(
    r"(?<![a-z])epoch[ :=\[(#]{0,3}(?P<epoch>\d{1,6}) ?(?:/|of) ?(?P<epochs>\d{1,6})(?!\d)\W{0,8}"
    r"(?:(?:(?:step|iter|iteration|batch)[ :=\[(#]{0,3})?(?P<at>\d{1,9}) ?(?:/|of) ?(?P<total>\d{1,9})(?!\d))?",
    re.IGNORECASE,
)
_NOT = deferred(
    r"fail|error(?!(?:\s|=|:)+[\d.])|unable|cannot|could not|n't|\bnot\b|will be|would|should|\bevery\b|warn|\bif\b|wandb|\bbest (?:\w+ )?so far",
    re.IGNORECASE,
)


def read_closing(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line that a program prints once, when its training is over; `name` is what kind of line it is."""
    line = said(rows)
    if line is None or len(line.words) > _LONGEST:
        return Reading()
    epoch = _EPOCH.search(line.words)
    if epoch is not None:
        name = _of_epoch(epoch)
        return Reading([line.draft(CLOSING, name)]) if name else Reading()
    if _TRACKER.search(line.words):
        return Reading([line.draft(CLOSING, "tracker")])
    if _NOT.search(line.words):
        return Reading()
    for name, shape in _SHAPES:
        if shape.search(line.words):
            return Reading([line.draft(CLOSING, name)])
    return Reading()


def _of_epoch(found: re.Match[str]) -> str | None:
    """Return what an epoch out of a number of them is: the last where they count from 1 or from 0, or the first from 0; None for any other."""
    epoch, epochs = int(found["epoch"]), int(found["epochs"])
    if epochs < 2 or found["at"] != found["total"]:
        return None
    return {0: "epoch-zero", epochs - 1: "last-epoch-from-zero", epochs: "last-epoch"}.get(epoch)
