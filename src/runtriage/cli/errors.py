"""Faults that end a command: one line for the user and an exit code."""

from __future__ import annotations

from runtriage.model.exit_code import USAGE


class CommandError(Exception):
    """Ends the command with `runtriage: MESSAGE` on standard error and the exit code `code`."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


def choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    """Return the value, or end the command with a list of those that are allowed."""
    if value in allowed:
        return value
    from difflib import get_close_matches

    near = get_close_matches(value, allowed, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise CommandError(f"{name}: {value!r} is not known{hint}; it may be {', '.join(allowed)}")
