"""Settings on the command line that a log shows, and among the arguments a program prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.model.event import COMMAND, Event
from runtriage.model.facts import Setting
from runtriage.model.pattern import deferred
from runtriage.parse.config_lines import line_scalars
from runtriage.parse.config_roles import role_of

_OPTION = deferred(r"(?<!\S)(?:--?([A-Za-z][\w.-]{0,80})(?:=|\s+)|\+{0,2}([A-Za-z_][\w.]{0,80})=)([^\s-][^\s]{0,200})")

_LISTED = deferred(r"""[\[\]'",]+""")
"""Marks around the words of a command that is printed as a list."""


def of_commands(events: Sequence[Event]) -> Iterator[Setting]:
    """Yield the settings of the commands and printed arguments among the events, each once; of arguments also those that no diagnosis asks for.

    A comparison of two runs needs them all, `clip=None` beside `clip=1.0` too. Words of a command line are often no settings.
    """
    seen: set[tuple[str, str]] = set()
    for event in events:
        if event.kind != COMMAND:
            continue
        options = (item for item in _options(event) if role_of(*item) is not None)
        for name, value in (*options, *_arguments(event)):
            if (name, value) not in seen:
                seen.add((name, value))
                yield Setting(name=name, value=value, citation=event.citation, role=role_of(name, value))


def _options(event: Event) -> Iterator[tuple[str, str]]:
    for option in _OPTION.finditer(_LISTED.sub(" ", event.captures.get("command", "")[:8192])):
        yield (option[1] or option[2]).replace("-", "_"), option[3]


def _arguments(event: Event) -> Iterator[tuple[str, str]]:
    for scalar in (
        line_scalars(f"Namespace({event.captures['arguments'][:8192]}".encode())
        if "arguments" in event.captures
        else ()
    ):
        yield scalar.name, scalar.text
