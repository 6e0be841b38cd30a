"""Bytes and their hash for citations that name a line, a step or a pointer alone, so that `verify` can read them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from runtriage.api.spans import Span, Walk
from runtriage.model.artifact import Artifact, Read
from runtriage.model.place import line_of
from runtriage.model.report import CitationModel, EvidenceModel, Report
from runtriage.model.target import Target
from runtriage.redact import Policy, clean_below

WHOLE: Final = 64 << 20
"""Longest document in bytes whose hash stands for a place in it that has no lines."""

_Place = tuple[bool, int, int]
_WHOLE: Final[_Place] = (False, 0, 0)
Spans = Mapping[CitationModel, Span]


def with_bytes(report: Report, target: Target, reads: Sequence[Read], policy: Policy) -> Report:
    """Return the report with the bytes of every citation that lacks them; what cannot be read again stays as it is."""
    artifacts = {read.artifact.path: read.artifact for read in reads}
    wanted: dict[str, list[CitationModel]] = {}
    for citation in dict.fromkeys(_bare(report)):
        if citation.artifact in artifacts:
            wanted.setdefault(citation.artifact, []).append(citation)
    if not wanted:
        return report
    spans: dict[CitationModel, Span] = {}
    for name, citations in wanted.items():
        try:
            spans.update(_found(citations, artifacts[name], target))
        except OSError:
            continue
    return replace(
        report,
        root_evidence=_filled(report.root_evidence, spans),
        evidence=[_shown(item, spans, policy) for item in report.evidence],
        cascade=[replace(item, citation=_filled(item.citation, spans)) for item in report.cascade],
        ruled_out=[replace(item, citation=_filled(item.citation, spans)) for item in report.ruled_out],
    )


def _bare(report: Report) -> Iterator[CitationModel]:
    held = (*report.evidence, *report.cascade, *report.ruled_out)
    for citation in (report.root_evidence, *(item.citation for item in held)):
        if citation is not None and citation.sha256 is None:
            yield citation


def _found(
    citations: Sequence[CitationModel], artifact: Artifact, target: Target
) -> Iterator[tuple[CitationModel, Span]]:
    """Yield what each citation of one artifact stands for."""
    places = dict.fromkeys(map(_place, citations))
    spans = {place: span for start in (True, False) for place, span in _read(_of(places, start), artifact, target)}
    if _WHOLE in places:
        with target.open(artifact) as stream:
            span = Walk(stream).rest(WHOLE)
        if span is not None:
            spans[_WHOLE] = replace(span, head=b"")
    for each in citations:
        if (found := spans.get(_place(each))) is not None:
            yield each, found


def _place(citation: CitationModel) -> _Place:
    """Return where lines begin, by byte or by number, and how many they are."""
    first = line_of(citation)
    count = max((citation.last_line or first) - first, 0) + 1
    if citation.byte_start is not None and citation.byte_start >= 0:
        return True, citation.byte_start, count
    return (False, first, count) if first else _WHOLE


def _of(places: Iterable[_Place], by_byte: bool) -> list[_Place]:
    return sorted(place for place in places if place is not _WHOLE and place[0] is by_byte)


def _read(places: Sequence[_Place], artifact: Artifact, target: Target) -> Iterator[tuple[_Place, Span]]:
    """Yield the lines of each place, in order; the stream is opened again where two places overlap."""
    left = list(places)
    while left:
        behind: list[_Place] = []
        with target.open(artifact) as stream:
            walk = Walk(stream)
            walk.begin()
            for place in left:
                by_byte, start, count = place
                if walk.passed(start, by_byte=by_byte):
                    behind.append(place)
                elif (walk.to_byte(start) if by_byte else walk.to_line(start)) and (span := walk.lines(count)):
                    yield place, span
        left = behind


def _filled(citation: CitationModel | None, spans: Spans) -> CitationModel | None:
    span = spans.get(citation) if citation is not None and citation.sha256 is None else None
    if citation is None or span is None:
        return citation
    return replace(citation, byte_start=span.start, byte_end=span.end, sha256=span.sha256)


def _shown(item: EvidenceModel, spans: Spans, policy: Policy) -> EvidenceModel:
    span = spans.get(item.citation) if item.citation.sha256 is None else None
    if span is None:
        return item
    first, head = (each.decode("utf-8", "replace").rstrip("\r") for each in (span.first, span.head))
    return replace(
        item,
        citation=replace(item.citation, byte_start=span.start, byte_end=span.end, sha256=span.sha256),
        excerpt=item.excerpt or clean_below(first, head, policy),
    )
