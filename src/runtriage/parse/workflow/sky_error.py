"""Why a question to `sky` got no usable answer."""

from __future__ import annotations

import re
from typing import Final

from runtriage.model.pattern import deferred

_KINDS: Final = tuple(
    (code, category, deferred(pattern, re.IGNORECASE))
    for code, category, pattern in (
        (
            "LIVE_IDENTITY_MISMATCH",
            "IDENTITY",
            r"identity\s?mismatch|ClusterOwnerIdentity|is owned by account|different (?:user|identity|principal)|credential files changed",
        ),
        (
            "DNS_RESOLUTION_FAILED",
            "DNS",
            r"name or service not known|getaddrinfo|name resolution|no such host|NameResolutionError",
        ),
        (
            "LIVE_QUERY_TIMEOUT",
            "TIMEOUT",
            r"timed? ?out|did not answer (?:within|in time)|had not sent all of its answer|deadline exceeded",
        ),
        ("LIVE_QUERY_FORBIDDEN", "RBAC", r"\bforbidden\b|\b403\b|permission denied|access denied"),
        (
            "LIVE_QUERY_AUTHENTICATION_FAILED",
            "AUTHENTICATION",
            r"unauthori[sz]ed|\b401\b|authentication|expired token|not logged in|does not know whose jobs",
        ),
        ("LIVE_CONTEXT_MISMATCH", "CONTEXT", r"context [^\n]{0,80}(?:not found|does not exist)|no such context"),
        (
            "LIVE_CONTROLLER_UNREACHABLE",
            "CONTROLLER",
            r"not installed|cannot be started|connection refused|unreachable|cannot be reached|controller[^\n]{0,60}(?:not up|stopped|down|not found)|ClusterNotUp|ApiServerConnectionError",
        ),
    )
)


def sky_error(text: str) -> tuple[str, str]:
    """Return the error code and its category for what `sky` printed or did instead of answering."""
    for code, category, pattern in _KINDS:
        if pattern.search(text):
            return code, category
    return "LIVE_VERIFICATION_FAILED", "PROVIDER"
