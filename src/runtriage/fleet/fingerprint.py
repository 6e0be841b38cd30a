"""What is the same about two runs that failed in the same way."""

from __future__ import annotations

import hashlib
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.model.report import Report

_VARYING: Final = deferred(r"0x[0-9a-f]+|(?:/[\w.@+-]+){2,}|\d+(?:[.:,]\d+)*|\b[0-9a-f]{8,}\b")
"""Addresses, paths, numbers and hashes: what differs between two runs that fail alike."""


def fingerprint(report: Report) -> str | None:
    """Return `<failure mode> <twelve hexadecimal digits>`, the same for roots that differ only in numbers, paths and hashes.

    None where no root is known.
    """
    if report.failure_mode is None or not report.evidence:
        return None
    alike = _VARYING.sub("#", report.evidence[0].claim)
    digest = hashlib.sha256(f"{report.failure_mode}\0{alike}".encode(errors="replace")).hexdigest()
    return f"{report.failure_mode} {digest[:12]}"
