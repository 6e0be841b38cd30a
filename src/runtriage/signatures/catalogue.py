"""Loads every signature and fix into one value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from runtriage.model.catalogue import Catalogue, Signature
from runtriage.model.plan import Fix
from runtriage.model.target import Cache
from runtriage.signatures import snapshot
from runtriage.signatures.error import SignatureError
from runtriage.signatures.sources import FIXES, SourceFile, source_files
from runtriage.version import __version__

if TYPE_CHECKING:
    from runtriage.signatures.document import SignatureDocument

MATURITIES: Final = ("sandbox", "incubating", "stable")
_SNAPSHOT_FORMAT: Final = 2


class Entry(Struct, frozen=True):
    """One signature file: where it lies, what it says and the value it became."""

    label: str
    document: SignatureDocument
    signature: Signature


def load(folders: Sequence[Path] = (), cache: Cache | None = None) -> Catalogue:
    """Return the packaged signatures, those of installed packages and those in `folders`. Raises SignatureError.

    With a cache a catalogue whose files kept their sizes and times is not parsed again.
    """
    files = source_files(folders)
    if cache is None:
        return _catalogue(files)
    stamps = "".join(f"{file.place}\0{file.size}\0{file.modified}\n" for file in files)
    key = sha256(f"{_SNAPSHOT_FORMAT}\0{__version__}\0{stamps}".encode(errors="surrogateescape")).hexdigest()
    name = f"signatures-{key[:32]}.json"
    stored = cache.load(name)
    catalogue = snapshot.decode(stored) if stored is not None else None
    if catalogue is None:
        catalogue = _catalogue(files)
        cache.save(name, snapshot.encode(catalogue))
    return catalogue


def entries(files: Iterable[SourceFile], fixes: dict[str, Fix]) -> list[Entry]:
    """Read and validate signature files, ordered by id. Raises SignatureError."""
    from runtriage.signatures.document import read_signature
    from runtriage.signatures.rules import signature_of

    found: dict[str, Entry] = {}
    for file in files:
        if file.folder == FIXES:
            continue
        document = read_signature(file.label, file.content())
        signature = signature_of(file.label, file.folder, document, fixes)
        if signature.id in found:
            raise SignatureError(file.label, "id", f"{signature.id} is taken by {found[signature.id].label}")
        found[signature.id] = Entry(file.label, document, signature)
    return [found[name] for name in sorted(found)]


def read_all_fixes(files: Iterable[SourceFile]) -> dict[str, Fix]:
    """Read every file of remedies, ordered by id. Raises SignatureError."""
    from runtriage.signatures.document import read_fixes
    from runtriage.signatures.rules import fixes_of

    found: dict[str, Fix] = {}
    for file in files:
        if file.folder != FIXES:
            continue
        for fix in fixes_of(file.label, read_fixes(file.label, file.content())):
            if fix.id in found:
                raise SignatureError(file.label, "id", f"the fix {fix.id} is defined twice")
            found[fix.id] = fix
    return dict(sorted(found.items()))


def mode_maturity(catalogue: Catalogue) -> dict[str, str]:
    """Return for every mode a signature can find the maturity of the most mature one."""
    best: dict[str, str] = {}
    for signature in catalogue.signatures.values():
        known = best.get(signature.mode, MATURITIES[0])
        best[signature.mode] = max(known, signature.maturity, key=MATURITIES.index)
    return dict(sorted(best.items()))


def _catalogue(files: Sequence[SourceFile]) -> Catalogue:
    fixes = read_all_fixes(files)
    signatures = {entry.signature.id: entry.signature for entry in entries(files, fixes)}
    digest = sha256()
    for content in sorted(sha256(file.content()).digest() for file in files):
        digest.update(content)
    return Catalogue(signatures, fixes, digest.hexdigest())
