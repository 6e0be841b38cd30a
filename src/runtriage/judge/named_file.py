"""A file that could not be written, and whoever finds it missing or incomplete later: the run may have gone on for long in between."""

from __future__ import annotations

import re
from typing import Final

from runtriage.judge.order import Clocks, precedes
from runtriage.judge.outcome import TERMINAL
from runtriage.model.pattern import deferred
from runtriage.model.verdict import Incident

REASON: Final = "what is missing now is what could not be written then"
_CLASS: Final = "io-checkpoint"
_READERS: Final = frozenset({_CLASS, "data-pipeline"})
_NAME: Final = deferred(
    r"(?<![\w.-])[\w.-]*\w\.(?:pth?|bin|ckpt|safetensors|np[yz]|h5|hdf5|keras|parquet|arrow|tar|zip|t?gz|zst|jsonl?|index|metadata"
    r"|distcp|msgpack|pkl|onnx|csv|idx|shard|model)(?![\w-])",
    re.IGNORECASE,
)
"""Names of files that runs leave behind for later ones, without their folders."""


def left_behind(cause: Incident, effect: Incident, ticks: Clocks) -> bool:
    """Tell whether an earlier fault of storage, with which the run went on, names a file that a later failure to read names, too."""
    if (
        cause.outcome == TERMINAL
        or cause.primary_class != _CLASS
        or cause.role != "cause"
        or effect.primary_class not in _READERS
    ):
        return False
    written = {name for match in cause.matches for name in _NAME.findall(match.evidence[0].excerpt)}
    if not written or precedes(cause.matches[0], effect.matches[0], ticks) is not True:
        return False
    first = effect.matches[0]
    return not written.isdisjoint(_NAME.findall(first.captures.get("message") or first.evidence[0].excerpt))
