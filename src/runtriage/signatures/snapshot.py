"""A loaded catalogue as JSON and back, so that a second start need not read every file."""

from __future__ import annotations

import json
from typing import Any

from msgspec import to_builtins

from runtriage.model.catalogue import Catalogue, Pattern, Signature
from runtriage.model.plan import Fix

_LISTS = ("fixes", "frameworks", "references", "false_positives")


def encode(catalogue: Catalogue) -> bytes:
    """Write it down."""
    return json.dumps(
        {
            "digest": catalogue.digest,
            "signatures": [to_builtins(signature) for signature in catalogue.signatures.values()],
            "fixes": [to_builtins(fix) for fix in catalogue.fixes.values()],
        },
        separators=(",", ":"),
    ).encode()


def decode(content: bytes) -> Catalogue | None:
    """Read it again; None for content of another shape."""
    try:
        stored: dict[str, Any] = json.loads(content)
        signatures = [_signature(row) for row in stored["signatures"]]
        fixes = [Fix(**row) for row in stored["fixes"]]
        return Catalogue({s.id: s for s in signatures}, {fix.id: fix for fix in fixes}, stored["digest"])
    except (ValueError, KeyError, TypeError):
        return None


def _signature(row: dict[str, Any]) -> Signature:
    row["patterns"] = tuple(Pattern(**pattern) for pattern in row["patterns"])
    row["clears"] = tuple(Pattern(**pattern) for pattern in row["clears"])
    for key in _LISTS:
        row[key] = tuple(row[key])
    return Signature(**row)
