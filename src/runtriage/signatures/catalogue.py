"""Loads every signature and fix into one value."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from runtriage.model.catalogue import Catalogue, Signature
from runtriage.model.plan import Fix
from runtriage.model.target import Cache
from runtriage.signatures import snapshot
from runtriage.signatures.error import SignatureError, SignatureWarning
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


class Files(NamedTuple):
    """What files of signatures held: signatures by id in order, fixes by id in order, and what is wrong with the files that cannot be used."""

    entries: list[Entry]
    fixes: dict[str, Fix]
    faults: list[SignatureError]


def load(folders: Sequence[Path] = (), cache: Cache | None = None) -> Catalogue:
    """Return the packaged signatures, those of installed packages and those in `folders`. Raises SignatureError for what is no folder.

    A file that cannot be used is left out, with one SignatureWarning for all of them: a draft must not stop a diagnosis. With a cache a catalogue whose files kept their sizes and times is not parsed again.
    """
    files = source_files(folders)
    catalogue = _catalogue(files) if cache is None else _kept(files, cache)
    warn(catalogue.faults)
    return catalogue


def warn(faults: Sequence[str]) -> None:
    """Tell of files that were left out, if there are any."""
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        warnings.warn(SignatureWarning(f"signature left out: {faults[0]}{more}"), stacklevel=2)


def _kept(files: Sequence[SourceFile], cache: Cache) -> Catalogue:
    stamps = "".join(f"{file.place}\0{file.size}\0{file.modified}\n" for file in files)
    key = sha256(f"{_SNAPSHOT_FORMAT}\0{__version__}\0{stamps}".encode(errors="surrogateescape")).hexdigest()
    name = f"signatures-{key[:32]}.json"
    stored = cache.load(name)
    catalogue = snapshot.decode(stored) if stored is not None else None
    if catalogue is None:
        catalogue = _catalogue(files)
        cache.save(name, snapshot.encode(catalogue))
    return catalogue


def read_files(files: Iterable[SourceFile]) -> Files:
    """Read and validate every file that can be used; the others are the faults, in the order of the files."""
    everything = list(files)
    faults: list[SignatureError] = []
    fixes = _fixes([file for file in everything if file.folder == FIXES], faults)
    found = _entries([file for file in everything if file.folder != FIXES], fixes, faults)
    return Files(found, fixes, faults)


def _entries(files: Iterable[SourceFile], fixes: dict[str, Fix], faults: list[SignatureError]) -> list[Entry]:
    from runtriage.signatures.document import read_signature
    from runtriage.signatures.rules import signature_of

    found: dict[str, Entry] = {}
    for file in files:
        try:
            document = read_signature(file.label, file.content())
            signature = signature_of(file.label, file.folder, document, fixes)
            if signature.id in found:
                raise SignatureError(file.label, "id", f"{signature.id} is taken by {found[signature.id].label}")
        except SignatureError as error:
            faults.append(error)
        else:
            found[signature.id] = Entry(file.label, document, signature)
    return [found[name] for name in sorted(found)]


def _fixes(files: Iterable[SourceFile], faults: list[SignatureError]) -> dict[str, Fix]:
    from runtriage.signatures.document import read_fixes
    from runtriage.signatures.rules import fixes_of

    found: dict[str, Fix] = {}
    for file in files:
        try:
            read = {fix.id: fix for fix in fixes_of(file.label, read_fixes(file.label, file.content()))}
            for name in read.keys() & found.keys():
                raise SignatureError(file.label, "id", f"the fix {name} is defined twice")
        except SignatureError as error:
            faults.append(error)
        else:
            found |= read
    return dict(sorted(found.items()))


def mode_maturity(catalogue: Catalogue) -> dict[str, str]:
    """Return for every mode a signature can find the maturity of the most mature one."""
    best: dict[str, str] = {}
    for signature in catalogue.signatures.values():
        known = best.get(signature.mode, MATURITIES[0])
        best[signature.mode] = max(known, signature.maturity, key=MATURITIES.index)
    return dict(sorted(best.items()))


def _catalogue(files: Sequence[SourceFile]) -> Catalogue:
    read = read_files(files)
    signatures = {entry.signature.id: entry.signature for entry in read.entries}
    faults = tuple(map(str, read.faults))
    digest = sha256("\n".join(faults).encode(errors="surrogateescape"))
    for content in sorted(map(_digest, files)):
        digest.update(content)
    return Catalogue(signatures, read.fixes, digest.hexdigest(), faults)


def _digest(file: SourceFile) -> bytes:
    try:
        return sha256(file.content()).digest()
    except SignatureError:
        return b""
