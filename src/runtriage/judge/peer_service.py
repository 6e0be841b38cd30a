"""A request that failed because the process it went to was gone: the error names the host, the host's own log says why."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.finding import Match
from runtriage.model.pattern import deferred
from runtriage.model.verdict import Incident

_UNANSWERED: Final = deferred(
    r"connection (?:refused|reset|aborted|closed)|max retries exceeded|failed to establish|(?:server|remote end) (?:disconnected|closed)"
    r"|cannot connect|connect call failed|failed to connect|unavailable|name or service not known|broken pipe|no route to host",
    re.IGNORECASE,
)
"""What clients say of a server that is not there (errno 104, 107, 110, 111, 113; urllib3, aiohttp, httpx, gRPC)."""
_HOST: Final = deferred(r"(?<![\w.-])[a-z0-9](?:[a-z0-9-]{1,62})(?:\.[a-z0-9-]{1,63}){0,6}(?![\w-])")
_LEAST: Final = 5
"""Characters of a name that is told from an ordinary word."""
_NUMBERED: Final = deferred(r"-\d")


def served(cause: Incident, effect: Incident) -> bool:
    """Tell whether an effect is a request that found no server, and a cause the error of the process of that name, in a log of its own.

    A process is known by its pod, whose name begins with that of its host, or by a file named after it (`rollout-0.log`).
    """
    if cause.role != "cause" or cause.attempt != effect.attempt:
        return False
    asked, own = effect.matches[0], cause.matches[0]
    words = asked.captures.get("message", "")
    if (
        _file(asked) == _file(own)
        or _UNANSWERED.search(words) is None
        or _UNANSWERED.search(own.captures.get("message", ""))
    ):
        return False
    return any(_is(own, found[0].partition(".")[0]) for found in _HOST.finditer(words.lower()))


def _is(match: Match, host: str) -> bool:
    """Tell whether the process that a match is about has the name of a host."""
    if len(host) < _LEAST or _NUMBERED.search(host) is None:
        return False
    stem = _file(match).rpartition("/")[2].partition(".")[0].lower()
    named = len(stem) >= _LEAST and _NUMBERED.search(stem) is not None and f"-{stem}-" in f"-{host}-"
    pod, node = match.subject.pod or "", match.subject.node or ""
    return named or f"{pod}-".startswith(f"{host}-") or node.partition(".")[0] == host


def _file(match: Match) -> str:
    return match.evidence[0].citation.artifact
