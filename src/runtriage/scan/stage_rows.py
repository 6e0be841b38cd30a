"""What rows of a driver tell of its units: how each ended, and which brought nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from runtriage.model.pattern import deferred
from runtriage.scan.alike import Alike

KIND: Final = (
    r"(?:sub-?)?(?:stages?|steps?(?!\W{0,3}\d+(?![\d/]))|tasks?|jobs?|nodes?|units?|components?|ops?|operators?|rules?|targets?|phases?|pipelines?|workflows?|flows?|dags?"
    r"|graphs?|assets?|sweeps?|cells?|dependenc(?:y|ies)|upstream|downstream|prerequisites?|predecessors?|dependents?|consumers?)"
)
_LAST: Final = 6
"""Lines at the end in which a later stage refuses."""
_ROW, _UNITS = 8, 2
"""Words of a line by which a driver tells how a unit ended, and units of which it said before that they ended well."""
WELL = deferred(
    r"(?<![a-z])(?:ok|done|succeeded|success(?:ful(?:ly)?)?|completed|finished|passed|recovered|green)(?![a-z])|[\u2713\u2714\u2705]",
    re.IGNORECASE,
)
HEADING = Alike(
    rf"^\W{{0,8}}(?:\[[\w.-]{{1,30}}\]\W{{0,3}})?(?:(?:running|starting|start|begin|enter(?:ing)?) )?{KIND}\W{{1,4}}(?:\d{{1,3}}(?:/\d{{1,3}})?\W{{1,3}})?(?P<kind>[A-Za-z][\w.-]{{1,60}})\W{{0,6}}$"
    r"|^\W{0,8}(?:\[[\w.-]{1,30}\]\W{0,3})?\d{1,3}/\d{1,3}\W{1,4}(?P<count>[A-Za-z][\w.-]{1,60})\W{0,6}$"
    r"|^(?:\+{1,3} |\$ |> |# )?(?:\S{0,80}/)?(?:python[\d.]{0,4}|bash|sh|Rscript|julia|perl) (?:-\w{1,3} )?(?P<script>[\w./-]{1,120})(?= |$)"
    r"|^<(?P<task>[\w.-]{1,60})> (?:start|begin|running)",
    re.IGNORECASE,
)
"""How the begin of a stage is announced: by its kind and name, by its number, or by the command that is run."""
OF_DATA = deferred(
    r"(?<![a-z])(?:skipp(?:ed|ing)|dropp(?:ed|ing)|skip|cancell?(?:ed|ing)|refus(?:ed|es|ing)|blocked|abandon(?:ed|ing))\W{1,3}(?:(?:\d[\d,]*|the|this|these|bad|corrupt\w*|invalid|empty|optional|its|an?|of|to|all|remaining|first|last|until|\w+ed)\W{1,2}){0,4}"
    r"(?:batch\w*|samples?|rows?|records?|images?|files?|examples?|lines?|updates?|steps? \d|optimi[sz]er|checkpoints?|saves?|sav\w+|validation|evaluation at|tests?|tokens?|epochs?|layers?|param\w*|entr(?:y|ies)|documents?|columns?|connections?|packets?|requests?|frames?|clips?|urls?|downloads?|uploads?|compil\w+|optional|warm-?up|plot\w*|logging)(?![a-z])"
    r"|(?<![\w.])\d[\d,]* (?:of (?:the )?\d[\d,]* )?(?:\w+ )?(?:steps|updates|batch\w*|samples|rows|records|images|files|examples|lines|tokens|documents|frames|clips) (?:were |was |are |is |have been )?(?:skipp|dropp|left out|passed over|refus|cancel)"
    r"|(?<![a-z])(?:tests?|pytest|unittest|xfail\w*|expected|assert\w*|cached?|caching|up[- ]to[- ]date|unchanged|didn't change|did not change|already|exists|disabled|optional|allow\w* (?:to )?fail\w*|dry[- ]run|not requested|by request|condition|warm|retry\w*|try again)(?![a-z])",
    re.IGNORECASE,
)
"""What is left out of work that goes on, or on purpose."""
_NOTHING = deferred(
    r"(?<![a-z])(?:return|yield|fetch|found|got|writ|wrote|produc|ke[ep]pt|match|select|export|made|left|load|contain|holds?|has)\w* (?:\w+ ){0,2}(?:0|no) (?:(?!new )\w+ )?(?:rows?|records?|files?|lines?|samples?|examples?|documents?|images?|tokens?|items?|results?|data|entries|events?|pairs?|sentences?|clips?|frames?|shards?|partitions?)(?![\w.])",
    re.IGNORECASE,
)
"""What a stage says that brought nothing, and may not know that it failed."""
_TURNED_DOWN = deferred(
    r"(?<![a-z])(?:refus(?:ed|es|ing)|reject(?:ed|s|ing)|withheld|held back|blocked|not (?:promot|releas|publish|deploy|ship)\w*)(?![a-z])",
    re.IGNORECASE,
)
"""What a gate says at the end of a pipeline."""
PROCESS = Alike(
    r"(?<![a-z])(?:exit(?:ed)?|rc|return(?:ed)?)(?: (?:with|code|status)){0,2}\W{1,3}[1-9]\d{0,2}\W{0,2}$",
    re.IGNORECASE,
)


class Said(NamedTuple):
    """A line of a driver: where it stands, its words, who speaks, and what it says of a stage."""

    start: int
    end: int
    words: str
    voice: str
    front: str
    named: str
    failed: bool
    held: bool
    warns: bool
    cells: tuple[int, ...]
    """Where the cells of a row of a table begin, as far as it has any."""


def listed(lines: Sequence[Said], at: int) -> bool:
    """Tell whether a driver, which told above that other units ended well, gives the code of a process with which one ended."""
    driver = lines[at]
    if not driver.front or len(driver.words.split()) > _ROW or PROCESS.pattern.match(_verdict(driver)) is None:
        return False
    others = [each for each in lines[:at] if each.front == driver.front and WELL.match(_verdict(each))]
    return len({_unit(each) for each in others} - {_unit(driver)}) >= _UNITS


def _verdict(said: Said) -> str:
    """Return what follows the first word of a line."""
    return said.words.partition(" ")[2]


def _unit(said: Said) -> str:
    return said.words.partition(" ")[0].rstrip(":").lower()


def tabled(lines: Sequence[Said]) -> Iterator[tuple[int, int]]:
    """Yield the first row of a table of units that ended badly, with each row below it, where rows above it ended well and all below badly."""
    tables: dict[tuple[int, ...], list[int]] = {}
    for at, each in enumerate(lines):
        if len(each.cells) > 1:
            tables.setdefault(each.cells, []).append(at)
    for rows in tables.values():
        first = next((index for index, at in enumerate(rows) if lines[at].failed and not _is_well(lines[at])), 0)
        behind = rows[first + 1 :]
        apart = len({_unit(lines[at]) for at in rows}) == len(rows)
        verdict = _verdict(lines[rows[first]]).split()[:1]
        worse = apart and behind and all(lines[at].failed for at in behind)
        worse = worse and all(_verdict(lines[at]).split()[:1] != verdict for at in behind)
        if worse and any(_is_well(lines[at]) for at in rows[:first]):
            yield from ((rows[first], at) for at in behind)


def _is_well(said: Said) -> bool:
    return WELL.match(_verdict(said)) is not None


def hollow(lines: Sequence[Said]) -> tuple[Said, Said] | None:
    """Find what a stage says of having brought nothing, where its driver went on and a later stage refuses in the last lines."""
    begun: list[str] = []
    empty: tuple[Said, str] | None = None
    for at, each in enumerate(lines):
        heading = HEADING.pattern.search(each.words)
        if heading is not None:
            begun.append(next(name for name in heading.groups() if name))
        elif begun and empty is None and _NOTHING.search(each.words) and OF_DATA.search(each.words) is None:
            empty = (each, begun[-1])
        elif (
            empty is not None
            and empty[1] not in begun[-1:]
            and at >= len(lines) - _LAST
            and _TURNED_DOWN.search(each.words)
            and OF_DATA.search(each.words) is None
        ):
            return empty[0], each
    return None
