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
    """Yield the settings of the commands and printed arguments among the events, each once."""
    seen: set[tuple[str, str]] = set()
    for event in events:
        if event.kind != COMMAND:
            continue
        for name, value in (*_options(event), *_arguments(event)):
            role = role_of(name, value)
            if role is not None and (name, value) not in seen:
                seen.add((name, value))
                yield Setting(name=name, value=value, citation=event.citation, role=role)


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
