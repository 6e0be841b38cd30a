"""Looks for sentences that give orders in everything that was read of a run, cited or not."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from msgspec import Struct, field

from runtriage.api.orders import orders, searched
from runtriage.model.artifact import Artifact
from runtriage.model.facts import Facts
from runtriage.model.target import ByteStream, Cache, Progress, Target
from runtriage.redact import clean
from runtriage.scan.find import Engine, Expression, Finder, Span
from runtriage.scan.rules import default_engine

MOST: Final = 256 << 20
"""Bytes of a run that are searched."""
_BLOCK: Final = 1 << 20
_REACH: Final = 1 << 10
"""Bytes before and after a place that are looked at again; a sentence that gives an order is shorter."""
_KEPT: Final = 50
_CHECKED: Final = 2_000
"""Places of one document that are looked at again."""
_TEXTS: Final = 5_000
_ESCAPED: Final = re.compile(r"\\u([0-9a-fA-F]{4})")


class Orders(Struct):
    """Sentences that give orders, each once, with where it stands; `whole` tells whether all that was read was searched."""

    found: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    whole: bool = True

    def add(self, place: str, sentence: str) -> None:
        """Take in a sentence, without secrets."""
        text = clean(sentence)
        if len(self.found) < _KEPT and all(text != other for _, other in self.found):
            self.found.append((clean(place), text))


def search(target: Target, facts: Facts, *, cache: Cache | None = None, progress: Progress | None = None) -> Orders:
    """Return the orders in a run's documents, in the names of its files and in its settings."""
    told = Orders()
    for place, text in _short_texts(facts):
        for sentence in orders(text):
            told.add(place, sentence)
    finder, base, done = _finder(cache), sum(read.bytes_read for read in facts.reads), 0
    for artifact in dict.fromkeys(read.artifact for read in facts.reads):
        try:
            with target.open(artifact) as stream:
                for count in _searched(stream, artifact, finder, told):
                    done += count
                    if progress is not None:
                        progress.advance(base + done, None, len(told.found))
                    if done >= MOST:
                        told.whole = False
                        return told
        except OSError:
            continue
    return told


def words(name: str) -> str:
    """Return a name with the marks that stand for spaces in names as spaces, each folder a line."""
    return re.sub(r"[_\-+.]+", " ", name).replace("/", "\n")


def _short_texts(facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield names of files, settings, and what structured documents say: their text may stand there in another spelling."""
    names = [facts.target, *(read.artifact.path for read in facts.reads)]
    names += [outcome.request.args.get("path", "") for outcome in facts.outcomes]
    yield from (("name of a file", words(name)) for name in dict.fromkeys(names))
    for item in facts.settings[:_TEXTS]:
        yield f"setting {item.name[:60]}", f"{words(item.name)}\n{item.value}"
    kinds = {read.artifact.path: read.artifact.kind for read in facts.reads}
    for event in facts.events[:_TEXTS]:
        if kinds.get(event.citation.artifact) not in ("log", None):
            yield event.citation.artifact, "\n".join((event.excerpt, *event.captures.values()))


def _searched(stream: ByteStream, artifact: Artifact, finder: Finder, told: Orders) -> Iterator[int]:
    """Search one document and yield how many bytes each look took."""
    buffer, kept, line, checks = bytearray(_BLOCK + 2 * _REACH), 0, 1, _CHECKED
    view = memoryview(buffer)
    seen = 0
    while count := stream.readinto(view[kept : kept + _BLOCK]):
        data = bytes(view[: kept + count])
        for at, _ in finder.find(data, Span(0, seen, len(data)))[:checks]:
            checks -= 1
            start = max(data.rfind(b"\n", 0, at) + 1, at - _REACH)
            end = data.find(b"\n", at, at + _REACH)
            number = line + data.count(b"\n", 0, start)
            piece = data[start : end if end >= 0 else at + _REACH]
            for sentence in orders(_unescaped(piece.decode("utf-8", "replace"))):
                told.add(f"{artifact.path}:{number}", sentence)
        rest = min(len(data), _REACH)
        line += data.count(b"\n", 0, len(data) - rest)
        buffer[:rest] = data[len(data) - rest :]
        kept = seen = rest
        yield count


def _unescaped(text: str) -> str:
    """Return text with letters that JSON writes as `\\u0049` as letters; halves of pairs are dropped."""
    return (
        _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
        .encode("utf-16", "surrogatepass")
        .decode("utf-16", "replace")
    )


def _finder(cache: Cache | None) -> Finder:
    engine = default_engine()
    expressions = [Expression(regex, ignore_case=True) for regex in searched()]
    name = "orders/" + hashlib.sha256("\0".join([engine.name, *searched()]).encode()).hexdigest()[:16]
    stored = cache.load(name) if cache is not None else None
    if stored is not None:
        try:
            return engine.finder(stored, expressions)
        except ValueError:  # made by another build of the engine
            pass
    compiled = _compiled(engine.name)
    if cache is not None and compiled:
        cache.save(name, compiled)
    return engine.finder(compiled, expressions)


@cache
def _compiled(name: str) -> bytes:
    engine: Engine = default_engine()
    assert engine.name == name
    return engine.compile([Expression(regex, ignore_case=True) for regex in searched()])
