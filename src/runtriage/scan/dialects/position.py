"""Where in the run a line of progress stands: bars, `[10/1500]`, epochs and steps."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from runtriage.model.naming import bare, plain_name
from runtriage.model.pattern import deferred
from runtriage.scan.dialects.pairs import Pair

_BAR = deferred(
    r"(?:^|(?P<label>[^|\r\n]{1,80}?): {0,4}\"?)\s{0,4}(?P<percent>\d{1,3})%\|[^|]{0,200}\| {0,2}(?P<at>\d+(?:\.\d+)?[kMG]?)/(?P<total>\d+(?:\.\d+)?[kMG]?) \[(?P<rest>[^\]\r\n]{0,600})(?P<closed>\])?"
)
_AT = deferred(r"\b(?:eval|val|valid|test|validation|evaluation)\w{0,6} @ ?(?P<at>\d{1,9})\b", re.IGNORECASE)
_KERAS = deferred(r"^\s{0,4}(?P<at>\d{1,9})/(?P<total>\d{1,9}|Unknown|None)(?= (?:[━╸╺\[=>. -]|- ))")
_DOUBLE = deferred(
    r"^\[\s{0,4}(?:(?:[Ee]poch|EPOCH|[Ee]p)[ :=#]{0,2})?(?P<epoch>\d{1,7})(?:/\d{1,7})?\]\s?\[\s{0,8}(?P<at>\d{1,9})/(?P<total>\d{1,9})\]"
)
_LEADING = deferred(r"^\[\s{0,8}(?P<at>\d{1,9})\s?/\s{0,8}(?P<total>\d{1,9})\]")
_NAMED = deferred(
    r"^\[(?P<word>iter|step|iteration|it|batch|epoch)[ :=]{0,2}(?P<at>\d{1,9})(?:\s?/\s?(?P<total>\d{1,9}))?\]",
    re.IGNORECASE,
)
_EPOCH_OF = deferred(
    r"\b(?P<word>[Ee]po(?:ch|che|ca|que|ka|k)|EPOCH|[Ee]p)[ :=#\[]{1,3}(?P<epoch>\d{1,7})(?:\]|\b)(?:\s?/\s?(?P<epochs>\d{1,7}))?(?P<inner>:?,?(?:\s{1,8}|(?=\[))\[?\s{0,8}(?P<at>\d{1,9})\s?/\s{0,12}(?P<total>\d{1,9}))?"
)
_COUNTED = deferred(r"\u7b2c\s?(?P<at>\d{1,9})\s?(?:/\s?\d{1,9}\s?)?(?P<what>[\u8f6e\u6b65\u6b21\u4ee3])")
"""A count between two signs, as Chinese writes it: of an epoch or of a step."""
_EPOCH = deferred(r"[Ee]p|EPOCH")
_MM = deferred(
    r"(?P<what>Epoch|Iter)\((?P<mode>train|val|test)\)\s{1,4}(?:\[(?P<epoch>\d{1,6})\]\s{0,2})?\[\s{0,8}(?P<at>\d{1,9})/(?P<total>\d{1,9})\]"
)
_ROUND = deferred(r"^(?:\[(?P<at>\d{1,9})\]|(?P<cat>\d{1,9}):)(?:\t| {2,8}(?=[A-Za-z][\w@-]{0,40}:(?:-?\d|nan|inf)))")
"""Where a tab was copied as blanks, the name and value that follow it tell as much."""
_COLUMN = deferred(r"^\s{0,8}(?P<at>\d{1,9})\s{0,4}[|│] (?=[A-Za-z_ ]{0,24}loss\b)", re.IGNORECASE)
"""A step that stands before the first bar without a name, where a loss follows."""
_SHAPED: Final = tuple("[ 0123456789")
_REST: Final = 1 << 20
_NEAR: Final = 600
"""So near the front a line says where it stands, in characters."""
_BEST: Final = ("global_step", "training_global_step", "globalstep", "num_updates", "iteration")


class Position(NamedTuple):
    """Where a line stands. `inner` tells that step and total count within an epoch; `span` is what its numbers may be read from."""

    step: int | None = None
    epoch: float | None = None
    total: int | None = None
    inner: bool = False
    label: str = ""
    kind: str = ""
    span: tuple[int, int] = (0, _REST)


NOWHERE: Final = Position()


def read_front(text: str) -> Position:
    """Read a position that is printed by shape and not by a name: a bar, a bracket, a Keras line, a boosting round."""
    if "%|" in text and (bar := _BAR.search(text)):
        return _bar(bar)
    if ")" in text and (found := _MM.search(text)):
        return _mmengine(found)
    if text[:1] in _SHAPED:
        if found := _DOUBLE.match(text):
            span = (found.end(), _REST)
            return Position(int(found["at"]), float(found["epoch"]), int(found["total"]), True, "", "bracket", span)
        for pattern, kind in (
            (_ROUND, "boosting"),
            (_LEADING, "bracket"),
            (_NAMED, "bracket"),
            (_KERAS, "keras"),
            (_COLUMN, "bracket"),
        ):
            if found := pattern.match(text):
                return _plain(found, kind)
    if "\u7b2c" in text and (found := _COUNTED.search(text)):
        at, span = int(found["at"]), (found.end(), _REST)
        if found["what"] in "\u8f6e\u4ee3":
            return Position(epoch=float(at), kind="bracket", span=span)
        return Position(at, kind="bracket", span=span)
    if "@" in text and (found := _AT.search(text)):
        return _plain(found, "bracket")
    return NOWHERE


def _mmengine(found: re.Match[str]) -> Position:
    epoch = float(found["epoch"]) if found["epoch"] else None
    inner, span = found["what"] == "Epoch", (found.end(), _REST)
    if found["mode"] != "train":
        return Position(None, epoch, None, inner, "eval", "mmengine", span)
    return Position(int(found["at"]), epoch, int(found["total"]), inner, "", "mmengine", span)


def _plain(found: re.Match[str], kind: str) -> Position:
    parts = found.groupdict()
    total = int(parts["total"]) if (parts.get("total") or "").isdigit() else None
    span = (found.end(), _REST)
    if (parts.get("word") or "").lower() == "epoch":
        return Position(epoch=float(parts["at"]), kind=kind, span=span)
    if kind == "keras":
        return Position(inner=True, kind=kind, span=span)
    return Position(int(parts["at"] or parts["cat"]), total=total, kind=kind, span=span)


def _count(text: str) -> int | None:
    return int(text) if text.isdigit() else None


_TRAINS = deferred(r"epoch|train|fit|steps?\b|iter|batch|tuning|learn|progress|loss", re.IGNORECASE)
_NO_TRAINING = deferred(
    r"valid|eval|test|sanity|predict|infer|load|download|writ|sav|map\b|token|generat|warm|compil|cach|dataset|example|filter|split|shard|file",
    re.IGNORECASE,
)


def _bar(bar: re.Match[str]) -> Position:
    label = re.split(r"[\"{},]", bar["label"] or "")[-1].strip()
    at, total, span = _count(bar["at"]), _count(bar["total"]), bar.span("rest")
    if label and (_NO_TRAINING.search(label) or not _TRAINS.search(label)):
        return Position(label=label, kind="side-bar", span=span)
    epoch = _EPOCH_OF.search(label)
    if at == 0:
        return Position(None, float(epoch["epoch"]) if epoch else None, None, True, label, "bar", span)
    if epoch is None:
        return Position(at, None, total, False, label, "bar", span)
    number = int(epoch["epoch"])
    if re.fullmatch(r"Epoch \d+", label) is not None and at is not None and total is not None:
        return Position(number * total + at, float(number), None, True, label, "bar", span)
    return Position(None, _within(float(number), at, total), None, True, label, "bar", span)


_SET: Final = ("lr", "setting")
_SETTINGS: Final = frozenset(
    {"accum", "bs", "gpus", "grad_accum", "hidden", "max_len", "nodes", "seq", "seq_len", "wd", "workers", "world_size"}
)
"""Names of settings that elsewhere on a line of metrics mean something else."""


def read_position(text: str, pairs: Sequence[Pair], front: Position) -> Position:
    """Put together where a line stands from its shape and from its named numbers."""
    text = bare(text[:_NEAR])
    step, total = front.step, front.total
    epoch, inner = front.epoch, front.inner
    if named := _step_pair(pairs):
        step, total, inner = int(named.value), named.total, False
    elif (batch := _pair(pairs, "batch")) and not _is_size(batch, pairs):
        step, total, inner = int(batch.value), batch.total, True
    found = _EPOCH_OF.search(text, 0, 200) if front.kind != "bar" and _EPOCH.search(text, 0, 200) else None
    if found and epoch is None:
        epoch = float(found["epoch"])
        inner = inner or (found["epochs"] is not None and total is not None)
        if found["at"] and not _step_pair(pairs):
            step, total, inner = int(found["at"]), int(found["total"]), True
    if (pair := _pair(pairs, "epoch")) is not None and not (found and float(found["epoch"]) == pair.value):
        epoch = pair.value
    if inner and epoch is not None and front.kind != "bar":
        return Position(None, _within(epoch, step, total), None, True, front.label, front.kind)
    return Position(step, epoch, total, inner, front.label, front.kind)


def _within(epoch: float, at: int | None, total: int | None) -> float:
    return epoch + min(at / total, 0.999999) if at is not None and total else epoch


def _pair(pairs: Sequence[Pair], role: str) -> Pair | None:
    return next((pair for pair in pairs if pair.role == role and 0 <= pair.value < math.inf), None)


def _is_size(batch: Pair, pairs: Sequence[Pair]) -> bool:
    """Tell whether `batch=32` says how large a batch is: it stands with other settings, and with nothing that is counted or measured."""
    if not batch.strong or batch.total is not None:
        return False
    others = [pair for pair in pairs if pair.role != "batch"]
    if any(pair.role not in (None, "rank", *_SET) for pair in others):
        return False
    return any(pair.role in _SET or plain_name(pair.name) in _SETTINGS for pair in others)


def _step_pair(pairs: Sequence[Pair]) -> Pair | None:
    steps = [pair for pair in pairs if pair.role == "step" and pair.value >= 0 and pair.value.is_integer()]
    return min(steps, key=lambda pair: _rank(plain_name(pair.name)), default=None)


def _rank(name: str) -> int:
    return _BEST.index(name) if name in _BEST else len(_BEST)
