"""Settings on the command line that a log shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runtriage.model.event import COMMAND, Event
from runtriage.model.facts import Setting
from runtriage.model.pattern import deferred
from runtriage.parse.config_roles import role_of

_OPTION = deferred(r"(?<!\S)(?:--?([A-Za-z][\w.-]{0,80})(?:=|\s+)|\+{0,2}([A-Za-z_][\w.]{0,80})=)([^\s-][^\s]{0,200})")

_LISTED = deferred(r"""[\[\]'",]+""")
"""Marks around the words of a command that is printed as a list."""


def of_commands(events: Sequence[Event]) -> Iterator[Setting]:
    """Yield the settings of the commands among the events, each once."""
    seen: set[tuple[str, str]] = set()
    for event in events:
        if event.kind != COMMAND:
            continue
        for option in _OPTION.finditer(_LISTED.sub(" ", event.captures.get("command", "")[:8192])):
            name, value = (option[1] or option[2]).replace("-", "_"), option[3]
            role = role_of(name, value)
            if role is not None and (name, value) not in seen:
                seen.add((name, value))
                yield Setting(name=name, value=value, citation=event.citation, role=role)
