"""Holds one answer against one truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zoo.answer import FINE, UNKNOWN, Answer, Citation

WIDEST = 3
"""A cited range longer than this many lines does not count as pointing at a root."""
BEST = 3
ERROR = re.compile(
    r"error|exception|fatal|abort|killed|terminat|traceback|panic|failed|failure|timed? ?out|signal \d|denied"
    r"|segfault|segmentation|core dumped|refused|reset by peer|broken pipe",
    re.IGNORECASE,
)
Lines = Callable[[str, range], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one answer fared; a None means that the question does not arise for this case."""

    name: str
    truth: str | None
    given: str | None
    healthy: bool
    status: bool
    confidence: float
    class_hit: bool | None = None
    acceptable_hit: bool | None = None
    root_hit: bool | None = None
    best_hit: bool | None = None
    rank_hit: bool | None = None
    named_rank_hit: bool | None = None
    symptom: bool | None = None
    false_alarm: bool | None = None
    abstention: bool | None = None
    open_end: bool | None = None
    routed: bool | None = None
    category: bool | None = None
    step: bool | None = None
    checkpoint: bool | None = None


def judge(truth: Mapping[str, Any], answer: Answer, lines: Lines) -> Outcome:
    """Score one answer; ``lines`` reads lines of a file of the case, to see what a citation shows."""
    failed = not truth["healthy"] and truth["primary_cause"] is not None
    rank = truth["culprit"]["rank"]
    rank_hit = answer.rank == rank if failed else None
    rooted = failed and bool(truth["roots"])
    root_hit = hits_root(truth["roots"], answer.root) if rooted else None
    return Outcome(
        name=truth["name"],
        truth=truth["primary_cause"],
        given=answer.primary_cause,
        healthy=truth["healthy"],
        status=answer.run_status == truth["run_status"],
        confidence=answer.confidence,
        class_hit=answer.primary_cause == truth["primary_cause"] if failed else None,
        acceptable_hit=answer.primary_cause in {truth["primary_cause"], *truth["acceptable"]} if failed else None,
        root_hit=root_hit,
        best_hit=any(hits_root(truth["roots"], cited) for cited in _ranked(answer)[:BEST]) if rooted else None,
        rank_hit=rank_hit,
        named_rank_hit=rank_hit if rank is not None else None,
        symptom=not root_hit and _shows_error(answer.root, lines) if rooted else None,
        false_alarm=_alarms(answer) if truth["healthy"] else None,
        abstention=abstained_rightly(truth, answer) if answer.abstained else None,
        open_end=answer.primary_cause is None and answer.run_status == UNKNOWN and not answer.routed,
        routed=answer.routed == truth["routed"] if truth["routed"] or (failed and answer.routed) else None,
        category=_equal_if_known(truth["workload_category"], answer.workload_category),
        step=_equal_if_known(truth["last_step"], answer.last_step),
        checkpoint=answer.last_good == truth["last_good_checkpoint"] if "last_good_checkpoint" in truth else None,
    )


def hits_root(roots: Sequence[Mapping[str, Any]], cited: Citation | None) -> bool:
    """Whether a citation of at most three lines holds a root line, or equals a root pointer."""
    if cited is None:
        return False
    return any(_same_file(root["file"], cited.artifact) and _same_place(root, cited) for root in roots)


def abstained_rightly(truth: Mapping[str, Any], answer: Answer) -> bool:
    """Whether abstaining avoided an error: the run failed and the leading candidate would have been wrong."""
    return not truth["healthy"] and (answer.leading is None or answer.leading != truth["primary_cause"])


def _same_place(root: Mapping[str, Any], cited: Citation) -> bool:
    if "pointer" in root:
        return cited.pointer == root["pointer"]
    if cited.first_line is None or cited.last_line is None:
        return False
    return cited.last_line - cited.first_line < WIDEST and cited.first_line <= root["line"] <= cited.last_line


def _same_file(file: str, artifact: str) -> bool:
    artifact = artifact.replace("\\", "/")
    return artifact == file or artifact.endswith("/" + file)


def _ranked(answer: Answer) -> list[Citation]:
    first = [answer.root] if answer.root else []
    return [*first, *(cited for cited in answer.evidence if cited != answer.root)]


def _shows_error(cited: Citation | None, lines: Lines) -> bool:
    if cited is None or cited.first_line is None or cited.last_line is None:
        return False
    shown = lines(cited.artifact, range(cited.first_line, min(cited.last_line, cited.first_line + 50) + 1))
    return any(ERROR.search(line) for line in shown)


def _alarms(answer: Answer) -> bool:
    return answer.primary_cause is not None or answer.run_status not in (*FINE, UNKNOWN)


def _equal_if_known(wanted: object, given: object) -> bool | None:
    return None if wanted is None else wanted == given
