"""What a driver of several stages reports at the end: which stage failed and which ones were not begun for it, or what one stage handed the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from runtriage.model.event import STATEMENT
from runtriage.model.event_names import STAGE_FAILED, STAGE_HANDED, STAGE_HOLLOW
from runtriage.model.pattern import deferred
from runtriage.scan.alike import Alike, form_of_text
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.quiet import from_end
from runtriage.scan.stage_rows import HEADING, KIND, OF_DATA, PROCESS, WELL, Said, hollow, listed, tabled
from runtriage.scan.traceback_frames import read_frame
from runtriage.scan.traceback_line import is_header, read_exception

_LONGEST: Final = 400
_FRONT: Final = 48
"""Characters at the begin of a line that may name its level."""
_APART: Final = 60
"""Lines that may stand between a failure and what was not begun for it."""
_BREAK: Final = 2
"""Bytes between a line and the next one."""
_BEHIND: Final = 12
"""Lines that may follow a report."""
_KINDS = deferred(rf"(?<![\w/-]){KIND}(?![\w/-])", re.IGNORECASE)
_NAMED = Alike(rf"(?<![\w/-]){KIND}\W{{1,4}}(?P<name>[A-Za-z_][\w.-]{{1,60}})", re.IGNORECASE)
_HELD = Alike(
    r"(?<![a-z])(?:not[ _-](?:been )?(?:started|begun|run|attempted|triggered|scheduled|executed|placed|launched|submitted|reached|queued|starting|running|launching)"
    r"|never (?:started|began|ran|run|placed|scheduled|launched|executed|submitted|triggered|reached|queued)|(?:was |were )?skipp(?:ed|ing)|skip|blocked|omitted|upstream[_ ]failed"
    r"|dropp(?:ed|ing)|withheld|held back|refus(?:ed|es|ing)|cancell?(?:ed|ing)|left out|passed over|no (?:task|job|stage|step|run|unit)s? (?:was|were|is|are) (?:scheduled|started|run|submitted|launched|begun)|(?:will not|won't|can never|cannot|can't|did not|didn't) (?:be )?(?:run|start|begin|started|launched|scheduled)"
    r"|unreachable|unsatisf\w+|left pending|abandon(?:ed|ing)|stays? pending|did not (?:get a chance|come) to)(?![a-z])",
    re.IGNORECASE,
)
"""What is said of a stage that does not begin."""
_FAILURES: Final = (
    r"(?:fail(?:ed|ure|s)?|error(?:ed)?|aborted|crashed|died|killed|lost|timed[ _]out|time[ _-]?out|expired|rejected|exceeded|gave up|giving up|orphaned|evicted|unmet|incomplete|broken"
    r"|never (?:appeared|arrived|came|finished|completed|reported|wrote|published)|(?:did not|didn't) (?:leave|write|produce|publish|finish|complete|succeed|arrive|appear|report|create|exit)"
    r"|produced (?:nothing|no|0)|wrote (?:nothing|no|0)|no (?:output|such artifact|artifact))"
)
_CODES: Final = (
    r"(?<![a-z])(?:exit(?:ed|s|_?code| code| status)?|return(?:ed|s| code|code)?|rc|status|code|ended)\W{0,4}(?:(?:with|in|code|status|value|non-?zero|exit|code|status|return)\W{1,3}){0,4}-?[1-9]\d{0,2}(?![\d.])"
    "|[\u2716\u2717\u2718\u274c]"
)
_LACKING: Final = r"(?<![a-z])(?:is|are|was|were) (?:missing|absent|empty|stale|not there)(?![a-z])"
_FAILS = deferred(rf"(?<![a-z_]){_FAILURES}(?![a-z_]| ?[=:]? ?0\b)|{_CODES}", re.IGNORECASE)
_STOPS = Alike(
    r"(?<![a-z])(?:stopping|halting|aborting|quitting|(?:stops?|stopped|ends?|ended) (?:here|(?:at|with|in) (?:stage|step|task|job|phase|node|unit)|ko|failed|badly|early))(?![a-z])",
    re.IGNORECASE,
)
"""What a driver says that goes no further."""
_OF_COMPONENT = deferred(r"[\w-]{1,60}\.go:\d{1,6}\] ")
"""A component of Kubernetes logs what it does of its own: it begins no stages."""
_BARREN = deferred(
    r"(?<![a-z])no \w+ (?:was |were )?(?:written|made|produced|built|saved|left)(?![a-z])|(?<![a-z])(?:wrote|kept|made|produced|left) (?:0|no|nothing)(?![a-z\d.])|(?<![a-z])nothing (?:to|was|is) [a-z]+"
    r"|(?<![a-z])too few(?![a-z])|(?<![a-z])(?:leaving|left|ends|ended|gives up) (?:with )?\(?[1-9]\d{0,2}\)?(?![\d.])",
    re.IGNORECASE,
)
"""What a stage says that leaves nothing for the next one."""
_LACKS = deferred(_LACKING, re.IGNORECASE)
_PATH = deferred(r"(?<![\w.-])[\w./-]{0,120}?(?P<base>[\w-]{1,60}(?:\.[A-Za-z_]\w{0,9}){1,3})(?![\w-])")
_POINT = deferred(r"[\w-]\.[A-Za-z_]")
"""What every path holds."""
_CODE = deferred(r"\.(?:py|sh|r|jl|pl|toml|ya?ml|cfg|ini|conf|lock|log|so|exe|pt|pth|ckpt|safetensors)$", re.IGNORECASE)
"""What no stage makes for the next, or what is known by what its own reader says of it."""
_READ = deferred(
    r"(?<![a-z])(?:read(?:ing|s)?|load(?:ed|ing|s)?|open(?:ed|ing|s)?|using|scann\w+|input|found|from|cached|resum\w+)(?![a-z])",
    re.IGNORECASE,
)
_REFUSED = deferred(
    r"(?<![a-z])(?:no|not|nothing|none|never|empty|missing|absent|lacks?|without|wanted|expected|needs?|wants?|refus\w+|stale|older than|differs?|mismatch\w*|instead of)(?![a-z])|(?<![\d.])0 (?!errors?|warnings?|failed|skipped|failures|missing|duplicates?)[a-z]",
    re.IGNORECASE,
)
_PARTLY = deferred(r"(?<![\w.])(?:0|no|none|not|only|\d+ (?:of|/) \d+)(?![\w.])", re.IGNORECASE)
_UNBEGUN = deferred(
    r"(?<![a-z])(?:not|never|will not|won't|can never|cannot|can't|did not|didn't|no (?:task|job|stage|step|run|unit)s?)(?![a-z]).{1,24}(?:start|begun|began|run|ran|attempt|trigger|schedul|execut|plac|launch|submit|reach|queu)|upstream|omitted|left pending|unreachable",
    re.IGNORECASE,
)
"""What is only said of work that was to begin, and of no part of work that goes on."""
_DEPENDS = Alike(
    r"(?<![a-z])(?:depends? (?:up)?on|because of|due to|needs?|requires?|blocked by|waits? (?:for|on)|behind|after)(?![a-z])",
    re.IGNORECASE,
)
_AGAIN = deferred(r"(?<![a-z])(?:retried|try again|tries again|allowed to fail)(?![a-z])", re.IGNORECASE)
_CODED = deferred(
    r"(?<![a-z])(?:exit\w*|return\w*|rc|status|code|ended|left|failed)\W{1,4}(?:with )?(?:status |code )?\(?[1-9]\d{0,2}(?![\d.])",
    re.IGNORECASE,
)
_MAY_FAIL = Alike(rf"(?<![a-z_]){_FAILURES}|{_CODES}|{_LACKING}", re.IGNORECASE)
"""At least what `_FAILS` and `_LACKS` find: an exception for a zero would be one for every digit among lines of a form."""
_FEW: Final = 2
_CELLS = deferred(r"\s{2,}|\t|\s{0,9}[|\u2502]\s{0,9}")
_WORDS = deferred(r"[A-Za-z_][\w.-]{2,60}")
_SLURM = deferred(r"\s{0,4}(?:slurmstepd|srun|sbatch|scancel)\b")
"""What Slurm says of its steps is of the processes of one program."""
_OF_A_RANK = deferred(
    r"(?:\S{1,40}\s)?(?:\[?rank ?\d{1,6}\]?(?::|\s)|nccl[a-z]\w{4,24}error: |last error:)", re.IGNORECASE
)
"""The front of what a rank of the run or its collective library says: it reports no stages of others."""
_MARKS: Final = deferred(r"[{}\",=]+|(?<!\w)'|'(?!\w)")
_WARNS: Final = deferred(r"(?<![a-z])warn(?:ing)?(?![a-z])", re.IGNORECASE)
_CUE: Final = deferred(
    rb"\b(?:no|not|nothing|wanted|expected|empty|missing|needs?|wants?|0 [a-z]|lacks?|never [a-z]+|skip|block|omit|upstream|drop|withheld|held back|refus|cancel|will not|won't|can never|cannot|can't|did not|didn't|unreachable|unsatisf|pending|abandon|prune|deselect|abort|timed[ _]out)",
    re.IGNORECASE,
)


class _Printed(NamedTuple):
    """A line: where it stands, its text without who speaks, the header in front of its words, and those."""

    start: int
    end: int
    text: str
    front: str
    words: str


def stages(block: Block, reader: LineReader, progress: int) -> Iterator[Draft]:
    """Yield the line that says which stage failed or was handed something it cannot use; `progress` is the offset of the last step.

    A failure and what was not begun for it are of one voice or speak of stages, tasks or jobs, and nothing but the report follows.
    A stage refuses a file by its name that a stage before it speaks of as its own.
    """
    printed = list(_printed(block, reader))
    forms = [form_of_text(each.words) for each in printed]
    if not (_may_report(forms) or (any(map(_MAY_FAIL.may, forms)) and _in_cells(printed))):
        return
    lines = list(_said(printed, forms))[::-1]
    found = _report(lines) or _handed(lines)
    if found is None and (empty := hollow(lines)) is not None:
        found = _draft(STAGE_HOLLOW, empty[0], 0), empty[1]
    if found is not None and block.first_byte(found[1].end) >= progress:
        yield found[0]


def _report(lines: Sequence[Said]) -> tuple[Draft, Said] | None:
    """Find the first failure for which something was not begun, with the last line that says so."""
    failed = [at for at, each in enumerate(lines) if each.failed]
    held = [
        at for at, each in enumerate(lines) if each.held or any(_hangs_on(each, lines[f]) for f in failed if f < at)
    ]
    pairs = [(f, h) for h in held for f in failed if f <= h <= f + _APART and _belong(lines[f], lines[h], f == h)]
    pairs = pairs or [(f, f) for f in failed if listed(lines, f)] or list(tabled(lines))
    pairs = [(f, h) for f, h in pairs if not _mended(lines, f)]
    if (
        not pairs
        or len(lines) - 1 - max(h for _, h in pairs) > _BEHIND
        or _ends_well(lines[max(h for _, h in pairs) :])
    ):
        return None
    at = min(f for f, _ in pairs)
    own = _own_words(lines, at)
    draft = _draft(STAGE_FAILED, lines[at], len({h for _, h in pairs}))
    draft.start = own.start
    if lines[at].start - own.end > _BREAK:
        draft.end = own.end
    return draft, lines[max(h for _, h in pairs)]


def _own_words(lines: Sequence[Said], at: int) -> Said:
    """Return what the stage that failed said itself right above, if it said anything; else what is said of it."""
    above, driver = lines[max(at - 1, 0)], lines[at]
    barren = next((each for each in lines[max(at - _APART, 0) : at] if _barren(each, driver)), None)
    if barren is not None:
        return barren
    near = 0 < driver.start - above.end <= _BREAK
    own = (
        above.voice != driver.voice
        and not (above.cells and above.cells == driver.cells)
        and _KINDS.search(above.words) is None
        and HEADING.pattern.search(above.words) is None
    )
    return above if near and own else driver


def _handed(lines: Sequence[Said]) -> tuple[Draft, Said] | None:
    """Find what the last stages say of a file that an earlier one made, where that is a complaint and nearly the last word."""
    made: dict[str, str] = {}
    stage, begun = "", set[str]()
    found: Said | None = None
    for at, each in enumerate(lines):
        heading = HEADING.pattern.search(each.words)
        if heading is not None:
            stage = next(name for name in heading.groups() if name)
            begun.add(stage)
        found_in = _PATH.finditer(each.words) if _POINT.search(each.words) else ()
        paths = {path["base"].lower() for path in found_in if not _CODE.search(path["base"])}
        foreign = [path for path in paths if made.get(path, stage) != stage]
        if (
            foreign
            and len(begun) > 1
            and not (heading or each.warns)
            and _REFUSED.search(each.words)
            and at >= len(lines) - _BEHIND
        ):
            found = found or each
        if stage and _READ.search(each.words) is None:
            made = dict.fromkeys(paths, stage) | made
    return None if found is None else (_draft(STAGE_HANDED, found, 0), found)


def _barren(said: Said, driver: Said) -> bool:
    """Tell whether a stage, which is not the driver, says that it leaves nothing for the next."""
    return said.voice != driver.voice and not said.warns and _BARREN.search(said.words) is not None


def _draft(name: str, said: Said, held: int) -> Draft:
    captures = {"stage": said.named} if said.named else {}
    return Draft(
        kind=STATEMENT, name=name, start=said.start, end=said.end, captures=captures, numbers={"held": float(held)}
    )


def _printed(block: Block, reader: LineReader) -> Iterator[_Printed]:
    """Yield the last lines, the last one first; none where no cue stands in them."""
    lines = list(from_end(block))
    if not any(_CUE.search(line) for _, line in lines):
        return
    for start, line in lines:
        text = line[reader.speaker(line)[0] :].decode("utf-8", "replace")
        front = text[: message_start(text)]
        words = " ".join(_MARKS.sub(" ", text[len(front) :]).split())
        if words and len(words) <= _LONGEST and any(letter.isalpha() for letter in words):
            yield _Printed(start, start + len(line), text, front, words)


def _in_cells(printed: Sequence[_Printed]) -> bool:
    """Tell whether some lines are rows of a table."""
    return sum(len(_CELLS.findall(each.text)) > 1 for each in printed) > _FEW


def _may_report(forms: Sequence[str]) -> bool:
    """Tell whether lines of such forms may hold a failure and what was not begun for it, or the begins of two stages."""
    if any(map(_MAY_FAIL.may, forms)) and any(each.may(form) for form in forms for each in (_HELD, _STOPS, _DEPENDS)):
        return True
    return sum(map(HEADING.may, forms)) > 1 or any(map(PROCESS.may, forms))


def _said(printed: Sequence[_Printed], forms: Sequence[str]) -> Iterator[Said]:
    """Yield what lines say, whose words have some forms, that are none of Slurm's, and of no traceback."""
    for (start, end, text, front, words), form in zip(printed, forms, strict=True):
        if (
            _SLURM.match(text)
            or _OF_A_RANK.match(text)
            or is_header(text)
            or read_frame(text)
            or read_exception(text, after_frames=False)
        ):
            continue
        letters = "".join(filter(str.isalpha, front))
        named = _NAMED.search(words, form)
        warns = _WARNS.search(text[:_FRONT]) is not None
        held = (_HELD.found(words, form) or _STOPS.found(words, form)) and _OF_COMPONENT.search(
            text[: 4 * _FRONT]
        ) is None
        yield Said(
            start=start,
            end=end,
            words=words,
            voice=(letters + words.split(" ", 1)[0]).lower(),
            front=letters[1:].lower(),
            named=named["name"].rstrip(".-") if named else "",
            failed=_MAY_FAIL.may(form)
            and _AGAIN.search(words) is None
            and (_FAILS.search(words) is not None or (not warns and _LACKS.search(words) is not None)),
            warns=warns,
            cells=tuple(found.end() for found in _CELLS.finditer(text.rstrip()))[:2],
            held=held and OF_DATA.search(words) is None,
        )


def _belong(failed: Said, held: Said, same: bool) -> bool:
    """Tell whether what was not begun is a stage behind the one that failed."""
    speaks = _KINDS.search(held.words) is not None
    if same and _STOPS.pattern.search(held.words):
        return speaks and failed.named != ""
    if same:
        return (speaks or _CODED.search(held.words) is not None) and len(_WORDS.findall(held.words)) > 3
    if len(failed.cells) > 1 and failed.cells == held.cells:
        return True
    kinds = speaks + (_KINDS.search(failed.words) is not None)
    shared = _names(failed) & _names(held) != set()
    return (
        (failed.voice == held.voice and (kinds > 0 or _UNBEGUN.search(held.words) is not None))
        or kinds == 2
        or (shared and (kinds == 1 or _DEPENDS.pattern.search(held.words) is not None or failed.front == held.front))
    )


def _hangs_on(said: Said, failed: Said) -> bool:
    """Tell whether a row of the same voice says that a unit depends on the one that failed."""
    if (
        said.failed
        or said.voice != failed.voice
        or _DEPENDS.pattern.search(said.words) is None
        or WELL.search(said.words)
    ):
        return False
    return len(_names(said) & (_names(failed) - {failed.words.split(" ", 1)[0].lower()})) > 0


def _names(said: Said) -> set[str]:
    return {word.lower() for word in _WORDS.findall(said.words)}


def _mended(lines: Sequence[Said], at: int) -> bool:
    """Tell whether the stage that failed is said to have ended well further down."""
    name = lines[at].named.lower()
    return bool(name) and any(
        each.named.lower() == name and WELL.search(each.words) and not each.failed and not each.held
        for each in lines[at + 1 :]
    )


def _ends_well(lines: Sequence[Said]) -> bool:
    """Tell whether the last lines say that all of it ended well."""
    return any(
        _KINDS.search(each.words)
        and WELL.search(each.words)
        and not (each.failed or each.held or _PARTLY.search(each.words))
        for each in lines[1:]
    )
