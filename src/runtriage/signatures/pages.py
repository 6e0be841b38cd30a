"""What the catalogue knows about each failure mode, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from runtriage.model.page import Block, Finder, Heading, Items, Links, Page, Paragraph, Sample
from runtriage.model.plan import Fix
from runtriage.model.taxonomy import Mode, modes
from runtriage.signatures.catalogue import Entry, read_files, warn
from runtriage.signatures.rules import NO_MATCH
from runtriage.signatures.sources import source_files

_ROLES: Final = ("cause", "symptom", "confirmation", "advice", "context")
_SOURCES: Final = {"made": "made for this catalogue"}
_SAMPLES: Final = 4
"""Texts shown for one signature at most, and look-alikes as many."""
_LENGTH: Final = 1000
"""Characters shown of one text at most."""
_NOTHING: Final = "Nothing recognises it yet: no text, no shape of metrics, ranks or states. It has a name so that a person can give it."


def pages(finders: Mapping[str, Sequence[Finder]], folders: Sequence[Path] = ()) -> dict[str, Page]:
    """Return a page for every failure mode by id; `finders` are the detectors of each mode. Raises and warns as `load` does."""
    read = read_files(source_files(folders))
    warn([*map(str, read.faults)])
    found: dict[str, list[Entry]] = {}
    for entry in sorted(read.entries, key=_rank):
        found.setdefault(entry.signature.mode, []).append(entry)
    return {
        mode.id: _page(mode, found.get(mode.id, []), finders.get(mode.id, ()), read.fixes) for mode in modes().values()
    }


def _rank(entry: Entry) -> tuple[int, str]:
    return _ROLES.index(entry.signature.role), entry.signature.id


def _page(mode: Mode, found: Sequence[Entry], finders: Sequence[Finder], fixes: Mapping[str, Fix]) -> Page:
    blocks = (
        Heading(f"{mode.id}: {mode.title}", 1),
        Paragraph(
            f"Primary class: {mode.primary_class} · workload category: {mode.category} · workflow class: {mode.workflow}"
        ),
        *_remedies([*(fix for entry in found for fix in entry.signature.fixes), *_named(finders)], fixes),
        *(block for entry in found for block in _signature(entry)),
        *_detectors(finders, bool(found)),
        *_references(found),
    )
    return Page(mode.id, mode.title, mode.primary_class, bool(found or finders), blocks)


def _signature(entry: Entry) -> Iterator[Block]:
    signature = entry.signature
    yield Heading(signature.title, 2)
    checked = f", checked against {signature.checked}" if signature.checked else ", not checked yet"
    yield Paragraph(f"Signature {signature.id} ({signature.role}, {signature.maturity}{checked})")
    yield Paragraph(signature.explain)
    shown: dict[str, Sample] = {}
    others: list[str] = []
    for example in entry.document.example:
        if example.expect == NO_MATCH:
            others.append(f"{_cut(example.text)} ({example.why})")
        else:
            shown.setdefault(example.expect, Sample(_cut(example.text), _SOURCES.get(example.source, example.source)))
    yield from list(shown.values())[:_SAMPLES]
    yield Items("Where it misleads:", signature.false_positives)
    yield Items("Other texts that look alike:", tuple(others[:_SAMPLES]))


def _cut(text: str) -> str:
    text = text.strip("\n")
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"


def _detectors(finders: Sequence[Finder], by_text: bool) -> Iterator[Block]:
    if finders:
        yield Heading("Found by more than its text" if by_text else "Found without a text of its own", 2)
        yield Items("", tuple(f"detector {finder.id}: {finder.what}" for finder in finders))
    elif not by_text:
        yield Paragraph(_NOTHING)


def _named(finders: Sequence[Finder]) -> list[str]:
    return [fix for finder in finders for fix in finder.fixes]


def _remedies(names: Sequence[str], fixes: Mapping[str, Fix]) -> Iterator[Block]:
    known = [fixes[name] for name in dict.fromkeys(names) if name in fixes]
    if known:
        yield Heading("What helps", 2)
        yield Items(
            "",
            tuple(
                f"{fix.plain or fix.action} | risk={fix.risk} | expected impact={fix.expected_impact} | validate={fix.validate}"
                for fix in known
            ),
        )


def _references(found: Sequence[Entry]) -> Iterator[Block]:
    addresses = tuple(dict.fromkeys(link for entry in found for link in entry.signature.references))
    if addresses:
        yield Heading("References", 2)
        yield Links(addresses)
