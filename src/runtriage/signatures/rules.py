"""What a signature file must satisfy beyond its shape, and the value it becomes."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from msgspec.structs import asdict

from runtriage.model.catalogue import Pattern, Signature
from runtriage.model.plan import Fix
from runtriage.model.taxonomy import PRIMARY_CLASSES, modes
from runtriage.signatures.document import FixDocument, SignatureDocument
from runtriage.signatures.error import SignatureError
from runtriage.signatures.regex import required_literal

NO_MATCH = "none"
_LISTED = "runtriage signatures fixes lists them"


def signature_of(file: str, folder: str, document: SignatureDocument, fixes: Collection[str]) -> Signature:
    """Check a file against everything but the texts of its examples. Raises SignatureError at the first fault."""
    _check_identity(file, folder, document)
    _check_claims(file, document, fixes)
    _check_examples(file, document)
    return Signature(
        id=document.id,
        title=document.title,
        mode=document.mode,
        role=document.role,
        maturity=document.maturity,
        patterns=tuple(
            _pattern(file, f"match.{index}.pattern", match.name, match.pattern, match.ignore_case)
            for index, match in enumerate(document.match)
        ),
        explain=document.explain,
        fixes=tuple(document.fixes),
        frameworks=tuple(document.frameworks),
        references=tuple(document.references),
        false_positives=tuple(document.false_positives),
        tier=document.tier,
        scope=document.scope,
        clears=tuple(
            _pattern(file, f"clears.{index}", f"clear-{index + 1}", regex, False)
            for index, regex in enumerate(document.clears)
        ),
        checked=document.checked,
    )


def fixes_of(file: str, document: FixDocument) -> list[Fix]:
    """Turn a file of remedies into values. Raises SignatureError."""
    found: list[Fix] = []
    for index, table in enumerate(document.fix):
        if "{" in table.action and not table.plain:
            raise SignatureError(file, f"fix.{index}.plain", "is needed where the action holds a placeholder")
        found.append(Fix(**asdict(table)))
    return found


def _pattern(file: str, key: str, name: str, regex: str, ignore_case: bool) -> Pattern:
    try:
        return Pattern(name=name, regex=regex, ignore_case=ignore_case, literal=required_literal(regex, ignore_case))
    except ValueError as error:
        raise SignatureError(file, key, str(error)) from None


def _check_identity(file: str, folder: str, document: SignatureDocument) -> None:
    mode = modes().get(document.mode)
    if mode is None:
        raise SignatureError(file, "mode", f"{document.mode} is not a failure mode")
    if not document.id.startswith(f"{document.mode}."):
        raise SignatureError(file, "id", f"must be {document.mode} followed by a dot and a variant")
    if folder in PRIMARY_CLASSES and folder != mode.primary_class:
        raise SignatureError(file, "mode", f"belongs to {mode.primary_class}, not to the folder {folder}")


def _check_claims(file: str, document: SignatureDocument, fixes: Collection[str]) -> None:
    if not document.checked and document.maturity != "sandbox":
        raise SignatureError(file, "maturity", "must be sandbox until `checked` names a program and its version")
    unknown = [fix for fix in document.fixes if fix not in fixes]
    if unknown:
        near = get_close_matches(unknown[0], fixes, n=1, cutoff=0.7)
        meant = f"did you mean {near[0]}? " if near else ""
        raise SignatureError(file, "fixes", f"{unknown[0]} is no fix; {meant}{_LISTED}")
    if document.role == "cause" and not 2 <= len(document.fixes) <= 4:
        raise SignatureError(file, "fixes", f"a cause names two to four; {_LISTED}")


def _check_examples(file: str, document: SignatureDocument) -> None:
    names = [match.name for match in document.match]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise SignatureError(file, "match", f"two patterns are called {twice[0]}")
    expected = [example.expect for example in document.example]
    for index, example in enumerate(document.example):
        if example.expect not in (*names, NO_MATCH):
            raise SignatureError(file, f"example.{index}.expect", f"{example.expect} is no pattern of this file")
        if example.expect == NO_MATCH and not example.why:
            raise SignatureError(file, f"example.{index}.why", "must say why the text is something else")
    for name in (*names, NO_MATCH):
        if name not in expected:
            what = "look-alike that must not match" if name == NO_MATCH else f"example for the pattern {name}"
            raise SignatureError(file, "example", f"there is no {what}")
