"""What the last lines of an artifact say of work that moved before, while now the same is printed again and again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import BEGUN, MOVES, SILENT, STOOD_AT
from runtriage.model.pattern import deferred
from runtriage.model.time import Instant
from runtriage.scan.alike import form_of
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.draft import Draft
from runtriage.scan.rhythm import Before, before
from runtriage.scan.sayings import BYTES, Content, Said, lines_from_end, own_words, read_lines, saying, words_of
from runtriage.scan.silence import between

LAST, BEATS = 4, 8
"""Lines that may tell of an end which a silence had, and lines that must have moved before it."""
BEHIND: Final = 24
"""Lines that may follow, as a traceback of whoever ended the wait does."""
CHATTER: Final = 4
"""Kinds of lines in turn, none of which is most of them, that make the talk of a daemon."""
EVEN: Final = 0.3
"""Part of the shortest by which the times between lines differ that come at equal ones."""
FEW, GLANCE, KINDS = 3, 48, 16
"""Prints from which a line counts as one that is said again and again, lines among which it must be, and lines that may take turns."""
_OPEN = deferred(
    rb"(?<![\d.])(\d{1,12}(?:\.\d{1,4})?) ?[kmgt]?i?b? ?(?:/|of|out of) ?(\d{1,12}(?:\.\d{1,4})?)(?![\d.]*\d)|(?<![\d.])(\d{1,2}(?:\.\d+)?) ?%",
    re.IGNORECASE,
)
"""A count of a whole, or a share."""
_COMPLETE = deferred(
    rb"(?<![\d.])100(?:\.0+)? ?%|(?<![\d.])(?P<one>\d[\d.]*) ?[kmgt]?i?b? ?(?:/|of|out of) ?(?P=one)(?![\d.])",
    re.IGNORECASE,
)
_NO_WORK = deferred(
    rb"(?:no|any) new|nothing to|no (?:jobs?|work|tasks?|requests?)(?![a-z])|up to date|(?:waiting|ready|listening|polling) for (?:new |more |the next )?(?:jobs?|work|requests?|tasks?|connections?|commands?|checkpoints?|input)(?![a-z])",
    re.IGNORECASE,
)
"""What a program says that is done with all it was given, and stands by for more."""
_UNASKED = deferred(
    rb"(?<![a-z])running\W{1,3}0 (?:reqs?|requests?)(?![a-z]).{0,60}(?<![a-z])(?:waiting|pending|queued)\W{1,3}0 (?:reqs?|requests?)(?![a-z])",
    re.IGNORECASE,
)
"""The counts of a server that nobody asks."""
_LACKS = deferred(
    rb"(?<![a-z])(?:(?:try|trying|look\w*|ask\w*|next (?:look|try|attempt|poll)) (?:again|in|once more)|again (?:in|after)|retry\w*|re-?connecting|reattempt\w*"
    rb"|sleep(?:s|ing)?|wait(?:s|ing)?|polling|not(?: yet)?|yet|hasn|n't|unavailable|need(?:s|ed)?|pending|absent|missing|busy|held|locked|owned|taken|blocked|stuck|stopped|idle|holding|unchanged|still|outstanding|to go|nothing|none|no|never|stale|silent"
    rb"|(?<![\w.])0 \w{2,})(?![a-z])",
    re.IGNORECASE,
)
"""That something is waited for, asked for again, or does not happen."""
_ENDED = deferred(
    rb"(?<![a-z])(?:rc|exit\w*|status|return(?:ed|s)?|kill\w*|terminat\w*|signal|sig[a-z]{3,4}|time[ -]?(?:d )?out|limit|cancel\w*|abort\w*|stop\w*)(?![a-z])",
    re.IGNORECASE,
)
_RATE = deferred(
    rb"(?<![\w.])(?P<per>\d{1,6}(?:\.\d{1,4})?) ?(?P<unit>s|ms)/(?:it|step|batch|iter)|(?<![\w.])(?P<rate>\d{1,6}(?:\.\d{1,4})?) ?(?:it|step|batch|iter)\w{0,6}/s",
    re.IGNORECASE,
)
_OVERDUE = deferred(
    rb"(?<![a-z])(?:exceed\w*[^\n]{0,32}?(?:\d ?(?:s|m|h|secs?|seconds?|min\w{0,5}|hours?)|time|deadline|duration)"
    rb"|(?:time|deadline|duration|runtime|budget)[^\n]{0,24}? exceed\w*|time ?limit|wall ?time|timed? ?out|time is (?:up|over)|deadline|took too long|too long|unresponsive|no (?:new )?(?:output|lines?|logs?|progress)|quiet|silent|hung|hangs|(?:status|code|rc|exit)\W{0,3}124)(?![a-z\d])",
    re.IGNORECASE,
)
"""That something was ended because it lasted too long: what exceeds a quota or a size did not."""
_WORK: Final = (
    rb"(?:global_?)?steps?|iter(?:ation)?s?|it|(?:mini)?batch(?:es)?|updates?|samples?|tokens?|examples?|records?|rows?|images?|files?|chunks?|shards?|clips?"
    rb"|docs?|documents?|frames?|trials?|rounds?|episodes?|progress|done|seen|processed|consumed|read|written|wrote|copied|downloaded|position|offset"
)
_PLACE = deferred(
    rb"(?<![a-z])(?:" + _WORK + rb")\W{1,3}\d|(?<![\d.])\d[\d,.]{0,24} ?[kmgt]?i?b? ?(?:" + _WORK + rb")(?![a-z])"
    rb"|(?<![\d.])\d[\d.]* ?[kmgt]?i?b? ?(?:/|of|out of) ?\d|\d ?%",
    re.IGNORECASE,
)
_BEGINS = deferred(
    rb"^\W{0,4}(?:[\w.-]{1,24}[\]):|] ?|(?:rank|worker|proc|process)[ _:#]?\d{1,6}\W{1,3}){0,3}(?:now |still )?(?!(?:train|fine-?tun|runn|us|log|sav|writ|noth|str|warn|pend|sett|miss|follow|be|keep|kill|abort|exit|terminat|stopp)ing\b)[a-z]{3,14}ing(?![a-z])(?! (?:done|complete|finished|failed))",
    re.IGNORECASE,
)
"""A line that says what is begun: all others tell what was done."""
_LETTERS: Final = re.compile(rb"[A-Za-z]{2}")
_TELLING: Final = frozenset({"grows", "went", "known", "holds", "open", "lacks", "beats"})
"""What lines must be one of to tell anything."""


def last_moves(block: Block, reader: LineReader, progress: int) -> Iterator[Draft]:
    """Yield what the last lines tell of work that stands, goes on behind the last line of `progress`, or was silent until somebody ended it."""
    last = lines_from_end(block)
    ended = bool(last) and _OVERDUE.search(last[0][1]) is not None
    goes_on = block.data.count(b"\n", max(progress - block.base, block.high - BYTES, 0), block.high) > BEHIND
    if not (_repeats(last) or ended or goes_on):
        return
    lines = list(read_lines(last, reader))
    found = (_standing(lines), _silent(lines) if ended else None, _going_on(lines) if goes_on else None)
    yield from (draft for draft in found if draft is not None)


def _standing(lines: Sequence[Said]) -> Draft | None:
    """Return the last of the lines at the end that say one thing over and over, and how that differs from what was printed before.

    Where that line says nothing but that the program lives, the last one that moved is returned in its place.

    Numbers are the `seconds` since the last line that moved, how many `lines` said it, how many of them stood between two lines that moved
    before (`usual`), and the longest time between two such (`pace`). Captures tell how: `went` where anything moved before, `known` where
    such lines came between what moved, `holds` where a number of the last line that moved is said still, `lacks` where a word says that something is waited for, `open` where it is a count of a whole that is not there yet,
    `grows` where each line says a longer time than the one before, `asks` where it counts how often it was asked, `beats` where the lines come at equal
    times, `timed` where there is a clock at all, `behind` where other lines follow, and `ended` where those tell of an end.
    """
    counts = Counter(line.content for line in lines)
    often = (at for at in range(min(BEHIND, len(lines) - FEW + 1)) if counts[lines[at].content] >= FEW)
    found = next(filter(None, (_stretch(lines, at) for at in often)), None)
    if found is None:
        return None
    at, end, again = found
    last, stood = lines[at], [line for line in lines[at:end] if line.content in again]
    if _NO_WORK.search(last.own) or _UNASKED.search(last.text) or _chats(last, stood):
        return None
    earlier = before(lines[end:][::-1], stood)
    pace = earlier.pace if earlier.pace is not None else _rate(lines[end:])
    steadily, grown = _grown([line for line in stood if line.shape == last.shape])
    clock = between(earlier.last.when if earlier.last is not None and earlier.last.when else stood[-1].when, last.when)
    told = {
        "grows": steadily > 0,
        "went": earlier.moves >= FEW or (earlier.moves > 0 and earlier.known),
        "known": earlier.known,
        "holds": _holds(last, earlier),
        "timed": clock is not None or grown > 0,
        "behind": at > 0,
        "ended": any(_ENDED.search(line.own) for line in lines[:at]),
        **_how(last, [line.when for line in stood if line.content == last.content]),
    }
    done = not (steadily or told["open"] or told["lacks"]) and _COMPLETE.search(last.own)
    if done or not any(told[name] for name in _TELLING):
        return None
    return _draft(lines[at:end], stood, told, max(clock or 0.0, steadily or grown), earlier._replace(pace=pace))


def _chats(last: Said, stood: Sequence[Said]) -> bool:
    """Tell whether lines of many kinds come in turn: a daemon that serves others talks so all day, and its last line is any of them."""
    kinds = Counter(line.shape for line in stood)
    return len(kinds) >= CHATTER and kinds[last.shape] * 2 <= len(stood)


def _holds(last: Said, earlier: Before) -> bool:
    """Tell whether a line still prints a number, of two digits at least, of the last one that moved."""
    before = () if earlier.last is None else earlier.last.numbers
    return any(len(number) > 1 and number in before for number in last.numbers)


def _how(last: Said, times: Sequence[Instant | None]) -> dict[str, bool]:
    """Return what a line that is said over and over tells by itself and by when it was printed."""
    return {
        "open": _open(last.own),
        "lacks": _LACKS.search(last.own) is not None,
        "asks": last.asks,
        "beats": _evenly(times),
    }


def _silent(lines: Sequence[Said]) -> Draft | None:
    """Return the last line of work before a silence that somebody ended for having lasted; numbers are its `seconds` and the `pace` before."""
    at = next((at for at in range(1, min(LAST, len(lines))) if not _OVERDUE.search(lines[at].text)), 0)
    if not at or any(line.shape == other.shape for line in lines[:at] for other in lines[at:]):
        return None
    if _BEGINS.search(lines[at].text) and lines[at].when is None:
        return Draft(kind=STATEMENT, name=BEGUN, start=lines[at].start, end=lines[at].end)
    earlier = before(lines[at:][::-1], ())
    silent = between(lines[at].when, lines[at - 1].when) or max((0.0, *lines[at - 1].durations))
    if not silent or earlier.pace is None or earlier.moves < BEATS:
        return None
    numbers = {"seconds": silent, "pace": earlier.pace}
    return Draft(kind=STATEMENT, name=SILENT, start=lines[at].start, end=lines[at].end, numbers=numbers)


def _going_on(lines: Sequence[Said]) -> Draft | None:
    """Return the last of the lines at the end that count up what is done, line by line."""
    for at, line in enumerate(lines[:FEW]):
        like = [other for other in lines[at:GLANCE] if other.shape == line.shape][:FEW]
        if len(like) == FEW and _PLACE.search(line.own) and _counts_up(like):
            return Draft(kind=STATEMENT, name=MOVES, start=line.start, end=line.end)
    return None


def _counts_up(like: Sequence[Said]) -> bool:
    """Tell whether a number of some lines, the last first, was greater each time."""
    return any(
        all(float(one) > float(two) for one, two in pairwise(column))
        for column in zip(*(line.numbers for line in like), strict=False)
    )


def _draft(
    lines: Sequence[Said], stood: Sequence[Said], told: dict[str, bool], seconds: float, earlier: Before
) -> Draft:
    last, first = lines[0], stood[-1]
    numbers = {"seconds": seconds, "lines": float(len(stood)), "from": float(first.start), "to": float(last.start)}
    numbers["usual"] = float(earlier.usual)
    if earlier.pace is not None:
        numbers["pace"] = earlier.pace
    captures = {name: "yes" for name, holds in told.items() if holds}
    bare = not (last.numbers or last.durations or told["lacks"])
    where = earlier.last if bare and earlier.last is not None else last
    return Draft(kind=STATEMENT, name=STOOD_AT, start=where.start, end=where.end, captures=captures, numbers=numbers)


def _stretch(lines: Sequence[Said], at: int) -> tuple[int, int, frozenset[Content]] | None:
    """Return where the lines begin and end, counted from the last one back, of which none moves, and what is said again and again there."""
    counts = Counter[Content]()
    end = at
    for line in lines[at:]:
        counts[line.content] += 1
        if len(counts) > KINDS:
            break
        end += 1
    again = frozenset(content for content, count in counts.items() if count >= FEW)
    if lines[at].content not in again or not _LETTERS.search(lines[at].shape):
        return None
    if any(line.shape == other.shape for line in lines[:at] for other in lines[at:]):
        return None
    said = Counter(line.shape for line in lines[at:])
    moved = (each for each in range(at, end) if lines[each].content not in again and said[lines[each].shape] > 1)
    end = min(next(moved, end), _turns(lines[at:end]) + at)
    while end > at and lines[end - 1].content not in again:
        end -= 1
    counts = Counter(line.content for line in lines[at:end])
    again = frozenset(content for content in again if counts[content] >= FEW)
    return (at, end, again) if lines[at].content in again else None


def _turns(lines: Sequence[Said]) -> int:
    """Return where, from the last line back, a line says what others like it do not say again further up: ranks take turns, work goes on."""
    until: dict[Content, int] = {line.content: index for index, line in enumerate(lines)}
    oldest: dict[bytes, int] = {}
    for index, line in enumerate(lines):
        if index > oldest.setdefault(line.shape, until[line.content]):
            return index
    return len(lines)


def _open(own: bytes) -> bool:
    """Tell whether a line counts something of which not all is there."""
    return any(found[3] or float(found[1]) < float(found[2]) for found in _OPEN.finditer(own))


def _grown(stood: Sequence[Said]) -> tuple[float, float]:
    """Return the longest duration of the last line that is longer in each line than in the one before, and by how much any grew that never shrank."""
    columns = [column[::-1] for column in zip(*(line.durations for line in stood), strict=False)]
    strictly = [
        column[-1]
        for column in columns
        if all(one <= two for one, two in pairwise(column)) and len(set(column)) >= min(FEW, len(column))
    ]
    never = [column[-1] - column[0] for column in columns if all(one <= two for one, two in pairwise(column))]
    return max(strictly, default=0.0), max(never, default=0.0)


def _evenly(times: Sequence[Instant | None]) -> bool:
    """Tell whether lines came at equal times, as what looks after something else does, and not when a piece of work is done."""
    gaps = [between(earlier, later) for later, earlier in pairwise(times)]
    known = sorted(gap for gap in gaps if gap is not None)
    return len(known) >= FEW and known[-1] >= 1.0 and known[-1] - known[0] <= max(1.0, EVEN * known[0])


def _rate(older: Sequence[Said]) -> float | None:
    """Return the seconds of a step that the last line says which tells any."""
    for line in older:
        if (found := _RATE.search(line.text)) is not None:
            value = float(found["per"] or found["rate"])
            per = value / 1000 if found["unit"] == b"ms" else value
            return per if found["per"] else 1 / value if value else None
    return None


def _repeats(last: Sequence[tuple[int, bytes]]) -> bool:
    """Tell whether any of the last lines is said again and again; most logs end otherwise, and need not be read closer."""
    counts = Counter(
        own_words(words, saying(form_of(words))) for words in (words_of(line) for _, line in last[:GLANCE])
    )
    return any(count >= FEW and _LETTERS.search(own) for own, count in counts.items())
