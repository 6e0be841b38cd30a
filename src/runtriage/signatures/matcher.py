"""Which signatures claim a text, found with `re` alone: the slow reading the fast engine must agree with."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from runtriage.model.catalogue import Pattern, Signature


class Claim(Struct, frozen=True):
    """One pattern of one signature found in a text, with its named groups."""

    signature: str
    pattern: str
    captures: dict[str, str]


class Matcher:
    """The patterns of some signatures, compiled."""

    def __init__(self, signatures: Iterable[Signature]) -> None:
        self._rules = [
            (signature.id, pattern, compiled(pattern)) for signature in signatures for pattern in signature.patterns
        ]

    def claims(self, text: str) -> list[Claim]:
        """Return the first match of every pattern that occurs within one line of the text."""
        found: dict[tuple[str, str], Claim] = {}
        for line in text.encode(errors="surrogateescape").split(b"\n"):
            lowered = line.lower()
            for signature, pattern, regex in self._rules:
                if pattern.literal.encode() not in (lowered if pattern.ignore_case else line):
                    continue
                match = regex.search(line)
                if match:
                    found.setdefault((signature, pattern.name), Claim(signature, pattern.name, _captures(match)))
        return [found[key] for key in sorted(found)]


def compiled(pattern: Pattern) -> re.Pattern[bytes]:
    """Compile for bytes, as the log engine confirms matches."""
    return re.compile(pattern.regex.encode(), re.IGNORECASE if pattern.ignore_case else 0)


def _captures(match: re.Match[bytes]) -> dict[str, str]:
    return {name: value.decode(errors="replace") for name, value in match.groupdict().items() if value is not None}
