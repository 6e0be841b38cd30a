"""Runs every detector over the facts and turns each outcome into a finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from msgspec import Struct

from runtriage.model.catalogue import Catalogue
from runtriage.model.facts import Facts
from runtriage.model.finding import Broken, Clear, Finding, Match, Unknown
from runtriage.model.offers import offers

Find = Callable[[Facts, Catalogue], Iterable[Match]]
ENTRY_POINTS = "runtriage.detectors"


class Detector(Struct, frozen=True):
    """One rule in Python.

    `modes` are the failure modes it can find, `needs` answers which facts are missing for it to say anything at all (empty
    when it can look), and `find` yields the positive cases only. `remedies` names the fixes of each mode, and the modes of a
    detector that reads them from a table: its silence clears none of them, so they are not among `modes`.
    """

    id: str
    modes: tuple[str, ...]
    find: Find
    needs: Callable[[Facts], tuple[str, ...]] = lambda facts: ()
    remedies: Callable[[], Mapping[str, tuple[str, ...]]] = dict[str, tuple[str, ...]]


@cache
def detectors() -> tuple[Detector, ...]:
    """Return every detector of this package and of installed plug-ins, by id."""
    package = import_module("runtriage.detect")
    found: dict[str, Detector] = {}
    files = [file for file in Path(package.__path__[0]).iterdir() if file.suffix in (".py", ".pyc")]
    for name in sorted({file.stem for file in files}):
        for detector in getattr(import_module(f"runtriage.detect.{name}"), "DETECTORS", ()):
            found[detector.id] = detector
    for entry in offers(ENTRY_POINTS):
        plugin = entry.load()
        found[plugin.id] = plugin
    return tuple(found[key] for key in sorted(found))


def detect(facts: Facts, catalogue: Catalogue, rules: Iterable[Detector] | None = None) -> tuple[Finding, ...]:
    """Return what each rule found; a rule that raises becomes `Broken` and the others go on, as does a file of signatures that was left out."""
    findings: list[Finding] = [Broken(*fault.split(": ", 1)) for fault in catalogue.faults]
    for rule in detectors() if rules is None else rules:
        findings.extend(_run(rule, facts, catalogue))
    return tuple(findings)


def _run(rule: Detector, facts: Facts, catalogue: Catalogue) -> list[Finding]:
    try:
        missing = rule.needs(facts)
        if missing:
            return [Unknown(rule.id, mode, missing) for mode in rule.modes]
        matches = list(rule.find(facts, catalogue))
    except Exception as error:  # noqa: BLE001 - one broken rule must not hide what the others found
        return [Broken(rule.id, f"{type(error).__name__}: {error}")]
    hit = {match.mode for match in matches}
    return [*matches, *_silence(rule, facts, hit)]


def _silence(rule: Detector, facts: Facts, hit: set[str]) -> list[Finding]:
    cut = tuple(read.artifact.path for read in facts.reads if read.cut)
    if cut:
        return [
            Unknown(rule.id, mode, tuple(f"the rest of {path}" for path in cut))
            for mode in rule.modes
            if mode not in hit
        ]
    examined = tuple(read.artifact.path for read in facts.reads)
    return [Clear(rule.id, mode, examined) for mode in rule.modes if mode not in hit and examined]
