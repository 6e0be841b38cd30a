"""Schemes of targets that installed packages offer."""

from __future__ import annotations

from typing import Final

from runtriage.model.offers import offers

ENTRY_POINTS: Final = "runtriage.targets"


def offered(scheme: str) -> str | None:
    """Return the module whose `open_target(spec)` opens a scheme, None where no package offers it.

    The name of the entry point is the scheme. Asked only about schemes that this package does not know.
    """
    found = [entry.value for entry in offers(ENTRY_POINTS) if entry.name == scheme.lower()]
    return sorted(found)[0] if found else None
