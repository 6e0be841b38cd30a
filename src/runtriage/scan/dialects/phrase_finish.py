"""Lines that say the program completed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from runtriage.model.event import FINISH
from runtriage.model.pattern import deferred
from runtriage.scan.alike import FORMS
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.header import message_start
from runtriage.scan.dialects.words import said

_LONGEST: Final = 400
_DONE = deferred(
    r"\b(?:(?:pre|fine)-?)?(?:train(?:ing)?|tuning|optimi[sz]ation|run|job|fit|experiment|everything|all (?:\w+ )?(?:epochs|steps|ranks|workers|processes))\b"
    r".{0,40}?\b(?:finished|completed?|done|ended)\b"
    r"|\b(?:finished|completed|done) (?:(?:pre|fine)-?)?(?:train|tun)ing\b",
    re.IGNORECASE,
)
_SHORT = deferred(
    r"(?:\[\d{1,5}\] )?[=*#\[ -]{0,8}(?:all )?(?:[a-z_.-]{2,24}(?= done[.! ]{0,3}$) )?(?:finished|done|completed?|success)\b(?! \(t=)(?:\s(?P<next>[\w-]{1,40}))?",
    re.IGNORECASE,
)
_AT = deferred(
    r"\b(?:at|after) (?:(?:step|epoch|iter(?:ation)?) \d[\d,]{0,12}|\d[\d,]{0,12} (?:epochs?|steps?|iter(?:ation)?s?)\b)",
    re.IGNORECASE,
)
"""Where a run ended is no part of it."""
_CLAUSE = deferred(r"[,.;:\"(]")
_SAVED = deferred(
    r"\b(?:saved|wrote|written)\b.{0,40}\b(?:final|last)(?:[ _.-]?(?:model|checkpoint|weights|policy)|\.(?:pt|pth|bin|ckpt|safetensors))",
    re.IGNORECASE,
)
_PART = deferred(
    r"(?<![a-z])(?:update|iteration|iter|round|chunk|part|file|item|job|task|cycle|episode|rollout|turn)\W{0,3}\d|epoch|valid|eval|\btest|warm-?up|\bstep \d|\A\W{0,8}(?:finished|done|completed?) step\b|batch|shard|load|download|\binit|setup|compil|prepar|preprocess|tokeniz|build|import|schedul|\blogs?\b|plann|resolv|queue|\bserver\b|\bshut(?:s|ting)? ?down\b"
    r"|\bnot\b|n't|fail|error|with exit|with [1-9]\d{0,2}\W{0,3}$|code|unable|before|until|\bwhen\b|\bif\b|would|will be|should|\bthat\b|trial|fold|sav|\bended (?:early|badly|abruptly|unexpectedly)\b",
    re.IGNORECASE,
)
_BADLY = deferred(
    r"\b(?:status|state|result|outcome|conclusion)\b\W{0,4}(?:fail|cancel|err|kill|abort|time|preempt|stopp|out_of)",
    re.IGNORECASE,
)
"""An end that names how it ended may be none that anybody wanted."""
_AHEAD = deferred(r"\bto (?:be )?(?:finished|completed?|done|ended)\Z", re.IGNORECASE)
"""What is still to be completed is not."""
_FIELD = deferred(r"\s*(?:Finished:\s{3,}\w{3}, \d|Completed?d?\s{3,}(?:True|False)\b)")
"""When or whether a container or workflow ended, as `kubectl describe` and `argo get` print it: well or badly."""
_STANDS = deferred(r"\b(?:ago|stuck|stalled|hung|hanging|so far)\b|\blast (?:completed|finished)\b", re.IGNORECASE)
"""What was done some time ago is mentioned because nothing was since."""
_COUNTED = deferred(
    r"(?<![\w.])[1-9]\d{0,6} (?:\w+ )?(?:failed|failures?|failing|errors?|errored|aborted|crashed|lost|upstream_failed|unfinished)\b"
    r"|\b(?:failed|failures?|errors?|errored|aborted|crashed|upstream_failed)\b ?[:=] ?[1-9]",
    re.IGNORECASE,
)
"""An end of which some parts are counted that failed."""
_BEST = deferred(r"\bbest\b", re.IGNORECASE)
"""What a search gives that is over, whatever single trials did."""
_DEBUG = deferred(r"\bDEBUG\b", re.IGNORECASE)
"""What an engine says to those who mend it is of a part of its work."""
_RAISED = deferred(r"(?:\[\w+\]:? )?(?:\w+\.)*\w*(?:Error|Exception)\b:")
"""What an exception says of a run is not said by the run."""
_FIXED: Final = (
    (deferred(r"['\"]train_runtime['\"]\s?:|\btrain_runtime\s{1,40}="), "summary"),
    (
        deferred(
            r'"(?:event|msg|message|type|phase)":\s?"(?:run_|training_|train_)?(?:finished|done|completed?|end|ended)"',
            re.IGNORECASE,
        ),
        "message",
    ),
    (deferred(r"Trainer\.fit`? stopped: `?max_(?:epochs|steps|time)"), "limit"),
    (
        deferred(
            r"[Ww]orker group successfully finished|WorkerState\.SUCCEEDED|\b(?:RUNNING|SHUTTING_DOWN) -> FINISHED\b"
        ),
        "launcher",
    ),
    (deferred(r"\[after training is done\]|done training in [\d.]+ seconds"), "message"),
    (
        deferred(
            r"\b\d+ epochs completed in [\d.]+ hours|Total training time: \d+:\d\d(?!.{0,24} on hooks\))|Training time \d+:\d\d"
        ),
        "message",
    ),
    (deferred(r"(?:Validate|Test|Predict) metric\s.{0,24}DataLoader 0"), "summary"),
    (deferred(r"\b[Bb]est[ _]iteration\b[:= ]{1,3}\d|\bweighted avg +[\d.]{1,6} +[\d.]{1,6}"), "summary"),
    (
        deferred(
            r"\b(?:clean|graceful|orderly) (?:shut ?down|exit|stop)\b.{0,24}\b(?:complete|done|finished)"
            r"|\bshut ?down complete|\bexiting (?:cleanly|normally|with (?:code|status) 0\b)|\bshutting down cleanly",
            re.IGNORECASE,
        ),
        "message",
    ),
    (deferred(r"Restoring model weights from the end of the best epoch"), "early-stopping"),
    (
        deferred(r"[Ee]arly stopping, best iteration is|Did not meet early stopping|: early stopping\b"),
        "early-stopping",
    ),
    (
        deferred(
            r"early[ -]?stop(?:ping|ped)?\b(?:.{0,80}?(?:trigger|reached|stopping training|stopped)| (?:at|after) (?:epoch|step|iter))",
            re.IGNORECASE,
        ),
        "early-stopping",
    ),
    (
        deferred(
            r"^\W{0,4}early[ -]?stop(?:ping|ped)?\b(?!.{0,80}(?:counter|patience|wait))[^\n]{0,40}\b(?:did not|has not|no|without)\b.{0,16}\bimprov"
            r"|\bpatience\b.{0,24}\b(?:reached|exhausted|exceeded|ran out)\b.{0,40}\bstop(?:ping|ped)?\b",
            re.IGNORECASE,
        ),
        "early-stopping",
    ),
)


def read_finish(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a line that says the program completed; `how` is message, summary, limit, early-stopping or launcher."""
    line = said(rows)
    how = _how(line.words) if line is not None else None
    if line is not None and how == "message" and _DEBUG.search(line.header):
        how = None
    return Reading() if line is None or how is None else Reading([line.draft(FINISH, how, how=how)])


@lru_cache(FORMS)
def may_finish(form: str) -> bool:
    """Tell whether some line of a form may say so: no pattern here names a digit but zero, which a form has in place of every digit."""
    return _how(form[message_start(form) :]) is not None


def _how(words: str) -> str | None:
    for pattern, how in _FIXED:
        if pattern.search(words):
            return how
    if len(words) > _LONGEST or _RAISED.match(words) or _FIELD.match(words) or _STANDS.search(words):
        return None
    if _COUNTED.search(words) and _BEST.search(words) is None:
        return None
    if _SAVED.search(words):
        return "message"
    if (found := _DONE.search(words)) is not None:
        if _AHEAD.search(words[: found.end()]) or _BADLY.search(words[found.start() : found.end() + 48]):
            return None
        about = (
            words[max(0, found.start() - 12) : found.end()] + _CLAUSE.split(words[found.end() : found.end() + 24])[0]
        )
    elif (found := _SHORT.match(words)) is not None:
        about = f"{found[0]} {found['next'] or ''}"
    else:
        return None
    return None if _PART.search(_AT.sub("", about)) else "message"
