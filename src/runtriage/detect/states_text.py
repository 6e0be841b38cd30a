"""What the catalogue says about the message of a state."""

from __future__ import annotations

import re
from functools import cache

from runtriage.model.catalogue import Catalogue, Pattern, Signature
from runtriage.model.programs import PROGRAMS
from runtriage.model.taxonomy import modes

_BOUND = 2000


def spoken(message: str, catalogue: Catalogue) -> Signature | None:
    """Return the cause that recognises a message; of several the one whose text comes last, where programs put their conclusion."""
    message = message[-_BOUND:]
    best: tuple[int, Signature] | None = None
    for signature in catalogue.signatures.values():
        if signature.role != "cause" or signature.maturity == "sandbox" or signature.mode not in modes():
            continue
        at = max((_position(pattern, message) for pattern in signature.patterns), default=-1)
        if at >= 0 and (best is None or at > best[0]):
            best = (at, signature)
    return best[1] if best else None


def _position(pattern: Pattern, message: str) -> int:
    if pattern.literal and not pattern.ignore_case and pattern.literal not in message:
        return -1
    last = -1
    for found in _compiled(pattern.regex, pattern.ignore_case).finditer(message):
        last = found.start()
    return last


@cache
def _compiled(regex: str, ignore_case: bool) -> re.Pattern[str]:
    return PROGRAMS.compiled(regex, re.IGNORECASE if ignore_case else 0)
