"""The catalogue, read and compiled once for many diagnoses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from runtriage.model.catalogue import Catalogue
from runtriage.model.target import Cache
from runtriage.scan import Rules, compile_rules
from runtriage.signatures import load


class Prepared(Struct):
    """Signatures ready for any number of runs, in one process. `rules` is None until a log is met that calls for them."""

    catalogue: Catalogue
    rules: Rules | None = None


def prepare(signatures: Sequence[Path] = (), cache: Cache | None = None, *, compile: bool = False) -> Prepared:
    """Read the catalogue and, with `compile`, its patterns. Raises SignatureError."""
    catalogue = load(signatures, cache)
    return Prepared(catalogue, compile_rules(catalogue, cache) if compile else None)
