"""Whole documents: what leaves under the strict level is treated in one pass, in the order in which it is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from runtriage.model.pattern import deferred
from runtriage.redact.door import clean
from runtriage.redact.policy import Policy
from runtriage.redact.pseudonyms import Pseudonyms

_PATHS: Final = frozenset({"artifact", "path", "target"})
_VERBATIM: Final = frozenset(
    {
        "sha256",
        "schema",
        "schema_version",
        "run_id",
        "timestamp",
        "pointer",
        "version",
        "id",
        "fix",
        "mode",
        "failure_mode",
    }
)

_NAMES: Final = frozenset({"run_id", "id", "schema_version", "version"})
"""Of these, those that a document of the run gives itself: left as they are only where they are plain words."""
_PLAIN: Final = deferred(r"[\w.:@/+#-]{0,300}")


def clean_document(document: object, policy: Policy) -> object:
    """Return a JSON-like document with every string cleaned; keys say what some strings are (`artifact`, `node`, `pod`).

    The document is walked twice, so that a name which only its second mention gives away is replaced in the first one too.
    """
    if policy.names is None:
        return _walk(document, "", policy)
    for key, text in _strings(document):
        policy.names.reserve(text)
        if key in _PATHS:
            _know_file(text, policy.names)
    return _walk(_walk(document, "", policy), "", policy)


def _walk(value: object, key: str, policy: Policy) -> object:
    if isinstance(value, str):
        kept = key in _VERBATIM and (key not in _NAMES or _PLAIN.fullmatch(value))
        return value if kept else _text(value, key, policy)
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return {_named(name): _walk(member, name, policy) for name, member in members.items()}
    if isinstance(value, list | tuple):
        return [_walk(member, key, policy) for member in cast("list[object]", value)]
    return value


def _named(key: str) -> str:
    """Return the key of a member, cleaned where it is no plain word: a run may name its stages as it likes."""
    return key if _PLAIN.fullmatch(key) else clean(key)


def _text(value: str, key: str, policy: Policy) -> str:
    names = policy.names
    if names is None or not value:
        return clean(value, policy)
    if key == "node":
        from runtriage.redact.hosts import host_label

        return host_label(clean(value), names)
    if key == "pod":
        return names.label("pod", clean(value))
    return _place(clean(value), names, policy) if key in _PATHS else clean(value, policy)


def _place(value: str, names: Pseudonyms, policy: Policy) -> str:
    if "://" in value or "@" in value or " " in value or ":" in value:
        return clean(value, policy)
    from runtriage.redact.places import path_label

    return path_label(value, names)


def _know_file(path: str, names: Pseudonyms) -> None:
    """Have the name of an artifact replaced also where a sentence mentions it without its folder."""
    from runtriage.redact.places import says_nothing

    name = path.rpartition("/")[2]
    if name and not says_nothing(name):
        names.know("file", name)


def _strings(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, member in cast("dict[str, object]", value).items():
            yield from _strings(member, name)
    elif isinstance(value, list | tuple):
        for member in cast("list[object]", value):
            yield from _strings(member, key)
