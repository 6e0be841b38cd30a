"""The strict level: who and where become ordinals."""

from __future__ import annotations

from runtriage.redact.hosts import without_hosts, without_people
from runtriage.redact.places import without_paths, without_urls
from runtriage.redact.pseudonyms import Pseudonyms


def disguise(text: str, names: Pseudonyms) -> str:
    """Return the text with users, hosts, addresses, buckets and paths replaced by ordinals in order of appearance."""
    text = without_urls(text, names)
    text = without_people(text, names)
    text = without_hosts(text, names)
    return names.known_words(without_paths(text, names))
