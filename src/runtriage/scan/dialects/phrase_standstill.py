"""Sentences in which a program says that it waits, that nothing moves, or that it gives up for that reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import STANDSTILL
from runtriage.model.pattern import deferred
from runtriage.scan.contract import Reading, Row
from runtriage.scan.dialects.words import SHAPES, said, shape

_SHORT: Final = 120
LONG: Final = 300.0
"""Seconds from which a stated wait counts as long: no save, upload or shuffle of an ordinary run is expected to take longer."""
_LONGEST: Final = 500
_TIME = deferred(
    r"(?<![\w.])(?P<count>\d{1,7}(?:[.,]\d{1,6})?)\s?-?(?P<unit>ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)(?![a-z0-9/])(?!\s?/\s?(?:it|step|batch|epoch))"
    r"|(?:for|after|elapsed|wait\w*|already|past|pending|since|of|than)\W{1,3}(?P<hours>\d{1,3}):(?P<minutes>\d\d):(?P<seconds>\d\d)(?![\d:])",
)
_SECONDS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0}
_UNIT: Final = (
    r"(?<![a-z])(?:progress(?:ed)?|steps?|global[_ ]step|iterations?|iters?|batch(?:es)?|mini-?batch(?:es)?|epochs?|updates?|samples?|records?|tokens?|outputs?|log (?:line|output)s?|stdout|heartbeats?|activity|data"
    r"|items?|messages?|requests?|responses?|repl(?:y|ies)|chunks?|shards?|rollouts?|trajector(?:y|ies)|experiences?|gradients?|results?|reports?|reported|clients?|bytes?|frames?|work|sign of life|signs of life|signal|counter|loop|advance[sd]?|moved?|episodes?|trials?|rounds?|movements?|log ?files?|loss line)(?![a-z])"
)
_NONE: Final = r"(?<![a-z])(?:no|not|zero|nothing|never|without|(?:has|have|had|did|does|is|was|were|are|do)n'?t|stopped|ceased|unchanged|stuck|stalled|frozen|hung|hangs|hanging|idle|stale|missing|silent|quiet|still at|same|overdue|untouched|dormant|inactive|asleep|late|missed|missing|(?<!\d)0(?!\d))(?![a-z.])"
_STUCK: Final = (
    r"(?<![a-z])(?:train\w*|process(?:es)?|(?:data ?)?loaders?|workers?|ranks? ?\d*|main (?:thread|loop)|run|pipeline|job|step|loop|queue|learner|actors?|consumer|producer|reader|prefetch\w*|it|we|iterator|trial|client|server|collective|all_?reduce|barrier|download|read)"
    r"(?: \S{1,24}){0,4}? (?:stuck|stalled|stalling|hung|hanging|frozen|deadlocked|starved|starving|wedged|unresponsive|blocked|not responding|not making progress|made no progress|dead ?lock)(?![a-z])"
    r"|(?<![a-z])(?:possible|potential|suspected|probable|apparent|likely|detected) (?:\w+ )?(?:deadlock|hang|stall|live-?lock|starvation)(?![a-z])"
    r"|(?<![a-z])(?:deadlock|hang|stall|live-?lock|starvation) (?:\w+ )?(?:detected|suspected)(?![a-z])"
)
_WAITS: Final = (
    r"(?<![a-z])waiting(?: \(|,? (?:since|\d)|\W{0,3}$)|, waiting\b|(?<![a-z])(?:wait(?:ing|ed|s)|blocked|blocking|pending|hanging|stuck|parked|sleeping|spinning|polling) (?:\w+ )?(?:for|on|at|in|until|behind|by|to)(?![a-z])"
    r"|(?<![a-z])(?:has|have|is|are|was|still) (?:been )?(?:pending|blocked|waiting|outstanding|unanswered|not (?:arrived|returned|answered|joined|released|freed|finished|replied|responded))(?![a-z])"
    r"|(?<![a-z])(?:no|not a) (?:\w+ )?(?:free|available|idle) (?:\w+ )?(?:gpus?|slots?|workers?|devices?|ports?|cards?|licen[cs]es?|nodes?|resources?)(?![a-z])"
    r"|(?<![a-z])hold(?:s|ing)? (?:off|back)(?![a-z])|(?<![a-z])not (?:yet )?(?:all )?ready(?![a-z])|check(?:ed)? in for"
    r"|(?<![a-z])(?:queues?|buffers?)(?: \S{1,24}){0,2} (?:full|empty)(?! of)(?![a-z])"
    r"|(?<![a-z])never (?:show(?:ed|s) up|arriv\w+|came|comes?|join\w*|answer\w*|connect\w*|respond\w*|return\w*|repli\w+|report\w*|check(?:ed)? in|started)(?![a-z])|(?<![\d.])[1-9]\d{0,5} (?:trials? )?pending\b.{0,24}(?<!\d)0 running|(?<!\d)0 running\b.{0,24}(?<![\d.])[1-9]\d{0,5} pending"
    r"|(?<![\d/])\d{1,5} ?(?:/|of|out of) ?\d{1,5} (?:\w+ )?(?:arrived|joined|reported|ready|present|connected|checked in|responded|answered|alive)(?![a-z])"
    r"|(?<![a-z])(?:locks?|leases?|gpus?|devices?|ports?|slots?|partitions?|servers?|files?)(?: \S{1,60}){0,3}? (?:is |are |still )?(?:busy|taken|occupied|held|locked|in use)(?![a-z])"
    r"|(?<![a-z])(?:still|currently) (?:held|locked|owned|busy|in use)(?: by)?(?![a-z])|(?<![a-z])(?:held|locked) by (?:another|pid|process|host)(?![a-z])"
)
_GAVE_UP: Final = r"(?<![a-z])(?:g(?:ave|iving|ive|ives) up|(?:server|trainer|learner|supervisor|coordinator|run|job) stops|timed? ?out|abort\w*|terminat\w*|kill(?:ed|ing)|sig(?:term|kill|abrt|int|quit)|exiting|shut(?:ting)? down|abandon\w*|bail(?:ing|ed) out|cancel(?:l?ing|l?ed)|quit(?:ting)?|halt(?:ing|ed)|leaving|pull(?:ing|ed) the plug|kill(?: -9)?|(?:stopp?|end|tear|bring|tak)\w* (?:down )?(?:the |this )?(?:whole )?(?:run|job|training|program|process|trainer|everything|worker|container|pod))(?![a-z])"
_RETRIES: Final = (
    r"(?<![a-z])(?:re-?try(?:ing)?|re-?connect(?:ing)?|(?:try|trying|look\w*|poll\w*) (?:it )?again|next (?:try|attempt|retry|poll)|sleep(?:ing)?|back(?:ing)? off)"
    r" (?:for |in |after |again in )?(?:about )?\d[\d.]{0,8} ?(?:ms|s|secs?|seconds?|m|mins?|minutes?)(?![a-z])"
    r"|(?<![a-z])(?:retry|attempt|try) #?\d{1,4} ?(?:/|of|out of) ?\d{1,5}(?![\d.])"
)
"""One of many tries, by when the next comes or by its number: only that they go on for long tells that nothing moves."""
_SHAPES: Final = tuple(deferred(shape) for shape in (_STUCK, _WAITS))
_TRIES: Final = deferred(_RETRIES)
_STANDS: Final = tuple(deferred(shape) for shape in (_UNIT, _NONE))
_NOTHING = deferred(
    rf"{_NONE}.{{0,60}}(?<![a-z])(?:for|in|since|within|after|during|over|past|last|now)(?![a-z]).{{0,16}}\d",
)
_LAST = deferred(
    rf"(?<![a-z])(?:last|latest|previous|most recent) (?:\w+ ){{0,2}}?{_UNIT}.{{0,60}}(?<![a-z])(?:ago|old|since|earlier)(?![a-z])"
    rf"|{_UNIT}.{{0,40}}(?<![a-z])(?:is|are) .{{1,24}} (?:old|overdue|late)(?![a-z])"
    r"|(?<![a-z])last (?:touched|seen|heard(?: from| of)?|written|updated|changed|modified|active) .{0,24}(?<![a-z])ago(?![a-z])"
    rf"|{_UNIT}.{{0,24}}(?<![a-z])(?:has been|is|was) (?:still )?(?:running|busy|in progress|in flight|open|going on|under way) (?:for|since)(?![a-z])",
)
_EXCEEDS = deferred(
    rf"{_UNIT}.{{0,60}}\d ?(?:m?s|secs?|seconds?|m|mins?|minutes?|h|hours?)?\W{{1,3}}(?:exceed\w*|is over|beyond|past|(?:more|longer) than|above|>=?|limit)(?![a-z]).{{0,24}}\d",
)
"""How long ago a sign of life was, and that this is longer than it may be."""
_GONE = deferred(_GAVE_UP)
_DOG = deferred(
    r"^(?!.*(?:nccl|process ?group|collective|configured|enabled|started|will|after exit|exit 0|code 0))"
    r".*(?<![a-z])(?:watch ?dog|dead ?man(?:'s switch)?|(?:hang|stall|progress|heartbeat|liveness) (?:detector|monitor|guard|checker|timer))(?![a-z]).{0,60}"
    r"(?<![a-z])(?:fired|fires|expired|trigger\w*|tripped|exit\w*|kill\w*|abort\w*|terminat\w*|bit|barked|timed? ?out|sig(?:term|kill|abrt)|gave up|giv\w+ up)(?![a-z])"
)
"""What watches the progress of a program saying that it acts."""
_HEDGED = deferred(
    r"(?<!not )(?<![a-z])(?:avoid\w*|prevent\w*|may|might|could|would|can|will|if|unless|no longer|acquired|obtained|resum\w+|recover\w*|released the|got it|(?:done|finished|stopped) waiting|waiting (?:is )?over|healthy|improve\w*|early[ -]stop\w*|patience|warm-?up|set|should|until (?:step|epoch)|not (?:stuck|blocked|hung|waiting)|default\w*|example|after waiting \S+ \S+ got)(?![a-z])",
)
_BENIGN = deferred(
    r"for (?:the next|a new|new|more|another) [a-z]|(?<![a-z])(?:no|any) new (?!batch|sampl|step|data|progress|output|record|heartbeat|message)|wandb|w&b|debugger|for (?:background|pending) (?:upload|save|write)s?|user input|keyboard|press |async save|upload|current workers to (?:finish|stop)|--\w+[= ]|\bf[\"']|^\s*(?:raise |file \"|#|assert |def )|\(most recent call|[\w/]+\.py:\d+\)$|\(idle\)|\(active\)|dumps? to finish|wait(?:ing)? (?:up to|at most)|^srun: |slurmstepd|queued and waiting|success\w*|finished|(?:normal|warning)\s{2,}|state:\s|(?<![a-z])(?:pod|job|node)/\S|stuck at"
    r"|(?<![a-z])(?:waiting|listening|polling) for (?:new |more |incoming )?(?:jobs?|requests?|tasks?|connections?|commands?)\W{0,4}$"
    r"|(?<![a-z])(?:token|credentials?|cert(?:ificate)?s?|tickets?|cookies?|passwords?|passphrases?)(?: \S{1,24}){0,4} (?:stale|old|expired?|invalid|revoked|outdated)(?![a-z])",
)
"""What waits in every good run, was given up on purpose, or is about what identifies a program and grows old by itself."""
_UNASKED = deferred(
    r"(?<![a-z])running\W{1,3}0 (?:reqs?|requests?)(?![a-z]).{0,60}(?<![a-z])(?:waiting|pending|queued)\W{1,3}0 (?:reqs?|requests?)(?![a-z])"
)
"""The counts of a server that nobody asks: none runs and none waits."""
_NOT_DONE = deferred(
    r"(?<![a-z])(?:no|not|never|nothing|(?:has|have|is)n't)(?: \w+){0,2} (?:finished|succeeded|success\w*)(?![a-z])"
)
"""What is finished or a success in other words."""
_PATH: Final = deferred(r"(?<!\S)[^\s/]{0,40}(?:/[\w.@+~-]{1,120}){3,40}")
"""Where something lies: the names in it are no words about a wait."""
_ALL: Final = deferred(r"(?<![\d/])(\d{1,5}) ?(?:/|of|out of) ?\1 ")
"""A count of who is there that is complete."""
_KERNEL: Final = deferred(
    r"^\[\s{0,6}\d{1,9}\.\d{6}\]|^\[\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\]|(?<![\w-])kernel: "
    r"|(?<![\da-f:])[\da-f]{4}:[\da-f]{2}:[\da-f]{2}\.[0-7](?![\da-f])"
)
"""A record of the kernel, by its clock (`dmesg`, `dmesg -T`), its name in the journal, or the PCI address of a device its driver speaks of."""
CUE: Final = (
    r"\bretry(?:ing)?\b (?:again )?(?:in |after |for |every )?(?:about )?\d[\d.]{0,8} ?(?:ms|s|secs?|seconds?|m|mins?|minutes?)\b|\b(?:attempt|retry|try) #?\d{1,4} ?/ ?\d",
    r"\bwait(?:ing\b|ed for|s for)",
    r"\b(?:stuck|stalled|hung|hanging|dead-?locked?|unresponsive|starv(?:ed|ing|ation)|wedged|live-?lock)\b",
    r"\b(?:no|zero|without|nothing|not|never|unchanged|n't|idle|silent) [^\n]{0,80}\b(?:for|in|since|within|after|last|than) [^\n]{0,24}\d",
    r"\b(?:gave|giving|gives) up\b|\btimed? ?out (?:while )?wait|\bsig(?:term|kill|abrt)\b|\b(?:queue|buffer)s? (?:[^\n]{0,31} )?(?:full|empty)|\bhold(?:s|ing)? (?:off|back)\b|\b(?:aborting|bailing out|pulling the plug|terminating|leaving|quitting|halting|shutting down|killing|stopping the|ending the|tearing down|taking down)\b",
    r"\bnever (?:show|arriv|came|join|answer|connect|respond|return|repl|report|check)|\bpending\b[^\n]{0,24}\b0 running|\b0 running\b[^\n]{0,24}pending",
    r"\b(?:exceed(?:s|ed)|(?:more|longer) than)[^\n]{0,24}\d",
    r"\b(?:old|overdue|unchanged|frozen)\b[^\n]{0,60}\d",
    r"\b(?:last|latest) [^\n]{0,60}\d[^\n]{0,24}\bago\b",
    r"\b(?:pending|blocked|outstanding) (?:for|on|at|in)\b|\bno free (?:gpu|slot|worker|device|port|card)|\b(?:held|locked) by (?:another|pid|process|host)",
)


def read_standstill(cue: str, rows: Iterator[Row]) -> Reading:
    """Read a sentence about a wait; `name` tells how strong a word it is: `gave-up`, `long`, `short` or `waiting`.

    `ending` only says that somebody ends the run; what it was ended for stands in the lines above.
    """
    line = said(rows)
    told = None if line is None or of_kernel(line.header + line.words) else strength(line.words)
    if line is None or told is None:
        return Reading()
    draft = line.draft(STATEMENT, told[0])
    draft.numbers.update(told[1])
    return Reading([draft])


def of_kernel(line: str) -> bool:
    """Tell whether a line is a record of the kernel and no word of the program."""
    return _KERNEL.search(line) is not None


def strength(sentence: str) -> tuple[str, dict[str, float]] | None:
    """Return the name of what a sentence says of a wait, and how many `seconds` it says; None where it says nothing of one."""
    words = sentence.lower()
    if _UNASKED.search(words):
        return None
    told = _told(shape(words)) if len(words) <= _LONGEST else None
    if told is None or (told == "waiting" and _ALL.search(words)):
        return None
    if told == "tries":
        return STANDSTILL + "waiting", {}
    seconds = max((_length(found) for found in _TIME.finditer(words)), default=0.0)
    name = STANDSTILL + ("long" if told in ("short", "waiting") and seconds >= LONG else told)
    return name, {"seconds": seconds} if seconds and told != "ending" else {}


@lru_cache(maxsize=SHAPES)
def _told(words: str) -> str | None:
    """Return how strong a word a sentence is, whatever its numbers are; None where it is none."""
    stuck, waits = (part.search(words) is not None for part in _SHAPES)
    stands = _TIME.search(words) is not None and (
        any(all(part.search(piece) for part in _STANDS) for piece in words.split(" | "))
        or _NOTHING.search(words) is not None
        or _LAST.search(words) is not None
        or _EXCEEDS.search(words) is not None
    )
    if _DOG.search(words) and not _BENIGN.search(words):
        return "gave-up"
    gone = _GONE.search(words) is not None
    if _TRIES.search(words) and not gone and not _BENIGN.search(words):
        return "tries"
    if not (stuck or waits or stands or (gone and len(words) < _SHORT)):
        return None
    plain = _NOT_DONE.sub("nothing", _PATH.sub("path", words))
    if _BENIGN.search(plain) or _HEDGED.search(plain):
        return None
    if gone:
        return "gave-up" if stuck or waits or stands else "ending"
    return "short" if stuck or stands else "waiting"


def _length(found: re.Match[str]) -> float:
    if found["hours"]:
        return int(found["hours"]) * 3600.0 + int(found["minutes"]) * 60.0 + int(found["seconds"])
    count, unit = float(found["count"].replace(",", ".")), found["unit"].lower()
    return count / 1000 if unit.startswith(("ms", "mil")) else count * _SECONDS[unit[0]]
