"""Choices that come from the config file, and values written as text."""

from __future__ import annotations

from datetime import datetime
from functools import cache

from runtriage.api.config import Config, ConfigError, load_config
from runtriage.cli.errors import CommandError
from runtriage.model.options import Options


@cache
def config() -> Config:
    """Return the user's config, read once. Ends the command where it cannot be used."""
    try:
        return load_config()
    except ConfigError as error:
        raise CommandError(str(error)) from None


def preferred() -> Options:
    """Return the options of a command that has none of its own for them: what the config file says of every diagnosis."""
    return Options(strict_redaction=config().redact.level == "strict")


def instant(text: str) -> float:
    """Return a time with a zone, or seconds since 1970, as seconds since 1970. Ends the command for anything else."""
    try:
        return float(text)
    except ValueError:
        pass
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"--as-of: {text!r} is no time; write it as 2026-05-14T02:00:00Z") from None
    if when.tzinfo is None:
        raise CommandError(f"--as-of: {text!r} has no zone; add Z for UTC or an offset such as +02:00")
    return when.timestamp()
