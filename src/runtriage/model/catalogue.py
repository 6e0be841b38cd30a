"""The shape of the failure-signature catalogue after loading."""

from __future__ import annotations

from msgspec import Struct

from runtriage.model.plan import Fix


class Pattern(Struct, frozen=True, kw_only=True):
    """One regular expression of a signature.

    `regex` is Python syntax within what Hyperscan also accepts (no look-around, no back-references, no `^`, `$` or trailing `.*`);
    `literal` is a string every match contains (compare it without case where `ignore_case` holds), used to gate slow paths.
    """

    name: str
    regex: str
    ignore_case: bool = False
    literal: str = ""


class Signature(Struct, frozen=True, kw_only=True):
    """What one text means. `role` is cause, symptom, confirmation, advice or context; `maturity` sandbox, incubating or stable."""

    id: str
    title: str
    mode: str
    role: str
    maturity: str
    patterns: tuple[Pattern, ...]
    explain: str
    fixes: tuple[str, ...]
    frameworks: tuple[str, ...] = ()
    """Frameworks it is limited to; empty means any."""
    references: tuple[str, ...] = ()
    false_positives: tuple[str, ...] = ()
    tier: str = "log"
    """Trust tier of a match: kernel, scheduler, exception, exit, recorder, log, launcher."""
    scope: str = "rank"
    """Whom a match concerns: rank, node or job."""
    clears: tuple[Pattern, ...] = ()
    """Texts that, later on the same rank, show it recovered."""
    checked: str = ""
    """Program and version whose output or source the text was checked against; empty means it was not."""


class Catalogue(Struct, frozen=True):
    """All signatures and fixes by id, and a hash of the files they came from; `faults` tells of files that were left out, each in one line."""

    signatures: dict[str, Signature]
    fixes: dict[str, Fix]
    digest: str
    faults: tuple[str, ...] = ()
