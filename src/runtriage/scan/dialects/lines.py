"""One line of metrics, read slowly and exactly: the reference that every faster way is compared with."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from runtriage.scan.contract import MetricLine
from runtriage.scan.dialects.header import message_start
from runtriage.scan.dialects.names import meaning
from runtriage.scan.dialects.pairs import LONGEST, Pair, read_pairs
from runtriage.scan.dialects.position import Position, read_front, read_position

_PLACES: Final = ("step", "epoch", "batch", "rank")
_WEAK: Final = ("skipped", "memory", "throughput", "step_time", "data_time", "best", "overflow", "loss_part")
_EVALUATES = re.compile(
    r"(?<![\w/])(?:eval(?:uation)?|val(?:id(?:ation)?)?|validating|test(?:ing)?(?: set)?|dev(?: set)?)(?![\w/])",
    re.IGNORECASE,
)
_NOT_METRICS = re.compile(r"[\w.]{0,120}(?:Error|Exception|Warning)(?::|$)| {4,}(?![\d|])|\s*File \"|\s*#|Traceback ")
_RESTATES = re.compile(
    r"\bbest (?:iteration|score|epoch|step|val|model|so far)|\bnew best\b|early stopping", re.IGNORECASE
)
_SCORES: Final = ("loss", "eval_loss", "metric", "eval_metric", "reward", "policy_loss", "value_loss")
_STRAY = re.compile(
    r"\b(?:expected|got|must be|should be|shape|size mismatch|argument|parameters?|Tried to|unexpected)\b"
)


class Said(NamedTuple):
    """What a metric line says: its numbers, those that only place it (step, epoch), where its own words begin in the text,
    and whether it reports an evaluation.
    """

    position: Position
    pairs: Sequence[Pair]
    places: Sequence[Pair]
    start: int
    evaluating: bool


def read_line(text: str) -> Said | None:
    """Read the named numbers of one line behind its launcher's prefix, or None when it is no line of metrics or progress."""
    text = text[:LONGEST]
    start = message_start(text)
    words = text[start:]
    if _NOT_METRICS.match(words):
        return None
    front = read_front(words)
    shift, stop = front.span
    pairs = [
        pair._replace(start=pair.start + shift, end=pair.end + shift, at=pair.at + shift)
        for pair in read_pairs(words[shift:stop])
    ]
    position = read_position(words, pairs, front)
    values = [pair for pair in pairs if meaning(pair.name).role not in _PLACES]
    places = [pair for pair in pairs if meaning(pair.name).role in _PLACES]
    if not _is_metric(words, position, values):
        return None
    if not any(meaning(pair.name).role for pair in values):
        values = []
    return Said(position, values, places, start, _evaluates(words, values, front, text[:start]))


def _is_metric(words: str, position: Position, values: Sequence[Pair]) -> bool:
    roles = [(meaning(pair.name).role, pair.strong) for pair in values]
    placed = position.step is not None or position.epoch is not None
    if not position.kind and (_STRAY.search(words[:400]) or (not placed and _RESTATES.search(words[:400]))):
        return False
    if any(role == "setting" for role, _ in roles) and not any(role in _SCORES for role, _ in roles):
        return False
    if any(role is not None and role not in _WEAK and (strong or placed) for role, strong in roles):
        return True
    if position.kind in ("bar", "side-bar"):
        return placed
    weak = any(role is not None and strong for role, strong in roles)
    return placed and (weak or bool(position.kind) or _is_progress(words))


_PROGRESS: Final = re.compile(
    r"[\W\d]{0,12}(?:[A-Za-z_]{1,20}\s|rank[ =:]?\d{1,6}[ :|]{1,3})?"
    r"(?:(?:epoch|step|iter(?:ation)?|batch|episode|it|update|round|ep)[\s:=#\[]{1,8}\d|(?:global_)?step[=:])",
    re.IGNORECASE,
)


def _is_progress(words: str) -> bool:
    return len(words) < 200 and _PROGRESS.match(words) is not None


def _evaluates(words: str, values: Sequence[Pair], front: Position, header: str) -> bool:
    if front.label and _EVALUATES.search(front.label):
        return True
    first = values[0].at if values else len(words)
    before = words[: min(first, 160)]
    return _EVALUATES.search(before) is not None or re.search(r"[|] (?:valid|val|eval|test) [|]", header) is not None


def metric_line(said: Said) -> MetricLine:
    """Turn what a line says into the engine's value. A number named twice counts once, as first printed."""
    values: dict[str, float] = {}
    for pair in said.pairs:
        if said.evaluating and meaning(pair.name).role in ("loss", "metric", "reward"):
            values.setdefault(f"eval {pair.name}", pair.value)
        else:
            values.setdefault(pair.name, pair.value)
    position = said.position
    epoch = position.epoch
    return MetricLine(
        position.step,
        epoch if epoch is not None and math.isfinite(epoch) else None,
        position.total,
        tuple(values.items()),
    )
