"""What makes two failures the same: the mechanism, without what changes from run to run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Final

from runtriage.model.report import Report

_VOLATILE: Final = (
    (re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE), "<url>"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE), "<id>"),
    (re.compile(r"(?:[A-Za-z]:)?(?:[\w.@~+-]*[\\/])+[\w.@~+-]*"), "<path>"),
    (re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE), "<n>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b", re.IGNORECASE), "<id>"),
    (re.compile(r"[-+]?\d[\d,]*(?:\.\d+)*(?:e[-+]?\d+)?", re.IGNORECASE), "<n>"),
)
"""What differs between two runs of one failure, the wider first."""
_ENTITIES: Final = {
    "checkpoint": "checkpoint",
    "path": "path",
    "node": "node",
    "host": "node",
    "peer": "peer",
    "pod": "pod",
    "gpu": "gpu",
    "shard": "data",
    "offset": "data",
    "sample": "data",
    "row": "data",
    "device": "device",
    "bucket": "bucket",
    "claim": "claim",
}
"""Captures that say who or what it happened to, and the kind of thing that is."""
_CODE: Final = re.compile(r"(?<!, printed) at (\S+):\d+\b")
"""Where in the code it failed; where in the log that was printed changes with the name of each run's log."""
_LONGEST: Final = 400


def mechanism(report: Report, values: Mapping[str, str]) -> str:
    """Return the failure in words that are the same whenever it happens again, empty where nothing failed."""
    if report.failure_mode is None or report.primary_cause is None:
        return ""
    claim = report.evidence[0].claim if report.evidence else report.root_cause.root
    for value in sorted({name for _, name in entities(report, values)}, key=lambda name: (-len(name), name)):
        claim = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", "<it>", claim)
    for pattern, word in _VOLATILE:
        claim = pattern.sub(word, claim)
    code = _CODE.search(report.root_cause.proximate)
    place = code[1].replace("\\", "/").rpartition("/")[2] if code else ""
    return " ".join(filter(None, (report.failure_mode, place, claim.lower())))[:_LONGEST]


def only_curve(report: Report) -> bool:
    """Tell whether nothing but a curve shows the failure: no frame and no message, so other programs fail in the same words."""
    root = report.root_evidence
    return root is not None and root.series is not None and _CODE.search(report.root_cause.proximate) is None


def fingerprint(words: str) -> str | None:
    """Return 16 hexadecimal digits that stand for a mechanism, None for none."""
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:16] if words else None


def entities(report: Report, values: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what the failure happened to, as (kind, name)."""
    return list(dict.fromkeys((kind, name[:200]) for kind, name in _entities(report, values) if name))


def _entities(report: Report, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    who = report.culprit
    yield from (("node", who.node or ""), ("pod", who.pod or ""), ("gpu", who.gpu or ""))
    yield from ((_ENTITIES[key], value) for key, value in values.items() if key in _ENTITIES)


def run_key(report: Report) -> str:
    """Return what every diagnosis of this failure of this run has in common: the bytes its root rests on."""
    root = report.root_evidence
    claim = report.evidence[0].claim if report.evidence else ""
    whole = root is not None and root.first_line is None and root.byte_start == 0  # of a document that may grow
    place = (None, None, None) if whole else (root.byte_start, root.first_line, root.sha256) if root else ()
    parts = (report.failure_mode, report.run_status, claim, *place)
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "replace")).hexdigest()[:16]
