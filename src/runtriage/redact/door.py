"""The one door from raw text to clean text."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from runtriage.model.event import Event
from runtriage.model.facts import Setting
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent, RawSetting, RawText
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.table import DataTable
from runtriage.redact.fields import hides
from runtriage.redact.marker import MARKER
from runtriage.redact.policy import DEFAULT, Policy
from runtriage.redact.rows import names_secrets
from runtriage.redact.secrets import without_secrets

EXCERPT_LIMIT: Final = 2_000
"""Characters of an excerpt or capture that are kept."""
_LONGEST: Final = 16_000
_TELLING: Final = deferred(r"pass|pwd|secret|token|credential|private key|api.?key", re.IGNORECASE)
_LONGEST_NAME: Final = 253
"""Characters of the name of a host or pod: DNS and Kubernetes allow no more."""


def clean(text: str, policy: Policy = DEFAULT) -> str:
    """Return text that may leave the tool: no secrets, no terminal control, the same number of lines.

    Cleaning clean text changes nothing. Raises ValueError when the text cannot be made clean; then it must be dropped.
    """
    text = without_secrets(text)
    if policy.names is None:
        return text
    from runtriage.redact.disguise import disguise

    return disguise(text, policy.names)


def clean_below(first: str, text: str, policy: Policy = DEFAULT) -> str:
    """Return lines of a document, cleaned with what its first line says of them where that is the header of a table.

    Raises ValueError as `clean` does.
    """
    if not names_secrets(first):
        return clean(text, policy)
    return clean(f"{first}\n{text}", policy).partition("\n")[2]


def clean_value(name: str, text: str, policy: Policy = DEFAULT) -> str:
    """Return the value of a named field, cleaned; the name alone may say that it is a secret."""
    return MARKER if hides(name, text) else clean(text, policy)


def redact(raw: RawEvent, policy: Policy = DEFAULT) -> Event | None:
    """Return the event in clean text, or None when cleaning failed: then it is dropped, and the caller counts it."""
    try:
        return Event(
            kind=raw.kind,
            name=_short(raw.name, policy),
            citation=raw.citation,
            excerpt=_excerpt(raw.excerpt, raw.above, policy),
            captures={
                name: MARKER if hides(raw.name, text.raw[:_LONGEST]) else _capture(name, text, policy)
                for name, text in raw.captures.items()
            },
            numbers=raw.numbers,
            when=replace(raw.when, text=_short(raw.when.text, policy)) if raw.when else None,
            step=raw.step,
            epoch=raw.epoch,
            subject=_subject(raw.subject, policy),
            count=raw.count,
            last=raw.last,
        )
    except (ValueError, RecursionError):
        return None


def redact_setting(raw: RawSetting, policy: Policy = DEFAULT) -> Setting | None:
    """Return the setting in clean text, or None when cleaning failed."""
    try:
        value = _capture(raw.name, raw.value, policy)
        return Setting(name=_short(raw.name, policy), value=value, citation=raw.citation, role=raw.role)
    except (ValueError, RecursionError):
        return None


def redact_table(table: DataTable, policy: Policy = DEFAULT) -> DataTable:
    """Return a table with the names of its columns in clean text; it holds no other text of the run."""
    columns = tuple(replace(column, name=_name(column.name, policy)) for column in table.columns)
    label = table.label
    if label is not None:
        own = replace(label.column, name=_name(label.column.name, policy))
        label = replace(
            label,
            column=own,
            telling=tuple(_name(name, policy) for name in label.telling),
            nearly=tuple(_name(name, policy) for name in label.nearly),
        )
    return replace(table, columns=columns, label=label)


def _name(text: str, policy: Policy) -> str:
    try:
        return _short(text, policy)
    except (ValueError, RecursionError):
        return MARKER


def _excerpt(text: RawText, above: RawText, policy: Policy) -> str:
    return _cut(clean(_told(text.raw[:_LONGEST], above.raw), policy))


def _told(text: str, above: str) -> str:
    """Return lines without the secrets that the lines above them tell of; those above give no names under the strict level."""
    if _TELLING.search(above) is None:
        return text
    return "\n".join(clean(f"{above}\n{text}").split("\n")[above.count("\n") + 1 :])


def _capture(name: str, text: RawText, policy: Policy) -> str:
    return _cut(clean_value(name, text.raw[:_LONGEST], policy))


def _short(text: str, policy: Policy) -> str:
    # Names of exception types and printed times are plain words in all but hostile logs; no token does without a digit.
    plain = text.isidentifier() and text.isascii() and not any(map(str.isdigit, text))
    return text if plain else clean(text[:EXCERPT_LIMIT], policy)


def _subject(subject: Subject, policy: Policy) -> Subject:
    if subject is NOBODY or not (subject.node or subject.pod or subject.role or subject.gpu):
        return subject
    names = policy.names
    node = subject.node and _called(subject.node)
    pod = subject.pod and _called(subject.pod)
    return replace(
        subject,
        node=names.label("host", node) if names and node else node,
        pod=names.label("pod", pod) if names and pod else pod,
        role=subject.role and _called(subject.role),
        gpu=subject.gpu and _called(subject.gpu),
    )


def _called(name: str) -> str:
    return _cut(clean(name[:EXCERPT_LIMIT]), _LONGEST_NAME)


def _cut(text: str, limit: int = EXCERPT_LIMIT) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
