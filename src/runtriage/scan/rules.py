"""Every pattern the engine looks for, compiled once and kept in the cache."""

from __future__ import annotations

import hashlib
import platform
import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from msgspec import Struct
from msgspec.msgpack import encode

from runtriage.model.catalogue import Catalogue, Pattern
from runtriage.model.programs import PROGRAMS
from runtriage.model.target import Cache
from runtriage.scan.contract import WORDS, Cue
from runtriage.scan.dialects.cues import CUES
from runtriage.scan.find import Engine, Expression, Finder

_FORMAT: Final = 5
_ONCE: Final = frozenset({"framework", WORDS})
"""The readers that want a cue once in a piece of text: they take the first they are given and need no other."""


class Rule:
    """One pattern: a signature's (`name` is `<signature>#<pattern>`, `cue` is None) or a cue.

    `literal` is text that every match contains, empty where none is known.
    """

    __slots__ = ("_regex", "cue", "expression", "literal", "name")

    def __init__(self, name: str, expression: Expression, literal: bytes = b"", cue: Cue | None = None) -> None:
        self.name = name
        self.expression = expression
        self.literal = literal
        self.cue = cue
        self._regex: re.Pattern[bytes] | None = None

    @property
    def regex(self) -> re.Pattern[bytes]:
        """The pattern for bytes; compiled when first asked for, since most are never."""
        if self._regex is None:
            flags = re.IGNORECASE if self.expression.ignore_case else 0
            self._regex = PROGRAMS.compiled(self.expression.regex.encode(), flags)
        return self._regex


class Rules(Struct, frozen=True):
    """All patterns, ready to make finders; `broken` names those the engine refused, with its words."""

    rules: tuple[Rule, ...]
    engine: Engine
    compiled: bytes
    digest: str
    broken: tuple[str, ...] = ()

    def finder(self) -> Finder:
        """Return a finder for one thread."""
        return self.engine.finder(self.compiled, [rule.expression for rule in self.rules])


def default_engine() -> Engine:
    """Return Hyperscan, or RE2 where Hyperscan has no wheel."""
    if find_spec("hyperscan") is not None:
        from runtriage.scan.find_hyperscan import Hyperscan

        return Hyperscan()
    from runtriage.scan.find_re2 import Re2

    return Re2()


def compile(  # the stage reads `scan.rules.compile(catalogue, cache)`; the builtin is not used here
    catalogue: Catalogue, cache: Cache | None, cues: Sequence[Cue] | None = None, engine: Engine | None = None
) -> Rules:
    """Compile the catalogue and the cues, or load what an earlier run compiled. A pattern the engine refuses is left out and named."""
    if cues is not None or engine is not None:
        return _made(catalogue, cache, CUES if cues is None else cues, engine or default_engine())
    if _LAST.catalogue is not catalogue or _LAST.rules is None:
        _LAST.catalogue, _LAST.rules = catalogue, _made(catalogue, cache, CUES, default_engine())
    return _LAST.rules


class _Last:
    """What a process that diagnoses many runs with one catalogue compiled for it."""

    def __init__(self) -> None:
        self.catalogue: Catalogue | None = None
        self.rules: Rules | None = None


_LAST: Final = _Last()


def _made(catalogue: Catalogue, cache: Cache | None, cues: Sequence[Cue], engine: Engine) -> Rules:
    rules = [*_of_catalogue(catalogue), *map(_of_cue, cues)]
    name = _cache_name(engine, rules)
    digest = hashlib.sha256("\n".join([name, *(rule.name for rule in rules)]).encode()).hexdigest()
    stored = cache.load(name) if cache is not None else None
    if stored is not None and _usable(engine, stored, rules):
        return Rules(tuple(rules), engine, stored, digest)
    compiled, kept, broken = _compiled(engine, rules)
    if cache is not None and not broken and compiled:
        cache.save(name, compiled)
    return Rules(tuple(kept), engine, compiled, digest, broken)


def _of_catalogue(catalogue: Catalogue) -> list[Rule]:
    return [
        _of_pattern(f"{signature.id}#{pattern.name}", pattern)
        for _, signature in sorted(catalogue.signatures.items())
        for pattern in (*signature.patterns, *signature.clears)
    ]


def _of_pattern(name: str, pattern: Pattern) -> Rule:
    literal = b"" if pattern.ignore_case else pattern.literal.encode()
    return Rule(name, Expression(pattern.regex, pattern.ignore_case, confirmed=True), literal)


def _of_cue(cue: Cue) -> Rule:
    return Rule(cue.name, Expression(cue.regex, cue.ignore_case, cue.reader in _ONCE), b"", cue)


def _cache_name(engine: Engine, rules: Sequence[Rule]) -> str:
    key = f"{_FORMAT}\0{engine.name}\0{sys.platform}-{platform.machine()}\0".encode()
    content = encode([rule.expression for rule in rules])
    return f"rules-{hashlib.sha256(key + content).hexdigest()[:32]}"


def _usable(engine: Engine, compiled: bytes, rules: Sequence[Rule]) -> bool:
    try:
        engine.finder(compiled, [rule.expression for rule in rules])
    except ValueError:
        return False
    return True


def _compiled(engine: Engine, rules: list[Rule]) -> tuple[bytes, list[Rule], tuple[str, ...]]:
    """Compile all; only where that fails look for what the engine refuses, one by one."""
    try:
        return engine.compile([rule.expression for rule in rules]), rules, ()
    except ValueError:
        checked = [(rule, _refusal(engine, rule.expression)) for rule in rules]
    kept = [rule for rule, error in checked if error is None]
    broken = tuple(f"{rule.name}: {error}" for rule, error in checked if error is not None)
    return engine.compile([rule.expression for rule in kept]), kept, broken


def _refusal(engine: Engine, expression: Expression) -> str | None:
    try:
        engine.compile([expression])
    except ValueError as error:
        return str(error)
    return None
