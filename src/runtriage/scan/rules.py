"""Every pattern the engine looks for, compiled once and kept in the cache."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final

from runtriage.model.catalogue import Catalogue, Pattern
from runtriage.model.target import Cache
from runtriage.scan.contract import Cue
from runtriage.scan.dialects.cues import CUES
from runtriage.scan.find import Engine, Expression, Finder
from runtriage.scan.trim import trim

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern: a signature's (`name` is `<signature>#<pattern>`, `cue` is None) or a cue."""

    name: str
    regex: re.Pattern[bytes]
    literal: bytes = b""
    cue: Cue | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """All patterns, ready to make finders; `broken` names those the engine refused, with its words."""

    rules: tuple[Rule, ...]
    expressions: tuple[Expression, ...] = field(repr=False)
    engine: Engine = field(repr=False)
    compiled: bytes = field(repr=False)
    digest: str
    broken: tuple[str, ...] = ()

    def finder(self) -> Finder:
        """Return a finder for one thread."""
        return self.engine.finder(self.compiled, self.expressions)


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
    engine = engine or default_engine()
    candidates = [*_of_catalogue(catalogue), *(_of_cue(cue) for cue in (CUES if cues is None else cues))]
    rules, expressions = [rule for rule, _ in candidates], [expression for _, expression in candidates]
    name = _cache_name(engine, expressions)
    digest = hashlib.sha256("\n".join([name, *(rule.name for rule in rules)]).encode()).hexdigest()
    stored = cache.load(name) if cache is not None else None
    if stored is not None and _usable(engine, stored, expressions):
        return Rules(tuple(rules), tuple(expressions), engine, stored, digest)
    compiled, kept, broken = _compiled(engine, candidates)
    rules, expressions = [rule for rule, _ in kept], [expression for _, expression in kept]
    if cache is not None and not broken and compiled:
        cache.save(name, compiled)
    return Rules(tuple(rules), tuple(expressions), engine, compiled, digest, broken)


def _of_catalogue(catalogue: Catalogue) -> list[tuple[Rule, Expression]]:
    return [
        _of_pattern(f"{signature.id}#{pattern.name}", pattern)
        for _, signature in sorted(catalogue.signatures.items())
        for pattern in (*signature.patterns, *signature.clears)
    ]


def _of_pattern(name: str, pattern: Pattern) -> tuple[Rule, Expression]:
    flags = re.IGNORECASE if pattern.ignore_case else 0
    literal = b"" if pattern.ignore_case else pattern.literal.encode()
    rule = Rule(name, re.compile(pattern.regex.encode(), flags), literal)
    return rule, Expression(trim(pattern.regex), pattern.ignore_case)


def _of_cue(cue: Cue) -> tuple[Rule, Expression]:
    rule = Rule(cue.name, re.compile(cue.regex.encode(), re.IGNORECASE if cue.ignore_case else 0), b"", cue)
    return rule, Expression(trim(cue.regex), cue.ignore_case)


def _cache_name(engine: Engine, expressions: Sequence[Expression]) -> str:
    content = "\0".join(f"{each.ignore_case:d}{each.regex}" for each in expressions)
    key = f"{_FORMAT}\0{engine.name}\0{platform.machine()}\0{platform.system()}\0{content}"
    return f"rules-{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def _usable(engine: Engine, compiled: bytes, expressions: Sequence[Expression]) -> bool:
    try:
        engine.finder(compiled, expressions)
    except ValueError:
        return False
    return True


def _compiled(
    engine: Engine, candidates: list[tuple[Rule, Expression]]
) -> tuple[bytes, list[tuple[Rule, Expression]], tuple[str, ...]]:
    """Compile all; only where that fails look for what the engine refuses, one by one."""
    try:
        return engine.compile([expression for _, expression in candidates]), candidates, ()
    except ValueError:
        checked = [(pair, _refusal(engine, pair[1])) for pair in candidates]
    kept = [pair for pair, error in checked if error is None]
    broken = tuple(f"{pair[0].name}: {error}" for pair, error in checked if error is not None)
    return engine.compile([expression for _, expression in kept]), kept, broken


def _refusal(engine: Engine, expression: Expression) -> str | None:
    try:
        engine.compile([expression])
    except ValueError as error:
        return str(error)
    return None
