"""What the printed name of a number means."""

from __future__ import annotations

import csv
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

from runtriage.model.pattern import deferred

Better = Literal["higher", "lower"]
_EVAL: Final = (
    "eval",
    "evaluation",
    "val",
    "valid",
    "validation",
    "validate",
    "va",
    "vld",
    "test",
    "tst",
    "dev",
    "heldout",
    "holdout",
    "validierung",
    "pruefung",
    "validacion",
    "validacao",
    "validazione",
    "validatie",
    "prueba",
    "prova",
    "walidacja",
    "te",
)
_TRAIN: Final = (
    *("train", "training", "trn", "tr", "fit", "reduced"),
    *(
        "entrenamiento",
        "treino",
        "entrainement",
        "apprentissage",
        "addestramento",
        "lernen",
        "mittlerer",
        "moyenne",
        "media",
    ),
)
_PLAIN: Final = (
    "avg",
    "average",
    "mean",
    "median",
    "running",
    "smoothed",
    "current",
    "last",
    "step",
    "global",
    "actor",
    "critic",
    "perf",
    "optim",
    "losses",
    "metrics",
    "rollout",
    "time",
    "timing",
    "performance",
    "learning",
    "objective",
    "loss",
    "lm",
    "total",
)
_BARE: Final = {
    ord(letter): plain
    for letters, plain in (
        ("àáâãäåąă", "a"),
        ("ÀÁÂÃÄÅ", "A"),
        ("èéêëęě", "e"),
        ("ÈÉÊË", "E"),
        ("ìíîïı", "i"),
        ("òóôõöøő", "o"),
        ("ÓÔÕÖØ", "O"),
        ("ùúûüůű", "u"),
        ("ÚÜ", "U"),
        ("çćč", "c"),
        ("Ç", "C"),
        ("ñńň", "n"),
        ("ßśšş", "s"),
        ("łľ", "l"),
        ("źżž", "z"),
        ("ýÿ", "y"),
        ("řŕ", "r"),
        ("ťţ", "t"),
        ("ďđ", "d"),
        ("ğ", "g"),
    )
    for letter in letters
}


def bare(text: str) -> str:
    """Return a text with a letter of English in place of each that has an accent; every letter stays where it is."""
    return text if text.isascii() else text.translate(_BARE)


_SPLIT = deferred(r"[/ ._:|-]+|(?<=[a-z0-9])(?=[A-Z][a-z])")
_UNIT = deferred(
    r"[\s_]*\((?:[bmp]|ms|s|sec|secs|seconds|gb|gib|mb|mib|%|tflop/?s?(?:/[^()]{1,12})?|[a-z]{1,8}/[a-z]{1,8})\)$",
    re.IGNORECASE,
)
_AT = deferred(r"(?<=[a-z])(?:@[\w./]{1,8}|_?k?\d{1,4})$", re.IGNORECASE)
"""What a score is cut off at, or how many values are averaged: `recall@10`, `p@L/5`, `return_20`."""
_OF = deferred(r"(?P<name>.*\w)\s?[(\[](?P<of>[A-Za-z][\w -]{0,20})[)\]]", re.DOTALL)
"""A name with whose it is behind it: `rougeL(dev)`."""
_HELD = deferred(r"\b(held|hold)[ _-]out\b", re.IGNORECASE)
_DATASET = deferred(r"(?:_|^)(?:\d+(?:'?s)?|set|dataset|loader|dataloader|split|rank\d+)(?=_|$)", re.IGNORECASE)


class Meaning(NamedTuple):
    """`role` as in `runtriage.model.series.Series`, or None; `better` says which way a metric improves, where known."""

    role: str | None
    better: Better | None = None


_QUALIFIED: Final = ("kl", "entropy", "grad_norm", "loss", "metric", "reward")
"""What is called the same whatever is said in brackets behind it: `kl(ref)`."""
_SUFFIXED: Final = ("loss", "eval_loss", "loss_part", "eval_loss_part", "metric", "eval_metric", "reward", "grad_norm")
"""What trainers log over a step and over an epoch under two names."""
_EXTREME: Final = frozenset(
    ("best", "min", "max", "minimum", "maximum", "argmin", "argmax", "lowest", "highest", "last")
)
_SENTENCE: Final = frozenset(("at", "in", "of", "for", "on", "is", "per"))
UNKNOWN: Final = Meaning(None)
_PART: Final = Meaning("loss_part", "lower")


@cache
def _table() -> dict[str, Meaning]:
    text = Path(__file__).with_name("names.csv").read_text(encoding="utf-8")
    ways: dict[str, Better] = {"higher": "higher", "lower": "lower"}
    return {
        row["name"]: Meaning(row["role"] or None, ways.get(row["better"])) for row in csv.DictReader(text.splitlines())
    }


def plain_name(name: str) -> str:
    """The name in lower case with one `_` between words and without its unit; `/` stays where the table knows it."""
    bare = _UNIT.sub("", name.strip().strip("'\"`")).replace("'s ", " ")
    bare = _HELD.sub(r"\1out", bare)
    lowered = bare.lower()
    if lowered in _table():
        return lowered
    return "_".join(part for part in _SPLIT.split(bare) if part).lower()


@lru_cache(maxsize=8192)
def meaning(name: str, evaluating: bool = False) -> Meaning:
    """Say what the number with this printed name means. `evaluating` tells that the line itself reports an evaluation."""
    if (of := _OF.fullmatch(name.strip())) is not None and _HELD.sub(r"\1out", of["of"].lower()).split()[-1] in (
        *_EVAL,
        *_TRAIN,
    ):
        name = f"{of['of']} {of['name']}"
    plain = plain_name(name)
    table = _table()
    if plain in table and not evaluating:
        return table[plain]
    if (stem := _measured(plain)) and (kept := meaning(stem, evaluating)).role in _SUFFIXED:
        return kept
    words = [word for word in plain.split("_") if word]
    evaluates = evaluating or any(word in _EVAL for word in words)
    if any(word in ("runtime", "eta", "remaining") for word in words):
        return UNKNOWN
    found = table[plain] if plain in table else _base(words)
    if found is UNKNOWN:
        found = _of_last_part(name)
    if found is UNKNOWN and (bracket := name.partition("("))[1]:
        told = table.get(plain_name(bracket[0]), UNKNOWN)
        found = told if told.role in _QUALIFIED else UNKNOWN
    if found is UNKNOWN and "m_iou" in plain:
        return meaning(name.replace("mIoU", "miou"), evaluating)
    if found is UNKNOWN and (short := _AT.sub("", plain)) != plain:
        found = table.get(short) or _base(short.split("_"))
        found = found if found.role in ("metric", "reward") else UNKNOWN
    if found is UNKNOWN and {"loss", "losses"} & set(words) and not _SENTENCE & set(words):
        found = _PART
    return _evaluated(found) if evaluates else found


def improves(name: str) -> Better | None:
    """Return which way a number improves that has a name of any language's making; None where no word of it tells."""
    if (told := meaning(name).better) is not None:
        return told
    words = plain_name(name).split("_")
    for word in words:
        if (told := meaning(word).better) is not None:
            return told
    return None


def _measured(plain: str) -> str:
    """Return a name without the suffix that says over what it was averaged, as Lightning writes `train_loss_epoch`; empty where it has none.

    `best_loss_epoch` and `test_epoch` are epochs.
    """
    stem, _, last = plain.rpartition("_")
    words = set(stem.split("_"))
    measured = last in ("step", "epoch") and not _EXTREME & words and bool(words - {*_EVAL, *_TRAIN})
    return stem if measured else ""


def measure(name: str) -> str:
    """Return the word of a name that says what is measured, whosever it is; empty where none is known."""
    words = re.findall(r"[a-z][a-z0-9@]*", plain_name(name))
    return next((word for word in words if word in _table() and _table()[word].role in ("loss", "metric")), "")


def _base(words: list[str]) -> Meaning:
    table = _table()
    kept = [word for word in words if word not in _EVAL and word not in _TRAIN]
    kept = [word for word in kept if not _DATASET.fullmatch(word) and word != "s"]
    while kept:
        name = "_".join(kept)
        if name in table:
            return table[name]
        if kept[0] not in _PLAIN:
            return UNKNOWN
        kept = kept[1:]
    return UNKNOWN


def _of_last_part(name: str) -> Meaning:
    """What the part behind the last `/` means; a place in the run keeps its meaning only below a trainer's own prefix."""
    front, mark, last = name.rpartition("/")
    if not mark:
        return UNKNOWN
    found = _table().get(plain_name(last)) or _base(plain_name(last).split("_"))
    placed = found.role in ("step", "epoch", "batch", "rank", "step_time")
    return UNKNOWN if placed and plain_name(front) not in (*_TRAIN, "trainer", "global", "progress") else found


def _evaluated(found: Meaning) -> Meaning:
    if found.role == "loss":
        return Meaning("eval_loss", "lower")
    if found.role == "loss_part":
        return Meaning("eval_loss_part", found.better)
    if found.role in ("metric", "reward"):
        return Meaning("eval_metric", found.better)
    if found.role in ("step", "epoch", "batch", "best"):
        return found
    return UNKNOWN
