"""Lines around each piece of evidence, read again and redacted, for `--context N`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from runtriage.model.artifact import Read
from runtriage.model.place import line_of
from runtriage.model.report import EvidenceModel, Report
from runtriage.model.target import ByteStream, Target
from runtriage.redact import Policy, clean_below

_BLOCK = 1 << 18
_LINE = 2000
"""Longest line shown, in characters; the rest is cut."""
_FIRST = 0
_ABOVE = 400
_ABOVE_SIZE = 1 << 16
"""Lines above those shown, and characters of them at most, that are cleaned with them: what a line holds is often said far above it."""


def with_context(report: Report, target: Target, reads: Sequence[Read], count: int, policy: Policy) -> Report:
    """Return the report with `count` lines before and after each cited line; evidence that cannot be read again stays bare."""
    artifacts = {read.artifact.path: read.artifact for read in reads}
    wanted = {item.citation.artifact for item in report.evidence if item.citation.first_line is not None}
    windows: dict[str, dict[int, list[str]]] = {}
    for name in sorted(wanted & set(artifacts)):
        lines = [line_of(item.citation) for item in report.evidence if item.citation.artifact == name]
        try:
            with target.open(artifacts[name]) as stream:
                windows[name] = around(stream, [line for line in lines if line > 0], count, above=_ABOVE)
        except OSError:
            continue
    evidence = [_attach(item, windows.get(item.citation.artifact, {}), count, policy) for item in report.evidence]
    return replace(report, evidence=evidence)


def _attach(item: EvidenceModel, windows: Mapping[int, list[str]], count: int, policy: Policy) -> EvidenceModel:
    line = item.citation.first_line
    if not line or line not in windows:
        return item
    first = max(line - count, 1)
    above = _within(windows[line][: first - max(first - _ABOVE, 1)])
    text = [*above, *windows[line][first - max(first - _ABOVE, 1) :]]
    shown = clean_below(windows[_FIRST][0], "\n".join(text), policy).split("\n")
    return replace(item, context=shown[len(above) :], context_first_line=first)


def _within(lines: Sequence[str]) -> list[str]:
    """Return the last of the lines that are not too much to clean."""
    kept: list[str] = []
    size = 0
    for line in reversed(lines):
        size += len(line) + 1
        if size > _ABOVE_SIZE:
            break
        kept.append(line)
    return kept[::-1]


def around(stream: ByteStream, lines: Sequence[int], count: int, *, above: int = 0) -> dict[int, list[str]]:
    """Return for each 1-based line the lines from `count` before to `count` after it, and the first line of all at 0; reads no further than needed.

    `above` so many lines that stand before the first of them come first.
    """
    found: dict[int, list[str]] = {}
    wanted = dict.fromkeys(lines)
    last = max(wanted, default=0) + count
    for number, text in enumerate(_lines(stream), 1):
        if number == 1:
            found[_FIRST] = [text]
        for line in wanted:
            if max(line - count, 1) - above <= number <= line + count:
                found.setdefault(line, []).append(text)
        if number >= last:
            break
    return found


def _lines(stream: ByteStream) -> Iterator[str]:
    buffer = bytearray(_BLOCK)
    view = memoryview(buffer)
    rest: deque[bytes] = deque()
    kept = 0
    while count := stream.readinto(view):
        *whole, tail = bytes(view[:count]).split(b"\n")
        for piece in whole:
            yield _shown(b"".join(rest) + piece)
            rest.clear()
            kept = 0
        if kept < _LINE:
            rest.append(tail)
            kept += len(tail)
    if end := b"".join(rest):  # behind the last end of a line there is no line
        yield _shown(end)


def _shown(line: bytes) -> str:
    return line[:_LINE].decode("utf-8", "replace").rstrip("\r")
