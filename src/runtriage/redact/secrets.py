"""Everything that is taken out at every level."""

from __future__ import annotations

from typing import Final

from runtriage.redact.calls import without_calls
from runtriage.redact.cells import without_cells
from runtriage.redact.commands import without_commands
from runtriage.redact.fields import without_fields
from runtriage.redact.keys import without_private_keys
from runtriage.redact.manifest import without_manifests
from runtriage.redact.nested import without_nested
from runtriage.redact.paired import without_paired
from runtriage.redact.passfile import without_passfile
from runtriage.redact.rows import without_rows
from runtriage.redact.sentences import without_sentences
from runtriage.redact.spread import without_spread
from runtriage.redact.terminal import folded, plain, spelled
from runtriage.redact.tokens import without_tokens
from runtriage.redact.urls import without_spoken, without_url_secrets

_ROUNDS: Final = 8


class Unstable(ValueError):
    """Replacing secrets in a text went on uncovering more; it cannot be trusted to be clean."""


def without_secrets(text: str) -> str:
    """Return the text free of secrets, terminal escapes and invisible characters; the number of lines stays.

    What one rule leaves may be what another looks for, so the rules run until nothing changes. Raises `Unstable` when that
    does not end, ValueError for entities of HTML within each other without end.
    """
    text = spelled(plain(text))
    if text.isascii():
        return _settled(text)
    text = _settled(text)
    ascii_text = folded(text)
    cleaned = _settled(ascii_text)
    return text if cleaned == ascii_text else cleaned


def _settled(text: str) -> str:
    for _ in range(_ROUNDS):
        cleaned = _once(text)
        if cleaned == text:
            return cleaned
        text = cleaned
    raise Unstable


def _once(text: str) -> str:
    text = without_manifests(without_url_secrets(without_fields(without_tokens(without_private_keys(text)))))
    text = without_cells(without_calls(without_passfile(without_rows(text))))
    text = without_spread(without_spoken(without_nested(without_paired(text))))
    return without_sentences(without_commands(text))
