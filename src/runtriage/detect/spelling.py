"""What a command line holds that its program does not know, and the option that the program's usage offers in its place."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from runtriage.model.event import COMMAND, Event
from runtriage.model.facts import Facts
from runtriage.model.pattern import deferred
from runtriage.model.place import byte_of

_RULE: Final = "cfg/unrecognized-args.main#"
_SAYS: Final[Mapping[str, str]] = {
    "unrecognized": "unknown",
    "click": "unknown",
    "absl": "unknown",
    "required": "required and missing",
    "click-missing": "required and missing",
    "one-argument": "given without its value",
    "ambiguous": "short for more than one option",
}
"""What the patterns of the signature say of what they name."""
_UNKNOWN: Final = "unknown"
_FLAG = deferred(r"(?<![\w-])--?[A-Za-z][\w-]{0,80}")
_NEAR: Final = 0.6
"""Likeness, from 0 to 1, from which one spelling may be meant by another: the default of `difflib`."""


def correction(event: Event, facts: Facts) -> str | None:
    """Return what is wrong with the option that an argument parser names, with the nearest one it offers; None where nothing is known."""
    if not event.name.startswith(_RULE):
        return None
    says, told = _SAYS.get(event.name.removeprefix(_RULE)), event.captures.get("arguments", "")
    if says is None or not told:
        return None
    flags = list(dict.fromkeys(_FLAG.findall(told)))
    if says != _UNKNOWN or not flags:
        return f"{told} is {says}"
    offered = _offered(event, facts)
    return "; ".join(_one(flag, offered) for flag in flags)


def _one(flag: str, offered: list[str]) -> str:
    near = get_close_matches(flag, offered, n=1, cutoff=_NEAR)
    return f"{flag} is unknown, the usage offers {near[0]}" if near else f"{flag} is unknown"


def _offered(event: Event, facts: Facts) -> list[str]:
    """Return the options of the last usage above an event."""
    here = byte_of(event.citation)
    above = [
        other
        for other in facts.events
        if other.kind == COMMAND
        and other.name == "usage"
        and other.citation.artifact == event.citation.artifact
        and byte_of(other.citation) <= here
    ]
    return above[-1].captures.get("options", "").split() if above else []
