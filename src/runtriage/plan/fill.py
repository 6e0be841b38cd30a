"""Templates of the catalogue, filled with values of the run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from runtriage.model.pattern import deferred

_PLACEHOLDER = deferred(r"\{([a-z_]+)\}")


def fill(template: str, values: Mapping[str, str]) -> str | None:
    """Return the template with every placeholder filled, or None when a value is unknown."""
    if any(not values.get(name) for name in _PLACEHOLDER.findall(template)):
        return None
    return _PLACEHOLDER.sub(lambda found: values[found.group(1)], template)


def fill_command(template: str, values: Mapping[str, str]) -> str | None:
    """Return the command with each value as one word of a shell; only the run's own whole command stands as it is."""
    words = {name: value if name == "command" else shlex.quote(value) for name, value in values.items() if value}
    return fill(template, words)
