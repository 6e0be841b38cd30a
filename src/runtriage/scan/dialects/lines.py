"""One line of metrics, read slowly and exactly: the reference that every faster way is compared with."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from runtriage.model.naming import bare, meaning, measure
from runtriage.model.pattern import deferred
from runtriage.scan.contract import MetricLine
from runtriage.scan.dialects.header import message_start
from runtriage.scan.dialects.pairs import LONGEST, Pair, read_pairs
from runtriage.scan.dialects.position import Position, read_front, read_position

_PLACES: Final = ("step", "epoch", "batch", "rank")
_WEAK: Final = ("skipped", "memory", "throughput", "step_time", "data_time", "best", "overflow", "loss_part")
_EVALUATES = deferred(
    r"(?<![\w/])(?:eval(?:uation)?|val(?:id(?:ation)?)?|validating|test(?:ing)?(?: set)?|dev(?: set)?)(?![\w/])",
    re.IGNORECASE,
)
_NOT_METRICS = deferred(
    r"NCCL (?:INFO|TRACE) |[\w.]{0,120}(?:Error|Exception|Warning)(?::|$)| {4,}(?![\d|])|\s{1,8}--?[A-Za-z][\w-]{0,40}(?:[ ,=]|$)|\s*File \"|\s*#|Traceback "
)
_TRACES: Final = ("NCCL INFO ", "NCCL TRACE ")
"""What libraries trace of their own work; they print no metrics."""
_NESTED = deferred(r"['\"]\s?:\s?\{")
_BRACES = deferred(r"(?:['\"](?P<key>[^'\"]{1,80})['\"]\s?:\s?)?\{|\}")
_DEEPEST: Final = 16
_SUMMARY = deferred(r"['\"]train_runtime['\"]\s?:")
_RESTATES = deferred(
    r"\bbest (?:iteration|score|epoch|step|val|model|so far)|\bnew best\b|early stopping", re.IGNORECASE
)
_OF_ANOTHER = deferred(
    r"\W{0,4}(?:the )?(?:champion|incumbent|baselines?|reference(?: model)?|naive(?: \w{1,16})?|previous (?:model|run|best|version)|teacher(?![^\n]{0,200}student))(?: (?:model|run)| ?\([^()\n]{0,40}\))?\s?: ",
    re.IGNORECASE,
)
"""Labels what another model than the one in training reaches: no value of the run's own curves."""
_SCORES: Final = ("loss", "eval_loss", "metric", "eval_metric", "reward", "policy_loss", "value_loss")
_KNOWN: Final = ("lr", "grad_norm")
"""What is printed beside a score on lines of training alone."""
_STRAY = deferred(
    r"\b(?:expected|got|must be|should be|shape|size mismatch|argument|parameters?|Tried to|unexpected)\b"
)


_SECTION = deferred(
    r"(?<![\w/.-])(?:(?P<judged>val(?:id(?:ation)?)?|va|vld|dev|test|tst|eval(?:uation)?|held-?out|holdout|validierung|validaci?on|validacao|validazione|validatie)|(?P<learnt>train(?:ing)?|trn|tr|fit))"
    r"(?:[ _-]?(?:set|split))?(?![\w/.-])",
    re.IGNORECASE,
)
"""The part of the data that the scores behind it are of, in a line that tells of several."""


class Said(Struct, frozen=True):
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
    if text.startswith(_TRACES):
        return None
    text = text[:LONGEST]
    start = message_start(text)
    words = text[start:]
    if _NOT_METRICS.match(words) or ("train_runtime" in words and _SUMMARY.search(words)):
        return None
    if _OF_ANOTHER.match(words):
        return None
    front = read_front(words)
    shift, stop = front.span
    pairs = read_pairs(words[shift:stop])
    if shift:
        pairs = [pair._replace(start=pair.start + shift, end=pair.end + shift, at=pair.at + shift) for pair in pairs]
    if "{" in words and _NESTED.search(words):
        pairs = _with_parents(words, pairs)
    position = read_position(words, pairs, front)
    values = [pair for pair in pairs if pair.role not in _PLACES]
    places = [pair for pair in pairs if pair.role in _PLACES]
    if not _is_metric(words, position, values):
        return None
    if not any(pair.role for pair in values):
        values = []
    evaluating = _evaluates(words, values, front, text[:start])
    values, sectioned = _in_sections(words, _of_the_same(values))
    evaluating = evaluating and not sectioned
    if evaluating and (position.inner or position.total is not None):
        position = position._replace(step=None, total=None)
    return Said(position, values, places, start, evaluating)


def said_at(position: Position, values: Sequence[Pair]) -> Said:
    """Return what a line says of which the place and the numbers are known already."""
    return Said(position, values, (), 0, evaluating=False)


def in_parts(words: str, pairs: Sequence[Pair]) -> Sequence[Pair]:
    """Name the scores of a line after the parts of the data that they are of, as far as it tells them."""
    return _in_sections(words, _of_the_same(pairs))[0]


def _of_the_same(pairs: Sequence[Pair]) -> Sequence[Pair]:
    """Name a number that only has the name of a part of the data after what is measured before it: `loss=1 val=2`."""
    found: list[Pair] = []
    measured = ""
    for pair in pairs:
        if measured and pair.role is None and meaning(f"{pair.name} {measured}").role in ("eval_loss", "eval_metric"):
            alone = _SECTION.fullmatch(bare(pair.name))
            name = f"{pair.name} {measured}"
            pair = pair._replace(name=name, role=meaning(name).role) if alone and alone["judged"] else pair
        elif pair.role in ("loss", "metric"):
            measured = measure(pair.name) or measured
        found.append(pair)
    return found


def _in_sections(words: str, pairs: Sequence[Pair]) -> tuple[Sequence[Pair], bool]:
    """Name scores that a line tells of two parts of the data after the part they are of: `Train: loss 1 acc 2  Dev: loss 3 acc 4`."""
    names = [pair.name for pair in pairs]
    if len(set(names)) == len(names):
        return pairs, False
    found: list[Pair] = []
    parts: set[bool] = set()
    section, before = "", 0
    for pair in pairs:
        for word in _SECTION.finditer(words, before, pair.at):
            section = word["judged"] or ""
            parts.add(bool(section))
        before = pair.end
        if section and pair.role in ("loss", "loss_part", "metric", "reward"):
            name = f"{section} {pair.name}"
            pair = pair._replace(name=name, role=meaning(name).role)
        found.append(pair)
    return (found, True) if len(parts) > 1 else (pairs, False)


def _with_parents(words: str, pairs: Sequence[Pair]) -> list[Pair]:
    """Put the keys of the dicts that hold a number before its name: `{"eval": {"loss": 1}}` names it `eval/loss`."""
    parents: list[str] = []
    steps = iter([*((found.end(), found) for found in _BRACES.finditer(words)), (len(words) + 1, None)])
    end, brace = next(steps)
    named: list[Pair] = []
    for pair in pairs:
        while brace is not None and end <= pair.start:
            if brace.group() == "}":
                parents = parents[:-1]
            elif len(parents) < _DEEPEST:
                parents.append(brace["key"] or "")
            end, brace = next(steps)
        own = words[pair.at - 1 : pair.at] in ("'", '"')
        name = "/".join([*filter(None, parents), pair.name]) if own else pair.name
        named.append(pair._replace(name=name, role=meaning(name).role))
    return named


def _is_metric(words: str, position: Position, values: Sequence[Pair]) -> bool:
    placed = position.step is not None or position.epoch is not None
    scores = sum(pair.role in _SCORES for pair in values)
    known = sum(pair.role in _KNOWN for pair in values)
    stepped = placed and any(pair.role == "grad_norm" for pair in values)
    if not (scores or stepped) and any(pair.role == "setting" for pair in values):
        return False
    said = (
        scores >= 2
        or (scores >= 1 and known >= 2)
        or any(pair.role is not None and pair.role not in _WEAK and (pair.strong or placed) for pair in values)
    )
    if not said and position.kind in ("bar", "side-bar"):
        return placed
    said = said or (
        placed and (bool(position.kind) or any(pair.role and pair.strong for pair in values) or _is_progress(words))
    )
    if not said or position.kind:
        return said
    return not _STRAY.search(words, 0, 400) and (placed or not _RESTATES.search(words, 0, 400))


_PROGRESS: Final = deferred(
    r"(?:\[[\w .:-]{1,40}\]\s{0,4})?[\W\d]{0,12}(?:[A-Za-z_]{1,20}\s|rank[ =:]?\d{1,6}[ :|]{1,3}){0,2}"
    r"(?:(?:epoch|step|iter(?:ation)?|(?:micro_?)?batch|episode|it|update|round|ep)[\s:=#\[]{1,8}\d|(?:global_)?step[=:])",
    re.IGNORECASE,
)


_ROW: Final = deferred(r"[|│]\s{1,8}(?:total_|env_)?(?:timesteps|steps?|global_step|num_updates)\s{1,40}[|│]\s{1,8}\d")


def _is_progress(words: str) -> bool:
    return len(words) < 200 and (_PROGRESS.match(words) or _ROW.match(words)) is not None


def _evaluates(words: str, values: Sequence[Pair], front: Position, header: str) -> bool:
    if front.label and _EVALUATES.search(front.label):
        return True
    first = values[0].at if values else len(words)
    before = words[: min(first, 160)]
    return _EVALUATES.search(before) is not None or re.search(r"[|] (?:valid|val|eval|test) [|]", header) is not None


def metric_line(said: Said) -> MetricLine:
    """Turn what a line says into the engine's value. A number named twice counts once, as first printed; `98/100` correct is 0.98."""
    values: dict[str, float] = {}
    for pair in said.pairs:
        role = pair.role
        value = pair.value / pair.total if pair.total and role in ("metric", "eval_metric") else pair.value
        name = f"eval {pair.name}" if said.evaluating and role in ("loss", "metric", "reward") else pair.name
        values.setdefault(name, value)
    position = said.position
    epoch = position.epoch
    return MetricLine(
        position.step,
        epoch if epoch is not None and math.isfinite(epoch) else None,
        position.total,
        tuple(values.items()),
    )
